//! Invoices of some days as one file.

use std::{
    collections::{BTreeMap, HashMap},
    io::{Cursor, Read},
};

use ::invoices::export::{Content, ExportInvoices, ExportQueue, Exports};
use cfdi::document::day;
use serde_json::{Value, json};
use tasks::{
    FILES_MAX, JobFiles, PIECE_BYTES, Piece, Progress, Standing, Task, TaskId, TaskQueue, Want,
    kind::EXPORT,
};
use testkit::{DatabaseKind, on_both};
use zip::ZipArchive;

use super::office::{Office, company, id, item, sale};

on_both!(
    documents_of_some_days_come_as_one_archive,
    every_stamped_invoice_is_read_once,
    an_invoice_that_cannot_be_read_is_not_left_out,
    a_table_has_a_row_for_each_invoice,
    an_export_is_narrowed,
    what_cannot_be_exported_is_named,
    a_repeat_starts_no_second_export,
    a_file_is_kept_for_a_week,
    only_so_many_files_are_kept,
    an_export_outlives_the_process_that_began_it,
    an_export_that_waits_can_be_cancelled,
);

/// Seconds until an export is due that no worker of the service is to begin at once.
const SOON: i64 = 20;

/// The body of an export of all days that tests invoice on.
fn of(office: &Office, rest: &Value) -> Value {
    let today = day::from_text(&office.app.now().to_string()[..10]).unwrap();
    let mut body = json!({"from": day::to_text(today.previous_day().unwrap()),
        "to": day::to_text(today.next_day().unwrap())});
    body.as_object_mut().unwrap().extend(rest.as_object().unwrap().clone());
    body
}

/// A finished export.
#[track_caller]
fn exported(office: &Office, rest: &Value) -> Value {
    let job = office.client.post("/invoices/exports", &of(office, rest)).expect(202);
    let job = office.ended(&id(&job));
    assert_eq!(job["status"], "succeeded", "{job}");
    job
}

/// The bytes of the file that a job has made.
#[track_caller]
fn file(office: &Office, job: &Value) -> Vec<u8> {
    let path = job["links"]["file"].as_str().expect("a file").strip_prefix("/api/v1").unwrap();
    let answer = office.client.request("GET", path).send().unwrap();
    assert_eq!(answer.status(), 200);
    let header = |name: &str| answer.headers()[name].to_str().unwrap().to_owned();
    let name = job["result"]["fileName"].as_str().unwrap();
    assert_eq!(header("content-disposition"), format!("attachment; filename=\"{name}\""));
    assert_eq!(header("content-length"), job["result"]["size"].to_string());
    answer.bytes().unwrap().to_vec()
}

/// What an archive holds, by name.
fn unpacked(archive: Vec<u8>) -> BTreeMap<String, Vec<u8>> {
    let mut archive = ZipArchive::new(Cursor::new(archive)).unwrap();
    let mut files = BTreeMap::new();
    for place in 0..archive.len() {
        let mut entry = archive.by_index(place).unwrap();
        let name = entry.name().unwrap().into_owned();
        let mut bytes = Vec::new();
        entry.read_to_end(&mut bytes).unwrap();
        assert!(files.insert(name, bytes).is_none());
    }
    files
}

/// The rows of a table, each by its headings.
fn rows(table: &[u8]) -> Vec<BTreeMap<String, String>> {
    let table = table.strip_prefix("\u{feff}".as_bytes()).expect("a mark");
    let mut reader = csv::Reader::from_reader(table);
    reader.deserialize().map(|row| row.unwrap()).collect()
}

fn uuid(invoice: &Value) -> &str {
    invoice["uuid"].as_str().unwrap()
}

fn documents_of_some_days_come_as_one_archive(kind: DatabaseKind) {
    let office = Office::open(kind);
    let sales: Vec<Value> = (1..=20).map(|price| office.stamped_sale(f64::from(price))).collect();
    let cancelled = office.stamped_sale(116.0);
    let _ = office.cancel(&id(&cancelled), "02").expect(200);
    let _ = office.sale(58.0);
    let job = exported(&office, &json!({}));
    assert_eq!(job["kind"], "invoices.export");
    assert_eq!(
        (&job["result"]["invoices"], &job["result"]["content"]),
        (&json!(21), &json!("xml_and_pdf"))
    );
    assert_eq!(job["progress"], json!({"done": 21, "total": 21, "message": null}));
    // It was kept in more than one piece.
    assert!(job["result"]["size"].as_u64().unwrap() > PIECE_BYTES as u64, "{job}");
    let files = unpacked(file(&office, &job));
    assert_eq!(files.len(), 21 * 2 + 1);
    for invoice in sales.iter().chain([&cancelled]) {
        let xml = office.client.get(&format!("/invoices/{}/xml", id(invoice))).text;
        let name = |ending: &str| format!("EKU9003173C9/{}{ending}", uuid(invoice));
        assert_eq!(files[&name(".xml")], xml.as_bytes());
        assert!(files[&name(".pdf")].starts_with(b"%PDF"));
    }
    let receipt = format!("/invoices/{}/cancellation-receipt", id(&cancelled));
    let receipt = office.client.get(&receipt).text;
    assert_eq!(files[&format!("EKU9003173C9/{}-acuse.xml", uuid(&cancelled))], receipt.as_bytes());

    let xml = unpacked(file(&office, &exported(&office, &json!({"content": "xml"}))));
    assert!(xml.len() == 22 && xml.keys().all(|name| name.ends_with(".xml")), "{:?}", xml.keys());
    let pdf =
        unpacked(file(&office, &exported(&office, &json!({"content": "pdf", "language": "en"}))));
    assert!(pdf.len() == 21 && pdf.keys().all(|name| name.ends_with(".pdf")), "{:?}", pdf.keys());
}

/// Batch after batch, whatever the documents say of the moment of their stamp.
fn every_stamped_invoice_is_read_once(kind: DatabaseKind) {
    let office = Office::open(kind);
    let mut sold: Vec<String> = (0..5).map(|_| id(&office.stamped_sale(116.0))).collect();
    let _ = office.sale(58.0);
    // Less than a document states.
    office.app.database.execute("UPDATE invoices SET stamped_at = stamped_at + 7");
    let (mut read, mut behind) = (Vec::new(), None);
    let now = office.app.now();
    loop {
        let between = (now.plus_seconds(-3_600), now.plus_seconds(3_600));
        let batch = office.app.store().stamped(office.account, between, behind, 2);
        let batch = batch.wait().unwrap().unwrap();
        read.extend(batch.invoices.iter().map(|invoice| invoice.id.to_string()));
        match batch.next {
            Some(place) => behind = Some(place),
            None => break,
        }
    }
    sold.sort();
    read.sort();
    assert_eq!(read, sold);
}

/// The export says which it is, rather than hand over a month that lacks one.
fn an_invoice_that_cannot_be_read_is_not_left_out(kind: DatabaseKind) {
    let office = Office::open(kind);
    let sold = id(&office.stamped_sale(116.0));
    let damage = "UPDATE invoices SET document = '{\"v\":99}'";
    office.app.database.execute(damage);
    let job = office.client.post("/invoices/exports", &of(&office, &json!({}))).expect(202);
    let tried = office.client.job_once(&id(&job), |job| !job["lastError"].is_null());
    assert_eq!(tried["endedAt"], Value::Null);
    let why = tried["lastError"].as_str().unwrap();
    assert!(why.contains(&sold) && why.contains("cannot be read"), "{why}");
}

fn a_table_has_a_row_for_each_invoice(kind: DatabaseKind) {
    let office = Office::open(kind);
    let mut sold = sale(116.0);
    sold["items"][0]["quantity"] = json!(2);
    sold["receiver"] = json!({"rfc": "XAXX010101000", "legalName": "=HYPERLINK(\"http://x\")",
        "taxZip": "42501", "taxRegime": "616", "cfdiUse": "S01"});
    let sold = office.stamped(&sold);
    let mut sweets = item(125.28);
    sweets["taxes"] = json!([{"tax": "IEPS", "factor": "Tasa", "rate": 0.08},
        {"tax": "IVA", "factor": "Tasa", "rate": 0.16}]);
    let owed =
        json!({"receiver": company(), "paymentMethod": "PPD", "items": [item(58.0), sweets]});
    let owed = office.stamped(&owed);
    let paid = json!({"type": "P", "payments": [{"paidAt": office.app.now().to_string(),
        "paymentForm": "03", "amount": 91.64,
        "documents": [{"invoiceId": owed["id"], "amount": 91.64}]}]});
    let receipt = office.stamped(&paid);
    let _ = office.cancel(&id(&sold), "02").expect(200);
    let table = file(&office, &exported(&office, &json!({"content": "csv"})));
    let rows = rows(&table);
    let row = |invoice: &Value| {
        let found = rows.iter().find(|row| row["UUID"] == uuid(invoice));
        found.unwrap_or_else(|| panic!("no row of {}", uuid(invoice)))
    };
    assert_eq!(rows.len(), 3);
    for (invoice, cells) in [
        (
            &sold,
            vec![
                ("Estado", "Cancelado"),
                ("Tipo", "I"),
                ("Motivo de cancelación", "02"),
                ("Nombre del receptor", "'=HYPERLINK(\"http://x\")"),
                ("Subtotal", "200.00"),
                ("Base de IVA 16 %", "200.00"),
                ("IVA 16 %", "32.00"),
                ("Total", "232.00"),
                ("Total en pesos", "232.00"),
                ("Forma de pago", "03"),
                ("Moneda", "MXN"),
                ("Saldo", ""),
            ],
        ),
        (
            &owed,
            vec![
                ("Estado", "Vigente"),
                ("Método de pago", "PPD"),
                ("IEPS", "8.00"),
                ("Total", "183.28"),
                ("Saldo", "91.64"),
                ("Fecha de cancelación", ""),
            ],
        ),
        (
            &receipt,
            vec![
                ("Tipo", "P"),
                ("Total", ""),
                ("Monto pagado en pesos", "91.64"),
                ("Base de IVA 16 %", "79.00"),
                ("IVA 16 %", "12.64"),
                ("IEPS", "4.00"),
                ("UUID pagados", uuid(&owed)),
            ],
        ),
    ] {
        for (column, cell) in cells {
            assert_eq!(row(invoice)[column], cell, "{column} of {}", uuid(invoice));
        }
        assert_eq!(row(invoice)["Fecha de emisión"], invoice["localIssuedAt"]);
        assert_eq!(row(invoice)["Identificador"], id(invoice));
    }
    let english = file(&office, &exported(&office, &json!({"content": "csv", "language": "en"})));
    let english = String::from_utf8(english).unwrap();
    assert!(english.starts_with("\u{feff}UUID,Status,Type,"), "{english}");
    assert!(english.contains(",Cancelled,I,"), "{english}");
}

fn an_export_is_narrowed(kind: DatabaseKind) {
    let office = Office::open(kind);
    let customer = office.customer();
    let sold = office.stamped_sale(116.0);
    let named =
        office.stamped(&json!({"customerId": customer, "paymentForm": "03", "items": [item(1.0)]}));
    let note = office.stamped(&json!({"type": "E", "customerId": customer, "paymentForm": "03",
        "related": [{"relation": "01", "uuids": [named["uuid"]]}], "items": [item(1.0)]}));
    let cancelled = office.stamped_sale(116.0);
    let _ = office.cancel(&id(&cancelled), "02").expect(200);
    let branch = json!({"name": "Norte", "placeOfIssue": "42501"});
    let branch = id(&office.make("/invoices/cfdi/branches", &branch));
    let mut at_branch = sale(5.0);
    at_branch["branchId"] = json!(branch);
    let at_branch = office.stamped(&at_branch);
    let issuer = office.client.get("/invoices/cfdi/issuer").expect(200);
    let all = [&sold, &named, &note, &cancelled, &at_branch];
    for (rest, expected) in [
        (json!({}), all.to_vec()),
        (json!({"type": "E"}), vec![&note]),
        (json!({"status": "cancelled"}), vec![&cancelled]),
        (json!({"status": "stamped", "type": "I"}), vec![&sold, &named, &at_branch]),
        (json!({"customerId": customer}), vec![&named, &note]),
        (json!({"branchId": branch}), vec![&at_branch]),
        (json!({"issuerId": issuer["id"]}), all.to_vec()),
        (json!({"from": "2020-01-01", "to": "2020-12-31"}), vec![]),
    ] {
        let mut wanted = rest.clone();
        wanted["content"] = json!("csv");
        let table = file(&office, &exported(&office, &wanted));
        let mut found: Vec<String> =
            rows(&table).into_iter().map(|row| row["UUID"].clone()).collect();
        let mut expected: Vec<&str> = expected.into_iter().map(uuid).collect();
        found.sort();
        expected.sort();
        assert_eq!(found, expected, "{rest}");
    }
    // No invoice is no fault.
    let empty = exported(&office, &json!({"from": "2020-01-01", "to": "2020-01-31"}));
    assert_eq!(empty["result"]["fileName"], "facturas-2020-01.zip");
    assert!(unpacked(file(&office, &empty)).is_empty());
}

fn what_cannot_be_exported_is_named(kind: DatabaseKind) {
    let office = Office::open(kind);
    let days = json!({"from": "2026-01-31", "to": "2026-01-01"});
    for (body, expected) in [
        (json!({}), "from is required"),
        (days, "to must not be before from"),
        (
            json!({"from": "2025-01-01", "to": "2026-01-02"}),
            "to must be less than 366 days after from",
        ),
        (json!({"from": "2026-01-32", "to": "2026-02-01"}), "from must be a day"),
        (
            of(&office, &json!({"content": "zip"})),
            "content must be one of xml_and_pdf, xml, pdf, csv",
        ),
        (of(&office, &json!({"status": "draft"})), "status must be one of stamped, cancelled"),
        (
            of(&office, &json!({"issuerId": "iss_00000000000000000000000009"})),
            "issuerId names no issuer",
        ),
        (
            of(&office, &json!({"branchId": "brn_00000000000000000000000009"})),
            "branchId names no branch",
        ),
        (
            of(&office, &json!({"customerId": "cus_00000000000000000000000009"})),
            "customerId names no customer",
        ),
    ] {
        let answer = office.client.post("/invoices/exports", &body);
        let message = answer.refused(400, "validation_failed");
        assert!(message.contains(expected), "{message}");
    }
    let orders = office.app.client_of(office.account, "orders");
    let refused = orders.post("/invoices/exports", &of(&office, &json!({})));
    let _ = refused.refused(403, "insufficient_scope");
}

fn a_repeat_starts_no_second_export(kind: DatabaseKind) {
    let office = Office::open(kind);
    let body = of(&office, &json!({"content": "csv"}));
    let first = office.client.post_once("/invoices/exports", "enero", &body).expect(202);
    let _ = office.ended(&id(&first));
    let again = office.client.post_once("/invoices/exports", "enero", &body);
    assert_eq!(again.header("idempotent-replayed"), Some("true"));
    let again = again.expect(202);
    assert_eq!((&again["id"], &again["status"]), (&first["id"], &json!("succeeded")));
    let other = of(&office, &json!({"content": "xml"}));
    let reused = office.client.post_once("/invoices/exports", "enero", &other);
    let _ = reused.refused(422, "idempotency_key_reused");
    let jobs = office.client.get("/jobs?kind=invoices.export").expect(200);
    assert_eq!(jobs["total"], 1);
    // Nobody else's.
    let path = format!("/jobs/{}/file", id(&first));
    let _ = office.app.client().get(&path).refused(404, "not_found");
    let orders = office.app.client_of(office.account, "orders");
    let _ = orders.get(&path).refused(403, "insufficient_scope");
}

fn a_file_is_kept_for_a_week(kind: DatabaseKind) {
    let office = Office::open(kind);
    let job = exported(&office, &json!({}));
    let path = format!("/jobs/{}/file", id(&job));
    office.app.advance_seconds(7 * 86_400 - 60);
    office.app.housekeep();
    let _ = file(&office, &job);
    office.app.advance_seconds(120);
    let message = office.client.get(&path).refused(404, "not_found");
    assert!(message.contains("7 days"), "{message}");
    office.app.housekeep();
    let task = TaskId::parse(&id(&job)).unwrap();
    let piece = JobFiles::piece(&**office.app.store(), office.account, task, 0);
    assert_eq!(piece.wait().unwrap().unwrap(), None);
    assert_eq!(
        office.client.get(&format!("/jobs/{}", id(&job))).expect(200)["status"],
        "succeeded"
    );
}

fn only_so_many_files_are_kept(kind: DatabaseKind) {
    let office = Office::open(kind);
    let body = of(&office, &json!({"content": "csv"}));
    for _ in 0..FILES_MAX {
        let _ = office.client.post("/invoices/exports", &body).expect(202);
    }
    let message = office.client.post("/invoices/exports", &body).refused(409, "conflict");
    assert!(message.contains("30 files"), "{message}");
    // One that came of nothing leaves its place to another.
    let listed = office.client.get("/jobs?kind=invoices.export&limit=1").expect(200);
    let failed = id(&listed["data"][0]);
    let _ = office.client.ended(&failed);
    let fail = format!("UPDATE tasks SET state = 'failed' WHERE id = '{failed}'");
    office.app.database.execute(&fail);
    let _ = office.client.post("/invoices/exports", &body).expect(202);
    let _ = office.client.post("/invoices/exports", &body).refused(409, "conflict");
    office.app.advance_seconds(8 * 86_400);
    let _ = office.client.post("/invoices/exports", &body).expect(202);
}

/// Puts an export on record that is due in a moment, and gives its task.
fn due_soon(office: &Office) -> Task {
    let days = of(office, &json!({}));
    let day = |name: &str| day::from_text(days[name].as_str().unwrap()).unwrap();
    let command = ExportInvoices {
        from: day("from"),
        to: day("to"),
        kind: None,
        cancelled: None,
        issuer: None,
        branch: None,
        customer: None,
        content: Content::Xml,
        language: None,
    };
    let now = office.app.now().plus_seconds(SOON);
    let ctx = kernel::Ctx::system(office.account, now);
    let opened = Exports::export(&**office.app.store(), ctx, command);
    opened.wait().unwrap().unwrap().value
}

/// It is written anew from its beginning, over the pieces that a worker has left who is gone.
fn an_export_outlives_the_process_that_began_it(kind: DatabaseKind) {
    let office = Office::open(kind);
    office.app.hold_clock();
    let sold = office.stamped_sale(116.0);
    let store = office.app.store();
    let task = due_soon(&office);
    let then = office.app.now().plus_seconds(SOON);
    let want = Want {
        kind: EXPORT.name,
        version: EXPORT.version,
        room: 1,
        room_per_account: 1,
        busy: HashMap::new(),
    };
    let claimed = TaskQueue::claim(&**store, vec![want], then, then.plus_seconds(SOON)).wait();
    let mut claimed = claimed.unwrap().unwrap().value;
    let claimed = claimed.pop().expect("the task");
    assert_eq!(claimed.id, task.id);
    let append = |position: u32| {
        let piece = Piece { position, bytes: vec![0; PIECE_BYTES] };
        let until = then.plus_seconds(SOON);
        let kept = store.append(&claimed, piece, Progress::default(), then, until);
        kept.wait().unwrap().unwrap().value
    };
    assert_eq!((append(0), append(1)), (Standing::Held, Standing::Held));
    let path = format!("/jobs/{}/file", task.id);
    let message = office.client.get(&path).refused(409, "conflict");
    assert!(message.contains("poll it"), "{message}");
    office.app.advance_seconds(3 * SOON);
    let job = office.ended(&task.id.to_string());
    let files = unpacked(file(&office, &job));
    assert_eq!(files.keys().collect::<Vec<_>>(), [&format!("EKU9003173C9/{}.xml", uuid(&sold))]);
    // Who was given up for dead keeps nothing any more.
    assert_eq!(append(0), Standing::Lost);
    assert_eq!(unpacked(file(&office, &job)), files);
}

fn an_export_that_waits_can_be_cancelled(kind: DatabaseKind) {
    let office = Office::open(kind);
    office.app.hold_clock();
    let task = due_soon(&office);
    let cancelled = office.client.act(&format!("/jobs/{}/cancel", task.id)).expect(200);
    assert_eq!(cancelled["status"], "cancelled");
    assert_eq!(cancelled["links"]["file"], Value::Null);
    let message = office.client.get(&format!("/jobs/{}/file", task.id)).refused(409, "conflict");
    assert!(message.contains("has made no file"), "{message}");
}
