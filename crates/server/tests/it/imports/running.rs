//! Imports while they run: one after the other, canceled, and taken up again.

use std::{
    fs, thread,
    time::{Duration, Instant},
};

use serde_json::{Value, json};
use testkit::{App, DatabaseKind, Reply, on_both};

use super::{
    assert_told, counts, ended, ended_in_time, faults, imported, imported_as, kept_file, path, sent,
};
use crate::languages::told_apart;

on_both!(
    a_repeat_starts_no_second_import,
    an_import_is_canceled,
    an_import_goes_on_where_it_was,
    a_table_that_is_sent_again_changes_what_is_not_so,
    an_import_whose_file_is_gone_fails,
    a_file_that_comes_back_is_imported_whatever_was_tried_before,
    a_job_ends_as_its_import_does,
    imports_of_accounts_take_turns,
    dry_runs_take_turns_and_forget_nothing,
    an_import_stops_at_the_first_error_if_asked_to,
    empty_cells_clear_fields_if_asked_to,
    images_of_what_was_there_are_refused_where_nothing_is_changed,
    what_variants_say_of_their_product_is_not_dropped,
    imports_are_listed,
);

/// A table of so many products.
fn table(rows: usize) -> String {
    let rows = (0..rows).map(|row| format!("P-{row},Producto {row},{row}.5,{}\n", row % 7));
    std::iter::once("sku,name,price,inventory\n".to_owned()).chain(rows).collect()
}

fn a_repeat_starts_no_second_import(kind: DatabaseKind) {
    let app = App::start(kind);
    let client = app.client();
    let send = |file: &'static str| {
        let request = client.request("POST", "/products/imports").header("Idempotency-Key", "k-1");
        Reply::to(request.header("Content-Type", "text/csv").body(file))
    };
    let first = send("sku,name,price\nA,a,1\n").expect(202);
    let import = ended(&client, &first);
    let again = send("sku,name,price\nA,a,1\n");
    assert_eq!(again.header("idempotent-replayed"), Some("true"));
    assert_eq!(again.expect(202), import);
    let _ = send("sku,name,price\nA,a,2\n").refused(422, "idempotency_key_reused");
    assert_eq!(client.get("/products/imports").expect(200)["total"], 1);
}

fn an_import_is_canceled(kind: DatabaseKind) {
    let app = App::start(kind);
    let client = app.client();
    let file = table(4_000);
    let first = sent(&client, "", file.clone()).expect(202);
    let message = sent(&client, "", file).refused(409, "conflict");
    assert!(message.contains(first["id"].as_str().unwrap()), "{message}");
    // The next one waits for it.
    let second = sent(&client, "", "sku,name,price\nZ,z,1\n").expect(202);
    let path = |import: &Value| format!("/products/imports/{}", import["id"].as_str().unwrap());
    let _ = client.once(&path(&first), |import| import["processed"].as_u64() > Some(0));
    let canceled = client.act(&format!("{}/cancel", path(&first))).expect(200);
    assert_eq!(canceled["status"], "canceled");
    let done = canceled["processed"].as_u64().unwrap();
    assert!(done < 4_000, "{canceled}");
    assert_eq!(client.act(&format!("{}/cancel", path(&first))).expect(200), canceled);
    assert_eq!(ended(&client, &second)["status"], "completed");
    // Nothing more is done of it.
    assert_eq!(client.get(&path(&first)).expect(200)["processed"], done);
    assert_eq!(client.get("/products").expect(200)["total"], done + 1);
    let message =
        client.act(&format!("{}/cancel", path(&second))).refused(409, "invalid_transition");
    assert!(message.contains("it is completed"), "{message}");
}

fn an_import_goes_on_where_it_was(kind: DatabaseKind) {
    const ROWS: usize = 3_000;
    let mut app = App::start(kind);
    let mut client = app.client();
    let import = sent(&client, "", table(ROWS)).expect(202);
    let path = format!("/products/imports/{}", import["id"].as_str().unwrap());
    for part in [1, ROWS as u64 / 3] {
        let _ = client.once(&path, |import| import["processed"].as_u64() >= Some(part));
        app = app.restart();
        client = client.at(&app);
    }
    let import = ended(&client, &import);
    assert_eq!(counts(&import), json!([ROWS, 0, 0, 0]));
    assert_eq!(client.get("/products").expect(200)["total"], ROWS);
    assert_told(&client, "product.created", ROWS);
    let again = imported(&client, "", table(ROWS).replace("P-7,", "P-7,Otro "));
    assert_eq!(counts(&again)[2].as_u64().unwrap() + 1, ROWS as u64, "{again}");
}

fn a_table_that_is_sent_again_changes_what_is_not_so(kind: DatabaseKind) {
    // More than the first batch has, which tells what the others are expected to be like.
    const PRODUCTS: usize = 250;
    let app = App::start(kind);
    let client = app.client();
    let products =
        (0..PRODUCTS).map(|row| format!("P-{row},Producto {row},{row}.5,{},,\n", row % 7));
    let variants = (0..PRODUCTS).step_by(50).map(|row| format!("V-{row},,,3,P-{row},Azul\n"));
    let header = "sku,name,price,inventory,parentSku,variantName\n".to_owned();
    let file: String = std::iter::once(header).chain(products).chain(variants).collect();
    assert_eq!(counts(&imported(&client, "", file.clone())), json!([255, 0, 0, 0]));
    assert_eq!(counts(&imported(&client, "", file.clone())), json!([0, 0, 255, 0]));
    let other = file
        .replace("Producto 230,", "Taza,")
        .replace("240.5,", "gratis,")
        .replace("V-200,,,3", "V-200,,,4");
    let other = format!("{other}N-1,Nuevo,1,1,,\n");
    assert_eq!(counts(&imported(&client, "", other.clone())), json!([1, 2, 252, 1]));
    let right = other.replace("gratis,", "240.5,");
    assert_eq!(counts(&imported(&client, "dryRun=true", right.clone())), json!([0, 0, 256, 0]));
    assert_eq!(counts(&imported(&client, "", right)), json!([0, 0, 256, 0]));
    let names = json!([["Taza"], ["Producto 200"], ["Nuevo"]]);
    let named = |code: &str| {
        let found = client.get(&format!("/products/lookup?code={code}")).expect(200);
        let matches = found["matches"].as_array().unwrap().clone();
        matches.iter().map(|found| found["product"]["name"].clone()).collect::<Value>()
    };
    assert_eq!(json!([named("P-230"), named("V-200"), named("N-1")]), names);
    // What was found meanwhile is counted again.
    let found = json!({"reason": "found", "items": [{"sku": "P-8", "delta": 1}]});
    let _ = client.post("/stock/adjustments", &found).expect(201);
    assert_eq!(counts(&imported(&client, "", file)), json!([0, 3, 252, 0]));
}

fn an_import_whose_file_is_gone_fails(kind: DatabaseKind) {
    let app = App::start(kind);
    let client = app.client();
    let first = sent(&client, "", table(4_000)).expect(202);
    let second = sent(&client, "", "sku,name,price\nA,a,1\n").expect(202);
    let third = sent(&client, "", "sku,name,price\nB,b,1\n").expect(202);
    fs::remove_file(kept_file(&app, &second)).unwrap();
    let _ = client.act(&format!("{}/cancel", path(&first))).expect(200);
    let lost = ended_in_time(&app, &client, &second);
    assert_eq!(
        (&lost["status"], &lost["failure"]["code"]),
        (&json!("failed"), &json!("file_missing"))
    );
    assert_eq!(counts(&lost), json!([0, 0, 0, 0]));
    // Those behind it have their turn.
    assert_eq!(ended_in_time(&app, &client, &third)["status"], "completed");
    assert_told(&client, "import.finished", 3);
}

fn a_file_that_comes_back_is_imported_whatever_was_tried_before(kind: DatabaseKind) {
    let app = App::start(kind);
    let client = app.client();
    let large = sent(&client, "", table(4_000)).expect(202);
    let import = sent(&client, "", "sku,name,price\nA,a,1\n").expect(202);
    let id = import["id"].as_str().unwrap();
    let file = kept_file(&app, &import);
    fs::rename(&file, file.with_extension("away")).unwrap();
    // As if the database had been away at each of them.
    app.database.execute(&format!("UPDATE tasks SET attempts = 9 WHERE subject = '{id}'"));
    let _ = client.act(&format!("{}/cancel", path(&large))).expect(200);
    let missed = format!(
        "SELECT CAST(file_misses AS TEXT) AS line FROM imports WHERE id = '{id}' AND file_misses > 0"
    );
    let deadline = Instant::now() + Duration::from_secs(60);
    while app.database.lines(&missed).is_empty() {
        assert!(Instant::now() < deadline, "nobody has looked for the file");
        app.advance_seconds(5);
        thread::sleep(Duration::from_millis(50));
    }
    fs::rename(file.with_extension("away"), &file).unwrap();
    let done = ended_in_time(&app, &client, &import);
    assert_eq!(counts(&done), json!([1, 0, 0, 0]), "{done}");
}

fn a_job_ends_as_its_import_does(kind: DatabaseKind) {
    let app = App::start(kind);
    let client = app.client();
    let job = |import: &Value| {
        let jobs = format!("/jobs?subject={}", import["id"].as_str().unwrap());
        let ended = client.once(&jobs, |jobs| !jobs["data"][0]["endedAt"].is_null());
        let job = &ended["data"][0];
        assert_eq!(job["links"]["subject"], format!("/api/v1{}", path(import)));
        (job["status"].clone(), job["lastError"].clone())
    };
    let failed = imported(&client, "onError=abort", "sku,name,price\nA,a,x\n");
    assert_eq!(job(&failed), (json!("failed"), failed["failure"]["message"].clone()));
    // In the language of who asks.
    let spanish = |path: &str| {
        let asked = client.request("GET", path).header("Accept-Language", "es");
        testkit::Reply::to(asked).expect(200)
    };
    let listed = spanish(&format!("/jobs?subject={}", failed["id"].as_str().unwrap()));
    let why = &listed["data"][0]["lastError"];
    assert_eq!(*why, spanish(&path(&failed))["failure"]["message"]);
    assert_ne!(*why, failed["failure"]["message"]);
    let _ = told_apart(&client, &path(&failed));
    let in_part = imported(&client, "", "sku,name,price\nA,a,x\nB,b,1\n");
    assert_eq!(in_part["status"], "completed_with_errors");
    assert_eq!(job(&in_part), (json!("succeeded"), json!(null)));
    let canceled = sent(&client, "", table(4_000)).expect(202);
    let canceled = client.act(&format!("{}/cancel", path(&canceled))).expect(200);
    assert_eq!(job(&canceled).0, "cancelled");
    for kind in ["customers", "stock"] {
        let file = "email,name,sku,onHand\nana@example.com,Ana,NADA,1\n";
        let import = imported_as(&client, kind, "", file);
        assert_eq!(job(&import).0, "succeeded");
    }
}

/// Two may be worked on at once: large ones, of which few rows are done here.
fn imports_of_accounts_take_turns(kind: DatabaseKind) {
    take_turns(kind, "", 20_000);
}

fn take_turns(kind: DatabaseKind, query: &str, rows: usize) {
    let app = App::start(kind);
    let large = [app.client(), app.client()];
    let small = app.client();
    let imports = large.each_ref().map(|client| sent(client, query, table(rows)).expect(202));
    for (client, import) in large.iter().zip(&imports) {
        let _ = client.once(&path(import), |import| import["processed"].as_u64() > Some(0));
    }
    let import = sent(&small, "", "sku,name,price\nA,a,1\n").expect(202);
    app.advance_seconds(60);
    assert_eq!(counts(&ended(&small, &import)), json!([1, 0, 0, 0]));
    for (client, import) in large.iter().zip(&imports) {
        let canceled = client.act(&format!("{}/cancel", path(import))).expect(200);
        assert_eq!(canceled["status"], "canceled", "the small import waited for a large one");
    }
}

fn dry_runs_take_turns_and_forget_nothing(kind: DatabaseKind) {
    const ROWS: usize = 3_000;
    // Nothing is written, so that more of them are done.
    take_turns(kind, "dryRun=true", 60_000);
    let mut app = App::start(kind);
    let mut client = app.client();
    let products = table(ROWS).replace('\n', ",,\n");
    let products = products.replacen("inventory,,", "inventory,parentSku,variantName", 1);
    // Of a product that is refused there is no variant.
    let products = products.replace("\nP-9,Producto 9,9.5,", "\nP-9,Producto 9,gratis,");
    let variants: String = (0..ROWS).map(|row| format!("V-{row},,,1,P-{row},Azul\n")).collect();
    let file = products + &variants;
    let import = sent(&client, "dryRun=true", file).expect(202);
    for part in [1, ROWS as u64 + 1] {
        let _ = client.once(&path(&import), |import| import["processed"].as_u64() >= Some(part));
        app = app.restart();
        client = client.at(&app);
    }
    let import = ended(&client, &import);
    assert_eq!(counts(&import), json!([2 * ROWS - 2, 0, 0, 2]), "{:?}", faults(&client, &import));
    let expected = ["11 price bad_number", "3011 parentSku parent_not_found"];
    assert_eq!(faults(&client, &import), expected);
    let shown = import["preview"].as_array().unwrap();
    let rows: Vec<u64> = shown.iter().filter_map(|row| row["row"].as_u64()).collect();
    assert_eq!(rows, (2..=21).collect::<Vec<_>>());
    assert_eq!(client.get("/products").expect(200)["total"], 0);
}

fn an_import_stops_at_the_first_error_if_asked_to(kind: DatabaseKind) {
    let app = App::start(kind);
    let client = app.client();
    let import = imported(&client, "onError=abort", "sku,name,price\nA,a,1\nB,b,x\nC,c,y\n");
    assert_eq!(
        (&import["status"], &import["failure"]["code"]),
        (&json!("failed"), &json!("aborted"))
    );
    assert_eq!(counts(&import), json!([0, 0, 0, 1]));
    assert_eq!(faults(&client, &import), ["3 price bad_number"]);
    assert_eq!(client.get("/products").expect(200)["total"], 0);
    // What only the catalog can tell is found on the way.
    let import = imported(&client, "onError=abort", "sku,name,price\nA,a,1\nB,b,\nC,c,3\n");
    assert_eq!(counts(&import), json!([1, 0, 0, 1]));
    assert_eq!(faults(&client, &import), ["3 price required"]);
    assert_eq!(client.get("/products").expect(200)["total"], 1);
}

fn empty_cells_clear_fields_if_asked_to(kind: DatabaseKind) {
    let app = App::start(kind);
    let client = app.client();
    let _ = imported(&client, "", "sku,name,price,description,inventory\nA,a,1,Bonita,5\n");
    let file = "sku,name,price,description,inventory\nA,,,,\n";
    assert_eq!(counts(&imported(&client, "", file)), json!([0, 0, 1, 0]));
    assert_eq!(counts(&imported(&client, "emptyCells=clear", file)), json!([0, 1, 0, 0]));
    let product = client.get("/products?sku=A").expect(200)["data"][0].clone();
    assert_eq!((&product["name"], &product["description"]), (&json!("a"), &json!(null)));
    assert_eq!(product["inventory"], 5);
}

/// However many batches lie between a product and its images, and whoever goes on with them.
fn images_of_what_was_there_are_refused_where_nothing_is_changed(kind: DatabaseKind) {
    const ROWS: usize = 2_500;
    let mut app = App::start(kind);
    let mut client = app.client();
    let header = "Handle,Title,Variant SKU,Variant Price,Image Src\n";
    let _ = imported(&client, "", format!("{header}vieja,Taza,,1,https://a.mx/0.png\n"));
    let products = (0..ROWS).map(|row| format!("p-{row},Producto,,{row},https://a.mx/1.png\n"));
    let images = ["p-0", "p-7", "vieja", "nada"].map(|of| format!("{of},,,,https://a.mx/2.png\n"));
    let file = format!(
        "{header}vieja,Taza,,2,\n{}{}",
        products.collect::<String>().replace("p-7,Producto,,7,", "p-7,Producto,,x,"),
        images.concat()
    );
    let import = sent(&client, "mode=create", file).expect(202);
    let _ = client.once(&path(&import), |import| import["processed"].as_u64() > Some(0));
    app = app.restart();
    client = client.at(&app);
    let import = ended(&client, &import);
    let expected = [
        "2 Variant SKU already_exists",
        "10 Variant Price bad_number",
        "2504 parentSku parent_not_found",
        "2505 Variant SKU already_exists",
        "2506 parentSku parent_not_found",
    ];
    assert_eq!(faults(&client, &import), expected);
    assert_eq!(counts(&import), json!([ROWS - 1, 1, 0, 5]));
    let images = |sku: &str| {
        let page = client.get(&format!("/products?sku={sku}")).expect(200);
        page["data"][0]["images"].as_array().unwrap().len()
    };
    assert_eq!((images("vieja"), images("p-0"), images("p-1")), (1, 2, 1));
}

fn imports_are_listed(kind: DatabaseKind) {
    let app = App::start(kind);
    let client = app.client();
    let good = imported(&client, "", "sku,name,price\nA,a,1\n");
    thread::sleep(Duration::from_millis(2));
    let bad = imported(&client, "", "sku,name,price\nB,b,x\n");
    let ids = |query: &str| {
        let page = client.get(&format!("/products/imports?{query}")).expect(200);
        let rows = page["data"].as_array().unwrap().iter().map(|import| import["id"].clone());
        rows.collect::<Vec<_>>()
    };
    assert_eq!(ids(""), [bad["id"].clone(), good["id"].clone()]);
    assert_eq!(ids("status=completed"), [good["id"].clone()]);
    let first = client.get("/products/imports?limit=1").expect(200);
    let next = format!("limit=1&cursor={}", first["nextCursor"].as_str().unwrap());
    assert_eq!(ids(&next), [good["id"].clone()]);
    // A job ends behind its import, once the files of that are gone.
    let job = client.once("/jobs?kind=products.import", |jobs| {
        jobs["data"].as_array().unwrap().iter().all(|job| job["status"] == "succeeded")
    });
    assert_eq!(job["total"], 2);
    let path = format!("/api/v1/products/imports/{}", bad["id"].as_str().unwrap());
    assert_eq!(job["data"][0]["links"]["subject"], path);
}

fn what_variants_say_of_their_product_is_not_dropped(kind: DatabaseKind) {
    let app = App::start(kind);
    let client = app.client();
    let file = "sku,name,price,moneda,parentSku,variante\n\
                C,Camisa,100,USD,,\n\
                C-1,Camisa,110,USD,C,Azul\n\
                C-2,Camisa roja,120,,C,Roja\n\
                C-3,,130,MXN,C,Verde\n";
    for query in ["dryRun=true", ""] {
        let import = imported(&client, query, file);
        assert_eq!(counts(&import), json!([3, 0, 0, 1]), "{:?}", faults(&client, &import));
        let told = ["4 name variant_field_ignored", "5 moneda variant_currency"];
        assert_eq!(faults(&client, &import), told);
    }
    let expected = ["C Camisa 100 0; C-1 Azul 110 0; C-2 Roja 120 0"];
    assert_eq!(super::catalog(&client), expected);
}
