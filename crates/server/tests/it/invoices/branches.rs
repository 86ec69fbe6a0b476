//! Branches: places that an account sells at.

use serde_json::{Value, json};
use testkit::{DatabaseKind, on_both};

use super::office::{Office, id, item, sale, sale_in_parts};
use crate::races::at_once;

on_both!(
    an_invoice_takes_place_and_series_of_its_branch,
    what_is_given_goes_before_the_branch,
    a_branch_is_made_changed_and_deleted,
    a_branch_can_be_of_one_issuer,
    papers_are_of_the_branch_of_their_invoice,
    two_branches_have_two_names,
);

const BRANCHES: &str = "/invoices/cfdi/branches";

fn monterrey() -> Value {
    json!({"name": "Monterrey", "placeOfIssue": "64000", "series": {"income": "MTY"},
        "address": ["Padre Mier 100", "64000 Monterrey, N. L."], "phone": "+528112345678"})
}

fn at(branch: &str) -> Value {
    let mut sale = sale(116.0);
    sale["branchId"] = json!(branch);
    sale
}

fn an_invoice_takes_place_and_series_of_its_branch(kind: DatabaseKind) {
    let office = Office::open(kind);
    let branch = id(&office.make(BRANCHES, &monterrey()));
    let stamped = office.stamped(&at(&branch));
    assert_eq!((&stamped["series"], &stamped["folio"]), (&json!("MTY"), &json!("1")));
    assert_eq!((&stamped["placeOfIssue"], &stamped["branchId"]), (&json!("64000"), &json!(branch)));
    let elsewhere = office.stamped_sale(116.0);
    assert_eq!((&elsewhere["series"], &elsewhere["branchId"]), (&json!("F"), &Value::Null));
    let found = office.client.get(&format!("/invoices?branchId={branch}")).expect(200);
    assert_eq!((&found["total"], &found["data"][0]["id"]), (&json!(1), &stamped["id"]));
    let series = office.client.get("/invoices/cfdi/series").expect(200);
    let names: Vec<_> =
        series["data"].as_array().unwrap().iter().map(|row| &row["series"]).collect();
    assert_eq!(names, ["F", "MTY", "NC", "P", "T"]);
    // A draft goes to another place, and back.
    let draft = id(&office.draft(&sale(116.0)));
    let moved = office.change(&draft, &json!({"branchId": branch})).expect(200);
    assert_eq!((&moved["series"], &moved["placeOfIssue"]), (&json!("MTY"), &json!("64000")));
    let back = office.change(&draft, &json!({"branchId": null})).expect(200);
    assert_eq!((&back["series"], &back["placeOfIssue"]), (&json!("F"), &json!("42501")));
}

fn what_is_given_goes_before_the_branch(kind: DatabaseKind) {
    let office = Office::open(kind);
    let branch = id(&office.make(BRANCHES, &monterrey()));
    let mut wanted = at(&branch);
    wanted["series"] = json!("WEB");
    wanted["placeOfIssue"] = json!("06000");
    let draft = office.draft(&wanted);
    assert_eq!((&draft["series"], &draft["placeOfIssue"]), (&json!("WEB"), &json!("06000")));
    let message = office
        .client
        .post("/invoices", &at("brn_01KG90B1C2D3E4F5G6H7J8K9M0"))
        .refused(400, "validation_failed");
    assert!(message.contains("branchId names no branch"), "{message}");
}

fn a_branch_is_made_changed_and_deleted(kind: DatabaseKind) {
    let office = Office::open(kind);
    let made = office.make(BRANCHES, &monterrey());
    assert_eq!(
        made["series"],
        json!({"income": "MTY", "credit": null, "payment": null, "transfer": null})
    );
    let path = format!("{BRANCHES}/{}", id(&made));
    let changes = json!({"phone": null, "series": {"credit": "NCM"}, "placeOfIssue": "66220"});
    let changed = office.client.patch(&path, &changes).expect(200);
    assert_eq!((&changed["phone"], &changed["placeOfIssue"]), (&Value::Null, &json!("66220")));
    assert_eq!(changed["series"]["income"], Value::Null);
    assert_eq!(office.client.patch(&path, &changed).expect(200)["name"], "Monterrey");
    let nowhere = json!({"name": "", "placeOfIssue": "19000"});
    let message = office.client.post(BRANCHES, &nowhere).refused(400, "validation_failed");
    assert!(
        message.contains("name must not be empty") && message.contains("placeOfIssue"),
        "{message}"
    );
    let stamped = office.stamped(&at(&id(&made)));
    let print = || office.client.get(&format!("/invoices/{}/pdf", id(&stamped))).text;
    let with_address = print();
    let listed = office.client.get(BRANCHES).expect(200);
    assert_eq!((&listed["total"], &listed["data"][0]["id"]), (&json!(1), &made["id"]));
    let _ = office.client.delete(&path).expect(200);
    let _ = office.client.get(&path).refused(404, "not_found");
    assert_eq!(office.read(&id(&stamped))["branchId"], made["id"]);
    assert_ne!(print(), with_address);
}

fn a_branch_can_be_of_one_issuer(kind: DatabaseKind) {
    let office = Office::open(kind);
    let person = json!({"rfc": "CACX7605101P8", "legalName": "XOCHILT CASAS CHAVEZ",
        "taxRegime": "612", "taxZip": "36257"});
    let other = id(&office.make("/invoices/cfdi/issuers", &person));
    let mut branch = monterrey();
    branch["issuerId"] = json!(other);
    let branch = id(&office.make(BRANCHES, &branch));
    assert_eq!(office.draft(&at(&branch))["issuer"]["rfc"], "CACX7605101P8");
    let mut of_first = at(&branch);
    of_first["issuerId"] = office.client.get("/invoices/cfdi/issuer").expect(200)["id"].clone();
    let message = office.client.post("/invoices", &of_first).refused(400, "validation_failed");
    assert!(message.contains("branchId names the branch \"Monterrey\""), "{message}");
    let mut lost = monterrey();
    lost["issuerId"] = json!("iss_01KG8Y0A1B2C3D4E5F6G7H8J9K");
    let message = office.client.post(BRANCHES, &lost).refused(400, "validation_failed");
    assert!(message.contains("issuerId names no issuer"), "{message}");
}

fn papers_are_of_the_branch_of_their_invoice(kind: DatabaseKind) {
    let office = Office::open(kind);
    let mut branch = monterrey();
    branch["series"] = json!({"income": "MTY", "credit": "NCM", "payment": "PM"});
    let branch = id(&office.make(BRANCHES, &branch));
    let mut sold = sale_in_parts(116.0);
    sold["branchId"] = json!(branch);
    let sold = office.stamped(&sold);
    let receipt = json!({"type": "P", "payments": [{"paidAt": office.app.now().to_string(),
        "paymentForm": "03", "amount": 58, "documents": [{"invoiceId": sold["id"], "amount": 58}]}]});
    let related = json!([{"relation": "01", "uuids": [sold["uuid"]]}]);
    let note = json!({"type": "E", "paymentForm": "03", "items": [item(11.6)], "related": related});
    let drafted = |body: &Value, more: Value| {
        let mut body = body.clone();
        body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let draft = office.draft(&body);
        let shown = ["branchId", "placeOfIssue", "series"].map(|name| draft[name].clone());
        (id(&draft), shown)
    };
    for (body, own, usual) in [(&receipt, "PM", "P"), (&note, "NCM", "NC")] {
        let (draft, shown) = drafted(body, json!({}));
        assert_eq!(shown, [json!(branch), json!("64000"), json!(own)]);
        assert_eq!(office.findings(&draft), [], "{body}");
        let told = json!({"series": "WEB", "placeOfIssue": "06000"});
        let (_, shown) = drafted(body, told);
        assert_eq!(shown, [json!(branch), json!("06000"), json!("WEB")]);
        let (_, shown) = drafted(body, json!({"branchId": null}));
        assert_eq!(shown, [Value::Null, json!("42501"), json!(usual)]);
    }
    // What is sold is sold where somebody says.
    let more = json!({"related": [{"relation": "02", "uuids": [sold["uuid"]]}]});
    let (_, shown) = drafted(&sale(116.0), more);
    assert_eq!(shown, [Value::Null, json!("42501"), json!("F")]);
    // Whose the branch is by now, or whether it is there, keeps nothing from being made.
    let person = json!({"rfc": "CACX7605101P8", "legalName": "XOCHILT CASAS CHAVEZ",
        "taxRegime": "612", "taxZip": "36257"});
    let other = id(&office.make("/invoices/cfdi/issuers", &person));
    let path = format!("{BRANCHES}/{branch}");
    let _ = office.client.patch(&path, &json!({"issuerId": other})).expect(200);
    let (_, shown) = drafted(&receipt, json!({}));
    assert_eq!(shown, [Value::Null, json!("42501"), json!("P")]);
    let _ = office.client.patch(&path, &json!({"issuerId": null})).expect(200);
    let (_, shown) = drafted(&receipt, json!({}));
    assert_eq!(shown, [json!(branch), json!("64000"), json!("PM")]);
    let _ = office.client.delete(&path).expect(200);
    let (_, shown) = drafted(&receipt, json!({}));
    assert_eq!(shown, [Value::Null, json!("42501"), json!("P")]);
}

fn two_branches_have_two_names(kind: DatabaseKind) {
    let office = Office::open(kind);
    let first = id(&office.make(BRANCHES, &monterrey()));
    let named = |name: &str| json!({"name": name, "placeOfIssue": "64000"});
    let message = office.client.post(BRANCHES, &named("monterréy")).refused(409, "conflict");
    assert!(message.contains(&first), "{message}");
    let second = id(&office.make(BRANCHES, &named("Norte")));
    let path = format!("{BRANCHES}/{second}");
    let _ = office.client.patch(&path, &json!({"name": "MONTERREY"})).refused(409, "conflict");
    // Of one name since before that was refused: both can be changed as they are.
    office
        .app
        .database
        .execute(&format!("UPDATE branches SET name = 'Monterrey' WHERE id = '{second}'"));
    for branch in [&first, &second] {
        let path = format!("{BRANCHES}/{branch}");
        let body = json!({"name": "Monterrey", "placeOfIssue": "66220"});
        assert_eq!(office.client.patch(&path, &body).expect(200)["placeOfIssue"], "66220");
    }
    let replies = at_once(8, |_| office.client.post(BRANCHES, &named("Sur")).status);
    assert_eq!(replies.iter().filter(|status| **status == 201).count(), 1, "{replies:?}");
}
