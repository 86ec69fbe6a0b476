//! Stamping: one stamp, one charge, and documents that fit together.

use base64::{Engine, engine::general_purpose::STANDARD};
use cfdi::{csd::Certificate, stamp::Stamp};
use serde_json::{Value, json};
use testkit::{App, DatabaseKind, on_both};

use super::desk::Desk;
use crate::{
    invoices::office::{Office, attribute, id, is_moment},
    races::at_once,
};

on_both!(
    a_stamped_withholding_has_its_stamp_and_documents,
    every_complement_is_stamped,
    stamping_again_answers_the_same,
    a_repeat_replays_the_stamp,
    many_at_once_make_one_stamp,
    what_is_made_can_be_stamped_at_once,
    without_credits_nothing_is_sent,
    an_invalid_draft_spends_nothing,
    twins_are_not_one_stamp_of_two,
    a_stamped_withholding_stays_as_it_was_sealed,
);

fn a_stamped_withholding_has_its_stamp_and_documents(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let draft = desk.draft(&desk.fees());
    assert!(desk.ledger(&draft).is_empty());
    let stamped = desk.stamp(&draft).expect(200);
    assert_eq!(stamped["status"], "stamped");
    let uuid = stamped["uuid"].as_str().unwrap();
    assert_eq!(stamped["stamp"]["uuid"], json!(uuid));
    assert_eq!(stamped["stamp"]["sandbox"], true);
    assert!(is_moment(&stamped["issuedAt"]) && is_moment(&stamped["createdAt"]));
    assert_eq!(desk.office.credits(), (990, 0));
    assert_eq!(desk.ledger(&draft), [("reserve".to_owned(), -10), ("commit".to_owned(), 0)]);
    let told = json!({"id": draft, "uuid": uuid, "withheld": 2066.67});
    assert_eq!(desk.told("withholding.stamped"), [told]);

    let xml = desk.get(&draft, "xml");
    assert_eq!((xml.status, xml.header("content-type")), (200, Some("application/xml")));
    assert!(xml.header("content-disposition").unwrap().contains(&format!("{uuid}.xml")));
    let stamp = Stamp::read(&xml.text).unwrap();
    assert_eq!(stamp.uuid, uuid);
    for (name, value) in [
        ("Version", "2.0"),
        ("CveRetenc", "01"),
        ("LugarExpRetenc", "42501"),
        ("NacionalidadR", "Nacional"),
        ("MesIni", "01"),
        ("MontoTotOperacion", "10000.00"),
        ("MontoTotRet", "2066.67"),
        ("FechaExp", stamped["localIssuedAt"].as_str().unwrap()),
    ] {
        assert_eq!(attribute(&xml.text, name), value, "{name}");
    }
    assert_eq!(attribute(&xml.text, "Sello"), stamp.issuer_seal, "the stamp confirms the seal");
    let certificate = STANDARD.decode(attribute(&xml.text, "Certificado")).unwrap();
    let certificate = Certificate::parse(&certificate).unwrap();
    assert_eq!(certificate.number(), attribute(&xml.text, "NoCertificado"));
    let url = stamped["stamp"]["verificationUrl"].as_str().unwrap();
    for part in [&format!("id={uuid}"), "re=EKU9003173C9", "rr=CACX7605101P8", "tt=10000.00"] {
        assert!(url.contains(part), "{part} in {url}");
    }

    let pdf = desk.get(&draft, "pdf");
    assert_eq!((pdf.status, pdf.header("content-type")), (200, Some("application/pdf")));
    assert!(pdf.text.starts_with("%PDF"));
    let _ = desk.get(&draft, "cancellation-receipt").refused(409, "conflict");
}

fn every_complement_is_stamped(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let abroad =
        json!({"foreign": {"foreignTaxId": "123456789", "legalName": "Fabrikam & Sons, Inc."}});
    let day = &desk.office.app.now().to_string()[..10];
    let sale = json!({"paymentForm": "03", "kind": "04", "paidOn": day, "price": 1000,
        "tax": {"base": 1000, "tax": "IVA", "rate": 0.16, "amount": 160},
        "contribution": {"amount": 30, "state": "23"},
        "fee": {"base": 1000, "rate": 0.155, "amount": 155}});
    let local = cfdi::catalogs::zones::Zone::Central.local(desk.office.app.now());
    let month = u8::from(local.month());
    let this_month = json!({"firstMonth": month, "lastMonth": month, "year": desk.year()});
    let cases = [
        (
            json!({"code": "14", "complements": {"dividends": {"distribution": {"kind": "06", "company": "national",
                "isrWithheldInMexico": 1000, "creditableIsr": 428.57}, "remainder": {"percentage": 33.3333}}}}),
            "DividOUtil",
        ),
        (
            json!({"code": "16", "complements": {"interest": {"fromFinancialSystem": true, "nominal": 10000,
                "real": -12.5}}}),
            "MontIntReal",
        ),
        (
            json!({"code": "18", "receiver": abroad, "complements": {"foreignPayment": {"nonBeneficiary":
                {"taxResidence": "US", "payee": "3", "description": "Regalías"}}}}),
            "NoBeneficiario",
        ),
        (
            json!({"code": "01", "receiver": abroad, "complements": {"foreignPayment": {"beneficiary":
                {"rfc": "CACX7605101P8", "curp": "CACX760510MGTSHC04", "legalName": "XOCHILT CASAS CHAVEZ",
                "payee": "2", "description": "Honorarios"}}}}),
            "EsBenefEfectDelCobro",
        ),
        (
            json!({"code": "17", "complements": {"trustLease": {"paidByTrustee": 9000, "yielded": 10000,
                "deductions": 250.5, "withheld": 1000}}}),
            "PagProvEfecPorFiduc",
        ),
        (
            json!({"code": "19", "complements": {"shareSale": {"contract": "Contrato 123", "gain": 10000}}}),
            "ContratoIntermediacion",
        ),
        (
            json!({"code": "20", "complements": {"prize": {"state": "09", "paid": 10000, "taxed": 10000}}}),
            "EntidadFederativa",
        ),
        (
            json!({"code": "26", "period": this_month, "totals": {"taxed": 1000}, "taxes": [
                {"tax": "ISR", "base": 1000, "amount": 40, "paymentKind": "04"},
                {"tax": "IVA", "base": 160, "amount": 80, "paymentKind": "01"}],
                "complements": {"platformServices": {"periodicity": "02", "services": [sale]}}}),
            "ServiciosPlataformasTecnologicas",
        ),
    ];
    for (fields, words) in cases {
        let isr = json!({"tax": "ISR", "base": 10000, "amount": 1000, "paymentKind": "03"});
        let mut body = desk.fees();
        body["taxes"] = json!([isr]);
        for (name, value) in fields.as_object().unwrap() {
            body[name] = value.clone();
        }
        let draft = desk.draft(&body);
        let verdict =
            desk.office.client.act(&format!("/withholdings/{draft}/validate")).expect(200);
        assert_eq!(verdict["findings"], json!([]), "{fields}");
        let stamped = desk.stamp(&draft).expect(200);
        let xml = desk.get(&draft, "xml").text;
        assert!(xml.contains(words), "{words} in {xml}");
        let given = fields["complements"].as_object().unwrap().keys().next().unwrap();
        let shown = &stamped["complements"];
        assert!(shown[given].is_object(), "{shown}");
        assert_eq!(desk.get(&draft, "pdf").status, 200);
    }
}

fn stamping_again_answers_the_same(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let stamped = desk.stamped(&desk.fees());
    assert_eq!(desk.stamp(&id(&stamped)).expect(200), stamped);
    assert_eq!((desk.office.credits(), desk.stamps().len()), ((990, 0), 1));
}

fn a_repeat_replays_the_stamp(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let draft = desk.draft(&desk.fees());
    let path = format!("/withholdings/{draft}/stamp");
    let act = || {
        let request = desk.office.client.request("POST", &path);
        testkit::Reply::to(request.header("Idempotency-Key", "key-1"))
    };
    let first = act();
    let second = act();
    assert_eq!(second.header("idempotent-replayed"), Some("true"));
    assert_eq!(first.expect(200), second.expect(200));
    assert_eq!(desk.ledger(&draft).len(), 2);
}

fn many_at_once_make_one_stamp(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let draft = desk.draft(&desk.fees());
    let replies = at_once(6, |_| desk.stamp(&draft));
    assert!(replies.iter().any(|reply| reply.status == 200));
    for reply in replies.iter().filter(|reply| reply.status != 200) {
        let _ = reply.refused(409, "in_progress");
    }
    assert_eq!((desk.office.credits(), desk.stamps().len()), ((990, 0), 1));
}

fn what_is_made_can_be_stamped_at_once(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let mut body = desk.fees();
    body["stamp"] = json!(true);
    let make = || desk.office.client.post_once("/withholdings", "key-2", &body);
    let first = make();
    let stamped = first.expect(201);
    assert_eq!(stamped["status"], "stamped");
    assert_eq!(make().expect(201), stamped);
    assert_eq!((desk.office.credits(), desk.stamps().len()), ((990, 0), 1));
    body["code"] = json!("14");
    let message =
        desk.office.client.post("/withholdings", &body).refused(409, "withholding_invalid");
    assert!(message.contains("Reten20107: complements.dividends is missing"), "{message}");
    assert_eq!(desk.office.client.get("/withholdings").expect(200)["total"], 1, "no draft is left");
}

fn without_credits_nothing_is_sent(kind: DatabaseKind) {
    let app = App::start(kind);
    let account = app.account();
    app.can_invoice(account);
    app.grant(account, 9);
    let desk = Desk { office: Office { account, client: app.client_of(account, "*"), app } };
    let draft = desk.draft(&desk.fees());
    let _ = desk.stamp(&draft).refused(402, "insufficient_credits");
    assert_eq!((&desk.read(&draft)["status"], desk.stamps().len()), (&json!("draft"), 0));
}

fn an_invalid_draft_spends_nothing(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let mut body = desk.fees();
    body["taxes"][0]["paymentKind"] = json!("01");
    body["taxes"][1]["base"] = json!(1_066.66);
    body["receiver"]["national"]["taxZip"] = json!("19000");
    let draft = desk.draft(&body);
    let message = desk.stamp(&draft).refused(409, "withholding_invalid");
    assert!(message.contains("Reten20118: receiver.national.taxZip"), "{message}");
    let validate = desk.office.client.request("POST", &format!("/withholdings/{draft}/validate"));
    let verdict = testkit::Reply::to(validate.header("Accept-Language", "es-MX")).expect(200);
    let findings: Vec<_> = verdict["findings"].as_array().unwrap().iter().collect();
    let fields: Vec<_> =
        findings.iter().map(|finding| finding["field"].as_str().unwrap()).collect();
    assert!(fields.contains(&"receiver.national.taxZip"), "{fields:?}");
    assert!(fields.contains(&"taxes[0].paymentKind"), "{fields:?}");
    assert!(fields.contains(&"taxes[1].amount"), "{fields:?}");
    assert!(findings.iter().all(|finding| finding["message"].as_str().unwrap().contains(" es ")));
    assert_eq!((desk.office.credits(), desk.stamps().len()), ((1_000, 0), 0));
    assert_eq!(desk.told("withholding.stamp_failed"), [Value::Null; 0]);
}

fn twins_are_not_one_stamp_of_two(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let mut body = desk.fees();
    body["issuedAt"] = json!(desk.office.app.now().to_string());
    let (first, second) = (desk.draft(&body), desk.draft(&body));
    let _ = desk.stamp(&first).expect(200);
    let message = desk.stamp(&second).refused(409, "conflict");
    assert!(message.contains(&first) && message.contains("folio"), "{message}");
    assert_eq!((&desk.read(&second)["status"], desk.office.credits()), (&json!("draft"), (990, 0)));
    let _ = desk.change(&second, &json!({"folio": "OTRA1"})).expect(200);
    let _ = desk.stamp(&second).expect(200);
    assert_eq!((desk.stamps().len(), desk.office.credits()), (2, (980, 0)));
}

fn a_stamped_withholding_stays_as_it_was_sealed(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let stamped = desk.stamped(&desk.fees());
    let one = id(&stamped);
    for reply in [
        desk.change(&one, &json!({"description": "x"})),
        desk.office.client.delete(&format!("/withholdings/{one}")),
    ] {
        let message = reply.refused(409, "invalid_transition");
        assert!(message.contains("this withholding is stamped"), "{message}");
    }
    let issuer = json!({"rfc": "EKU9003173C9", "legalName": "OTRO NOMBRE", "taxRegime": "601",
        "taxZip": "64000"});
    let _ = desk.office.client.send("PUT", "/invoices/cfdi/issuer", &issuer).expect(200);
    assert_eq!(desk.read(&one), stamped);
}
