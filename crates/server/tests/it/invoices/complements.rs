//! What documents of some trades state beside their items.

use serde_json::{Value, json};
use testkit::{DatabaseKind, on_both};

use super::office::{Office, attribute, id, sale};

on_both!(
    complements_are_stated_in_the_document,
    an_export_is_stated_in_its_invoice,
    goods_on_the_road_have_a_carta_porte,
    goods_at_sea_in_the_air_and_on_rails_have_a_carta_porte,
    a_complement_is_read_with_care,
    what_was_read_can_be_sent_back,
);

fn complements() -> Value {
    json!({
        "legends": [
            {"law": "ISR", "rule": "27", "text": "Efectos  fiscales al pago"},
            {"text": "Sin disposición"},
        ],
        "donation": {"authorizationNumber": "600-04-2019-1234", "authorizedOn": "2019-01-31",
            "legend": "Este comprobante ampara un donativo"},
        "electoral": {"process": "campaign",
            "entities": [{"code": "JAL", "scope": "local", "accountingIds": [12345]}]},
    })
}

fn complements_are_stated_in_the_document(kind: DatabaseKind) {
    let office = Office::open(kind);
    let mut body = sale(116.0);
    body["complements"] = complements();
    let stamped = office.stamped(&body);
    assert_eq!(stamped["complements"]["donation"]["authorizedOn"], "2019-01-31");
    let place = format!("/invoices/{}", id(&stamped));
    let xml = office.client.get(&format!("{place}/xml")).text;
    // White space is collapsed as SAT's schema does.
    assert_eq!(attribute(&xml, "textoLeyenda"), "Efectos fiscales al pago");
    assert_eq!(attribute(&xml, "disposicionFiscal"), "ISR");
    assert_eq!(attribute(&xml, "noAutorizacion"), "600-04-2019-1234");
    assert_eq!(attribute(&xml, "TipoProceso"), "Campaña");
    assert_eq!(attribute(&xml, "IdContabilidad"), "12345");
    assert_eq!(xml.matches("<cfdi:Complemento>").count(), 1, "{xml}");
    assert!(office.client.get(&format!("{place}/pdf")).text.starts_with("%PDF"));
    let copy = office.make(&format!("{place}/copy"), &json!({"replace": true}));
    assert_eq!(copy["complements"], stamped["complements"]);
}

fn a_complement_is_read_with_care(kind: DatabaseKind) {
    let office = Office::open(kind);
    for (complements, field) in [
        (json!({"legends": [{"law": "ISR"}]}), "complements.legends[0].text"),
        (json!({"donation": {}}), "complements.donation.authorizedOn"),
        (
            json!({"donation": {"authorizationNumber": "1", "authorizedOn": "2019-02-30", "legend": "D"}}),
            "complements.donation.authorizedOn",
        ),
        (json!({"electoral": {"process": "party"}}), "complements.electoral.process"),
        (
            json!({"electoral": {"process": "campaign", "entities": [{"code": "CMX"}]}}),
            "complements.electoral.entities[0].code",
        ),
        (
            json!({"electoral": {"process": "ordinary", "accountingId": 1_000_000}}),
            "complements.electoral.accountingId",
        ),
        (json!({"payroll": {}}), "payroll"),
    ] {
        let mut body = sale(116.0);
        body["complements"] = complements.clone();
        let message = office.client.post("/invoices", &body).refused(400, "validation_failed");
        assert!(message.contains(field), "{complements}: {message}");
    }
    let transfer = json!({"type": "T", "items": sale(116.0)["items"],
        "receiver": sale(116.0)["receiver"], "complements": {"donation": complements()["donation"]}});
    let message = office.client.post("/invoices", &transfer).refused(400, "validation_failed");
    assert!(message.contains("complements.donation"), "{message}");
    // What only SAT's rules know is found by `validate`.
    let mut body = sale(116.0);
    body["complements"] = json!({"electoral": {"process": "ordinary"}});
    let draft = office.draft(&body);
    let expected = ("INE180".to_owned(), "complements.electoral.committee".to_owned());
    assert_eq!(office.findings(&id(&draft)), [expected]);
    let _ = office.stamp(&id(&draft)).refused(409, "invoice_invalid");
}

fn address(state: &str, country: &str, zip: &str) -> Value {
    json!({"street": "Main", "state": state, "country": country, "zip": zip})
}

fn an_export_is_stated_in_its_invoice(kind: DatabaseKind) {
    let office = Office::open(kind);
    let mut body = sale(100.0);
    body["export"] = json!("02");
    body["currency"] = json!("USD");
    body["exchangeRate"] = json!(18.5);
    body["receiver"] = json!({"rfc": "XEXX010101000", "legalName": "FABRIKAM", "taxZip": "42501",
        "taxRegime": "616", "cfdiUse": "S01", "taxResidence": "USA", "foreignTaxId": "123456789"});
    body["items"] = json!([{"description": "Laptop", "sku": "LAP-01", "unit": "06", "quantity": 1,
        "unitPrice": 100, "taxIncluded": false, "satProductKey": "43211503",
        "taxes": [{"tax": "IVA", "factor": "Tasa", "rate": 0}]}]);
    let draft = office.draft(&body);
    let codes: Vec<String> = office.findings(&id(&draft)).into_iter().map(|it| it.0).collect();
    assert_eq!(codes, ["CFDI40122"], "an export needs its complement");
    let trade = json!({"incoterm": "FOB", "usdRate": 18.5, "remarks": "Muy  frágil",
        "issuer": {"address": address("HID", "MEX", "42501")},
        "receiver": {"foreignTaxId": "123456789", "address": address("TX", "USA", "77002")},
        "goods": [{"sku": "LAP-01", "tariffCode": "8471300199", "usdValue": 100}]});
    let changes = json!({"complements": {"foreignTrade": trade}});
    let changed = office.change(&id(&draft), &changes).expect(200);
    assert_eq!(office.findings(&id(&draft)), []);
    let shown = &changed["complements"]["foreignTrade"];
    assert_eq!((&shown["remarks"], &shown["incoterm"]), (&json!("Muy frágil"), &json!("FOB")));
    let sent_back = json!({"complements": changed["complements"]});
    let again = office.change(&id(&draft), &sent_back).expect(200);
    assert_eq!(again["complements"], changed["complements"]);
    let _ = office.stamp(&id(&draft)).expect(200);
    let xml = office.client.get(&format!("/invoices/{}/xml", id(&draft))).text;
    assert_eq!(attribute(&xml, "TotalUSD"), "100.00");
    assert_eq!(attribute(&xml, "FraccionArancelaria"), "8471300199");
    assert!(office.client.get(&format!("/invoices/{}/pdf", id(&draft))).text.starts_with("%PDF"));
}

fn goods_on_the_road_have_a_carta_porte(kind: DatabaseKind) {
    let office = Office::open(kind);
    let own = json!({"rfc": "EKU9003173C9", "legalName": "ESCUELA KEMPER URGATE", "taxZip": "42501",
        "taxRegime": "601", "cfdiUse": "S01"});
    let place = |kind: &str, code: &str, at: &str, address: Value| json!({"type": kind, "code": code, "rfc": "EKU9003173C9", "at": at, "address": address});
    let mut arrival =
        place("destination", "DE000001", "2099-01-02T09:30:00", address("NLE", "MEX", "64000"));
    arrival["distanceKm"] = json!(905.5);
    let carta = json!({
        "locations": [place("origin", "OR000001", "2099-01-01T13:00:00", address("CMX", "MEX", "06600")), arrival],
        "goods": {"weightUnit": "KGM", "items": [{"satProductKey": "43211503", "description": "Laptop",
            "quantity": 2, "satUnitKey": "H87", "weightKg": 5.5}]},
        "road": {"permitType": "TPAF01", "permitNumber": "NumPermiso", "trailers": [],
            "vehicle": {"configuration": "C2", "grossWeightTons": 8, "plate": "ABC1234", "modelYear": 2024},
            "insurance": {"liability": {"insurer": "Seguros del Norte", "number": "POL-1"}}},
        "figures": [{"figureType": "01", "rfc": "CACX7605101P8", "license": "A123456", "name": "XOCHILT CASAS"}],
    });
    let goods = json!({"description": "Laptop", "satProductKey": "43211503", "quantity": 2, "unitPrice": 0});
    let body = json!({"type": "T", "receiver": own, "items": [goods], "complements": {"cartaPorte": carta}});
    let draft = office.draft(&body);
    assert_eq!(office.findings(&id(&draft)), []);
    let folio = draft["complements"]["cartaPorte"]["id"].as_str().unwrap().to_owned();
    assert!(folio.starts_with("CCC") && folio.len() == 36, "{folio}");
    let sent_back = json!({"complements": draft["complements"]});
    let again = office.change(&id(&draft), &sent_back).expect(200);
    assert_eq!(again["complements"], draft["complements"]);
    let stamped = office.stamp(&id(&draft)).expect(200);
    assert_eq!(stamped["complements"]["cartaPorte"]["id"], folio.as_str());
    let place = format!("/invoices/{}", id(&draft));
    let xml = office.client.get(&format!("{place}/xml")).text;
    assert_eq!(attribute(&xml, "IdCCP"), folio);
    assert_eq!(attribute(&xml, "TotalDistRec"), "905.5");
    assert_eq!(attribute(&xml, "PesoBrutoTotal"), "5.500");
    // Another journey, another folio.
    let copy = office.make(&format!("{place}/copy"), &json!({"replace": true}));
    assert_ne!(copy["complements"]["cartaPorte"]["id"], folio.as_str());
    // What is wrong with a journey is found by SAT's rules, by field.
    let mut wrong = body;
    wrong["complements"]["cartaPorte"]["locations"][1]["distanceKm"] = Value::Null;
    wrong["complements"]["cartaPorte"]["road"]["permitType"] = json!("TPAF99");
    let entry = json!({"documentType": "01", "pedimento": "15  48  3009  0001234", "importerRfc": "EKU9003173C9"});
    wrong["complements"]["cartaPorte"]["goods"]["items"][0]["customsDocuments"] = json!([entry]);
    let draft = office.draft(&wrong);
    let read = &draft["complements"]["cartaPorte"]["goods"]["items"][0]["customsDocuments"][0];
    assert_eq!(read["pedimento"], entry["pedimento"], "its spaces are part of it");
    let fields: Vec<String> = office.findings(&id(&draft)).into_iter().map(|it| it.1).collect();
    assert!(!fields.iter().any(|field| field.ends_with("pedimento")), "{fields:?}");
    for field in ["locations[1].distanceKm", "road.permitType"] {
        assert!(fields.contains(&format!("complements.cartaPorte.{field}")), "{fields:?}");
    }
}

fn goods_at_sea_in_the_air_and_on_rails_have_a_carta_porte(kind: DatabaseKind) {
    let office = Office::open(kind);
    let own = json!({"rfc": "EKU9003173C9", "legalName": "ESCUELA KEMPER URGATE", "taxZip": "42501",
        "taxRegime": "601", "cfdiUse": "S01"});
    let sea = json!({"ship": {"type": "B04", "registration": "MAT-0001", "imoNumber": "IMO1234567", "flag": "MEX",
            "grossTonnage": 5000},
        "cargoType": "CGC", "agentName": "Agencia Naviera", "agentAuthorization": "ANC001/2022",
        "containers": [{"type": "CM005", "registration": "ABCU1234560", "seal": "SELLO1"},
            {"type": "CM011", "truck": {"cartaPorteId": "CCC2822E-396D-4725-8521-CDC4BDD20CCF",
                "stampedAt": "2098-12-31T10:00:00", "plate": "501AA1", "trailers": []}}]});
    let air = json!({"permitType": "TPTA01", "permitNumber": "AFAC-1", "waybillNumber": "139-12345675",
        "carrier": "CA004", "shipper": {"rfc": "EKU9003173C9"}});
    let rail = json!({"service": "TS02", "traffic": "TT01", "trackRights": [{"type": "CDP003", "paidKm": 12.5}],
        "cars": [{"type": "TC05", "registration": "TFM123456", "waybillNumber": "GUIA-1", "netTons": 0.006,
            "containers": [{"type": "TC02", "emptyWeightKg": 3800, "netWeightKg": 5.5}]}]});
    for (mode, transport, stations, element) in [
        ("sea", sea, ["PM005", "PM121"], "TransporteMaritimo"),
        ("air", air, ["EA0001", "EA0002"], "TransporteAereo"),
        ("rail", rail, ["B0027", "B0046"], "TransporteFerroviario"),
    ] {
        let place = |kind: &str, at: &str, (code, station_type): (&str, &str), address: Value| {
            json!({"type": kind, "rfc": "EKU9003173C9", "at": at, "address": address,
                "station": {"code": code, "stationType": station_type}})
        };
        let mut from = place(
            "origin",
            "2099-01-01T13:00:00",
            (stations[0], "01"),
            address("CMX", "MEX", "06600"),
        );
        let mut to = place(
            "destination",
            "2099-01-02T09:30:00",
            (stations[1], "03"),
            address("NLE", "MEX", "64000"),
        );
        let mut goods = json!({"satProductKey": "43211503", "description": "Laptop", "quantity": 2,
            "satUnitKey": "H87", "weightKg": 5.5, "value": {"amount": 30000, "currency": "MXN"}});
        match mode {
            "sea" => {
                from["station"]["navigation"] = json!("coastal");
                to["station"]["navigation"] = json!("coastal");
                goods["weights"] = json!({"unit": "KGM", "gross": 6.5, "net": 5, "pieces": 2});
            }
            "rail" => to["distanceKm"] = json!(10),
            _ => {}
        }
        let carta = json!({"locations": [from, to], "goods": {"weightUnit": "KGM", "items": [goods]}, mode: transport});
        let item = json!({"description": "Laptop", "satProductKey": "43211503", "quantity": 2, "unitPrice": 0});
        let draft = office.draft(&json!({"type": "T", "receiver": own, "items": [item], "complements": {"cartaPorte": carta}}));
        assert_eq!(office.findings(&id(&draft)), [], "{mode}");
        let again =
            office.change(&id(&draft), &json!({"complements": draft["complements"]})).expect(200);
        assert_eq!(again["complements"], draft["complements"]);
        let _ = office.stamp(&id(&draft)).expect(200);
        let path = format!("/invoices/{}", id(&draft));
        let xml = office.client.get(&format!("{path}/xml")).text;
        assert!(xml.contains(element) && !xml.contains("Autotransporte"), "{xml}");
        assert_eq!(attribute(&xml, "NumEstacion"), stations[0]);
        // With its packing, where that is told.
        let weight = if mode == "sea" { "6.500" } else { "5.500" };
        assert_eq!(attribute(&xml, "PesoBrutoTotal"), weight);
        assert!(office.client.get(&format!("{path}/pdf")).text.starts_with("%PDF"));
    }
}

fn what_was_read_can_be_sent_back(kind: DatabaseKind) {
    let office = Office::open(kind);
    let mut body = sale(116.0);
    body["complements"] = complements();
    let draft = office.draft(&body);
    let sent_back = json!({"complements": draft["complements"]});
    let changed = office.change(&id(&draft), &sent_back).expect(200);
    assert_eq!(changed["complements"], draft["complements"]);
    let changed = office.change(&id(&draft), &json!({"notes": "Gracias"})).expect(200);
    assert_eq!(changed["complements"], draft["complements"]);
    let without = office.change(&id(&draft), &json!({"complements": {}})).expect(200);
    let none = json!({"legends": [], "donation": null, "electoral": null, "foreignTrade": null,
        "cartaPorte": null});
    assert_eq!(without["complements"], none);
}
