//! Drafts that SAT would refuse: each is found when it is validated, with SAT's code and our field, in both languages.
//!
//! `tests/data/bad_drafts.tsv` has a draft a line: what it is made of, what is set in it, the code and the field. The
//! codes are those of SAT's matrices of errors (CFDI 4.0 and payments 2.0); `…999` is for what only its guides of
//! filling in say, and 301 for its schema.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};
use testkit::{DatabaseKind, on_both};

use super::office::{Office, id};

on_both!(every_bad_draft_is_found_in_both_languages);

const TABLE: &str = include_str!("../../data/bad_drafts.tsv");
const UUID: &str = "5FB2822E-396D-4725-8521-CDC4BDD20CCF";

/// The drafts that the table is made of; as they stand they have no findings.
fn bases(office: &Office) -> BTreeMap<&'static str, Value> {
    let company = json!({"rfc": "URE180429TM6", "legalName": "UNIVERSIDAD ROBOTICA ESPAÑOLA",
        "taxZip": "86991", "taxRegime": "601", "cfdiUse": "G03"});
    let person = json!({"rfc": "CACX7605101P8", "legalName": "XOCHILT CASAS CHAVEZ",
        "taxZip": "36257", "taxRegime": "612", "cfdiUse": "G03"});
    let public = |rfc: &str, name: &str| json!({"rfc": rfc, "legalName": name, "taxZip": "42501", "taxRegime": "616", "cfdiUse": "S01"});
    let mut abroad = public("XEXX010101000", "FABRIKAM");
    abroad["taxResidence"] = json!("USA");
    abroad["foreignTaxId"] = json!("123456789");
    let item = json!({"description": "Taza", "satProductKey": "52152100", "satUnitKey": "H87",
        "quantity": 1, "unitPrice": 116});
    let sale = |receiver: &Value| json!({"type": "I", "paymentForm": "03", "receiver": receiver, "items": [item]});
    let with = |mut body: Value, name: &str, value: Value| {
        body[name] = value;
        body
    };
    let iva = json!([{"tax": "IVA", "factor": "Tasa", "rate": 0.16}]);
    let mut taxed = sale(&company);
    taxed["items"][0]["taxes"] = iva;
    taxed["items"][0]["taxObject"] = json!("02");
    let mut border = sale(&company);
    border["placeOfIssue"] = json!("22000");
    border["items"][0]["taxes"] = json!([{"tax": "IVA", "factor": "Tasa", "rate": 0.08}]);
    let mut third = sale(&company);
    third["items"][0]["thirdParty"] = json!({"rfc": "JUFA7608212V6",
        "legalName": "ADRIANA JUAREZ FERNANDEZ", "taxRegime": "612", "taxZip": "29133"});
    let local = cfdi::catalogs::zones::Zone::Central.local(office.app.now());
    let period = json!({"periodicity": "01", "months": format!("{:02}", u8::from(local.month())),
        "year": local.year()});
    let ticket = json!({"description": "Venta", "satProductKey": "01010101", "satUnitKey": "ACT",
        "sku": "T-1", "quantity": 1, "unitPrice": 116});
    let global = json!({"type": "I", "paymentForm": "01", "global": period, "items": [ticket]});
    let mut own = person.clone();
    own["rfc"] = json!("EKU9003173C9");
    own["legalName"] = json!("ESCUELA KEMPER URGATE");
    own["taxRegime"] = json!("601");
    own["taxZip"] = json!("42501");
    own["cfdiUse"] = json!("S01");
    let goods =
        json!({"description": "Taza", "satProductKey": "52152100", "quantity": 1, "unitPrice": 0});
    let mut receiver = company.clone();
    receiver["cfdiUse"] = json!("CP01");
    let paid = json!({"amount": 100, "external": {"uuid": UUID, "total": 116, "balance": 116,
        "taxes": [{"tax": "IVA", "factor": "Tasa", "rate": 0.16, "base": 100}]}});
    let payment = json!({"paidAt": office.app.now().to_string(), "paymentForm": "03", "amount": 100,
        "documents": [paid]});
    let mut credit = with(sale(&company), "type", json!("E"));
    credit["receiver"]["cfdiUse"] = json!("G02");
    credit["related"] = json!([{"relation": "01", "uuids": [UUID]}]);
    let mut dollars = with(sale(&company), "currency", json!("USD"));
    dollars["exchangeRate"] = json!(17.5);
    let mut in_parts = sale(&company);
    in_parts["paymentMethod"] = json!("PPD");
    in_parts["paymentForm"] = json!("99");
    BTreeMap::from([
        ("sale", sale(&company)),
        ("person", sale(&person)),
        ("unnamed", sale(&public("XAXX010101000", "ANA RUIZ"))),
        ("foreigner", sale(&abroad)),
        ("in_parts", in_parts),
        ("dollars", dollars),
        ("taxed", taxed),
        ("border", border),
        ("third", third),
        ("global", global),
        ("credit", credit),
        ("receipt", json!({"type": "P", "receiver": receiver, "payments": [payment]})),
        ("transfer", json!({"type": "T", "receiver": own, "items": [goods]})),
    ])
}

/// Sets a value at a path such as `items.0.sku`.
fn set(mut place: &mut Value, path: &str, value: &Value) {
    for step in path.split('.') {
        place = match step.parse::<usize>() {
            Ok(index) => {
                if !place.is_array() {
                    *place = json!([]);
                }
                let list = place.as_array_mut().unwrap();
                while list.len() <= index {
                    list.push(Value::Null);
                }
                &mut list[index]
            }
            Err(_) => &mut place[step],
        };
    }
    *place = value.clone();
}

/// The findings of a draft in a language: code, field, message.
fn findings(office: &Office, draft: &str, language: &str) -> Vec<(String, String, String)> {
    let request = office.client.request("POST", &format!("/invoices/{draft}/validate"));
    let verdict = testkit::Reply::to(request.header("accept-language", language)).expect(200);
    let text = |finding: &Value, name: &str| finding[name].as_str().unwrap().to_owned();
    let findings = verdict["findings"].as_array().unwrap().iter();
    findings.map(|one| (text(one, "code"), text(one, "field"), text(one, "message"))).collect()
}

fn every_bad_draft_is_found_in_both_languages(kind: DatabaseKind) {
    let office = Office::open(kind);
    let bases = bases(&office);
    for (name, body) in &bases {
        let draft = id(&office.draft(body));
        assert_eq!(office.findings(&draft), [], "{name}");
    }
    let (mut wrong, mut seen) = (Vec::new(), BTreeSet::new());
    for line in TABLE.lines() {
        let [base, changes, code, field] = line.split('\t').collect::<Vec<_>>()[..] else {
            panic!("{line}")
        };
        assert!(seen.insert(line), "twice: {line}");
        let mut body = bases[base].clone();
        let changes: BTreeMap<String, Value> = serde_json::from_str(changes).unwrap();
        changes.iter().for_each(|(path, value)| set(&mut body, path, value));
        let made = office.client.post("/invoices", &body);
        if made.status != 201 {
            wrong.push(format!("{line}: {}", made.text));
            continue;
        }
        let draft = id(&made.json());
        let told = ["en", "es"].map(|language| findings(&office, &draft, language));
        let message = |which: usize| {
            let mut named = told[which].iter().filter(|one| (&*one.0, &*one.1) == (code, field));
            named.next().map(|(_, _, message)| message.clone())
        };
        match (message(0), message(1)) {
            (Some(english), Some(spanish)) => {
                let is_readable =
                    |text: &str| text.starts_with(&format!("{field} ")) && text.ends_with('.');
                assert!(is_readable(&english) && is_readable(&spanish), "{english} {spanish}");
                assert_ne!(english, spanish, "{line}");
            }
            _ => wrong.push(format!("{line}: {:?}", told[0])),
        }
    }
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), seen.len(), wrong.join("\n"));
    assert!(seen.len() >= 300, "{}", seen.len());
}
