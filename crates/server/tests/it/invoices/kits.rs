//! What is sold in one piece and made up of several.

use serde_json::{Value, json};
use testkit::{DatabaseKind, on_both};

use super::office::{Office, id, sale};

on_both!(a_kit_states_its_parts);

fn a_kit_states_its_parts(kind: DatabaseKind) {
    let office = Office::open(kind);
    let mut body = sale(116.0);
    body["items"][0]["parts"] = json!([
        {"description": "Teclado  <es> & ratón", "satProductKey": "43211706", "sku": "TEC-01", "quantity": 2,
            "unit": "Pieza", "unitPrice": 15.25, "customs": ["24  48  3009  4001234"]},
        {"description": "Cable", "quantity": 0.5},
    ]);
    let draft = office.draft(&body);
    let parts = &draft["items"][0]["parts"];
    assert_eq!((&draft["total"], &parts[0]["amount"]), (&json!(116), &json!(30.5)));
    assert_eq!(parts[1]["satProductKey"], "01010101");
    assert_eq!((&parts[1]["unitPrice"], &parts[1]["amount"]), (&Value::Null, &Value::Null));
    // What was read can be sent back.
    let sent_back = json!({"items": draft["items"]});
    let changed = office.change(&id(&draft), &sent_back).expect(200);
    assert_eq!(changed["items"][0]["parts"], *parts);
    let stamped = office.stamp(&id(&draft)).expect(200);
    assert_eq!(stamped["items"][0]["parts"], *parts);
    let place = format!("/invoices/{}", id(&draft));
    let xml = office.client.get(&format!("{place}/xml")).text;
    let part = "<cfdi:Parte ClaveProdServ=\"43211706\" NoIdentificacion=\"TEC-01\" Cantidad=\"2\" Unidad=\"Pieza\" \
        Descripcion=\"Teclado &lt;es&gt; &amp; ratón\" ValorUnitario=\"15.25\" Importe=\"30.50\">\
        <cfdi:InformacionAduanera NumeroPedimento=\"24  48  3009  4001234\"/></cfdi:Parte>\
        <cfdi:Parte ClaveProdServ=\"01010101\" Cantidad=\"0.5\" Descripcion=\"Cable\"/></cfdi:Concepto>";
    assert!(xml.contains(part), "{xml}");
    assert!(office.client.get(&format!("{place}/pdf")).text.starts_with("%PDF"));
    // What is wrong with a part is found by its place.
    let mut wrong = body;
    wrong["items"][0]["parts"][0]["satProductKey"] = json!("99999999");
    wrong["items"][0]["parts"][0]["customs"] = json!(["15"]);
    let expected = [
        ("CFDI40196".to_owned(), "items[0].parts[0].satProductKey".to_owned()),
        ("CFDI40199".to_owned(), "items[0].parts[0].customs[0]".to_owned()),
    ];
    assert_eq!(office.findings(&id(&office.draft(&wrong))), expected);
}
