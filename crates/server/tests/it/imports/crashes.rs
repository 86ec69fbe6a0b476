//! What crashes and faults leave of imports: their files, their spools, and those that were about to end.

use std::{
    fs::{self, OpenOptions},
    path::{Path, PathBuf},
    thread,
    time::{Duration, Instant},
};

use serde_json::{Value, json};
use testkit::{App, DatabaseKind, on_both};

use super::{counts, ended, ended_in_time, faults, imported, kept_file, path, sent, sent_to};

on_both!(
    an_import_that_was_to_stop_at_an_error_stops_after_a_crash,
    a_damaged_spool_is_made_anew,
    nothing_is_left_of_an_import_that_has_ended,
    a_file_is_kept_while_nobody_knows_whether_it_is_to_be_imported,
);

/// A table of so many products.
fn table(rows: usize) -> String {
    let rows = (0..rows).map(|row| format!("P-{row},Producto {row},{row}.5,{}\n", row % 7));
    std::iter::once("sku,name,price,inventory\n".to_owned()).chain(rows).collect()
}

/// What there is of a file: itself, its spool, and what was begun of one.
fn left_of(file: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(file.parent().unwrap()).unwrap();
    let paths = entries.flatten().map(|entry| entry.path());
    paths.filter(|path| path.file_stem() == file.file_stem()).collect()
}

#[track_caller]
fn assert_nothing_left(file: &Path) {
    let deadline = Instant::now() + Duration::from_secs(20);
    while !left_of(file).is_empty() {
        assert!(Instant::now() < deadline, "{:?}", left_of(file));
        thread::sleep(Duration::from_millis(20));
    }
}

fn an_import_that_was_to_stop_at_an_error_stops_after_a_crash(kind: DatabaseKind) {
    let app = App::start(kind);
    let client = app.client();
    let file = "sku,name,price\nA,a,1\nB,b,\nC,c,3\n";
    let import = imported(&client, "onError=abort", file);
    assert_eq!(counts(&import), json!([1, 0, 0, 1]));
    let _ = client.once("/jobs?kind=products.import", |jobs| jobs["data"][0]["status"] == "failed");
    // As if the process had died between the row and the end.
    let id = import["id"].as_str().unwrap();
    app.database.execute_all(&format!(
        "UPDATE imports SET state = 'running', ended_at = NULL, failure = NULL WHERE id = '{id}'; \
         UPDATE tasks SET state = 'open', due_at = 0, ended_at = NULL WHERE subject = '{id}';"
    ));
    let again = ended_in_time(&app, &client, &import);
    assert_eq!(
        (&again["status"], &again["failure"]["code"]),
        (&json!("failed"), &json!("aborted"))
    );
    assert_eq!(counts(&again), json!([1, 0, 0, 1]));
    assert_eq!(faults(&client, &again), ["3 price required"]);
    assert_eq!(client.get("/products").expect(200)["total"], 1);
}

fn a_damaged_spool_is_made_anew(kind: DatabaseKind) {
    const ROWS: usize = 8_000;
    let damages: [fn(&Path); 4] = [
        |spool| fs::write(spool, b"no spool").unwrap(),
        |spool| fs::write(spool, b"").unwrap(),
        |spool| fs::remove_file(spool).unwrap(),
        // That is found at its end alone.
        |spool| {
            let spool = OpenOptions::new().write(true).open(spool).unwrap();
            let length = spool.metadata().unwrap().len();
            spool.set_len(length - 9).unwrap();
        },
    ];
    let mut app = App::start(kind);
    let mut client = app.client();
    let import = sent(&client, "", table(ROWS)).expect(202);
    let spool = kept_file(&app, &import).with_extension("spool");
    for (times, damage) in damages.into_iter().enumerate() {
        // It goes on, and much is still to be done.
        let before = client.get(&path(&import)).expect(200)["processed"].as_u64();
        let _ = client.once(&path(&import), |import| import["processed"].as_u64() > before);
        let again = app.again();
        app.stop();
        assert!(spool.exists(), "the import ended before damage {times}");
        damage(&spool);
        app = again.start();
        client = client.at(&app);
    }
    let done = ended_in_time(&app, &client, &import);
    assert_eq!(counts(&done), json!([ROWS, 0, 0, 0]));
    assert_eq!(client.get("/products").expect(200)["total"], ROWS);
    assert_nothing_left(&spool);
}

fn nothing_is_left_of_an_import_that_has_ended(kind: DatabaseKind) {
    let app = App::start(kind);
    let client = app.client();
    // Its numbers are in doubt once all of it is read.
    let doubtful = imported(&client, "", "sku,name,price\nA,a,1.234\n");
    assert_eq!(doubtful["failure"]["code"], "ambiguous_numbers");
    let lost_quote = imported(&client, "onError=abort", "sku,name,price\nA,a,1\nB,\"b,2\n");
    assert_eq!(lost_quote["failure"]["code"], "aborted");
    let good = imported(&client, "", "sku,name,price\nA,a,1\n");
    let dry = imported(&client, "dryRun=true", "sku,name,price\nA,a,1\n");
    for import in [doubtful, lost_quote, good, dry] {
        assert_nothing_left(&kept_file(&app, &import));
    }
    // Of one that is canceled before its turn neither.
    let large = sent(&client, "", table(2_000)).expect(202);
    let waiting = sent(&client, "", "sku,name,price\nB,b,1\n").expect(202);
    let file = kept_file(&app, &waiting);
    let _ = client.act(&format!("{}/cancel", path(&waiting))).expect(200);
    let _ = ended(&client, &large);
    assert_nothing_left(&file);
}

fn a_file_is_kept_while_nobody_knows_whether_it_is_to_be_imported(kind: DatabaseKind) {
    let app = App::start(kind);
    let client = app.client();
    let first = imported(&client, "", "sku,name,price\nA,a,1\n");
    let folder = kept_file(&app, &first).parent().unwrap().to_owned();
    let file = format!("sku,name,price\nZ,{},1\n", app.account());
    let kept = || {
        let entries = fs::read_dir(&folder).unwrap().flatten();
        let is_ours = |path: &PathBuf| fs::read_to_string(path).is_ok_and(|text| text == file);
        entries.map(|entry| entry.path()).filter(is_ours).collect::<Vec<_>>()
    };
    // The database cannot say what has become of it.
    app.database.execute("ALTER TABLE imports RENAME TO imports_away");
    let refused = sent_to(&client, "products", "", file.clone());
    assert!(refused.status >= 500, "{}", refused.text);
    app.database.execute("ALTER TABLE imports_away RENAME TO imports");
    assert_eq!(kept().len(), 1);
    fs::remove_file(kept().remove(0)).unwrap();
    // What is refused needs none.
    let large = sent(&client, "", table(2_000)).expect(202);
    let waiting: Value = sent(&client, "", file.clone()).expect(202);
    let _ = sent(&client, "", file.clone()).refused(409, "conflict");
    assert!(kept().len() <= 1, "{:?}", kept());
    for import in [large, waiting] {
        let _ = ended(&client, &import);
    }
    let deadline = Instant::now() + Duration::from_secs(20);
    while !kept().is_empty() {
        assert!(Instant::now() < deadline, "{:?}", kept());
        thread::sleep(Duration::from_millis(20));
    }
}
