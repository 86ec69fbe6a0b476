//! Imports of the command line, beside services that come and go.

use std::{
    fs,
    io::{BufRead, BufReader},
    process::Stdio,
    thread,
    time::{Duration, Instant},
};

use testkit::{DatabaseKind, on_both};

use super::program::{Said, Site};

on_both!(
    an_import_outlives_the_service_that_works_it_off,
    the_same_command_goes_on_watching,
    what_is_refused_is_told,
    a_file_is_read_as_the_command_says,
    a_folder_that_is_not_the_service_s_is_told,
);

const ROWS: usize = 4_000;

fn an_import_outlives_the_service_that_works_it_off(kind: DatabaseKind) {
    let site = Site::new(kind);
    let (account, _) = site.account_and_key();
    let rows = (0..ROWS).map(|row| format!("P-{row};Producto {row};{row},5\n"));
    let file: String = std::iter::once("clave;artículo;precio\n".to_owned()).chain(rows).collect();
    fs::write(site.folder.path().join("catalogo.csv"), file).unwrap();
    let mut import = site.command(&["import", "products", "catalogo.csv", "--account", &account]);
    let import = import.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut service = site.serve(&[]);
    let database = site.database.as_ref().unwrap();
    let processed = "SELECT CAST(processed AS TEXT) AS line FROM imports WHERE processed > 0";
    let deadline = Instant::now() + Duration::from_secs(60);
    while database.lines(processed).is_empty() {
        assert!(Instant::now() < deadline, "nothing is imported");
        thread::sleep(Duration::from_millis(5));
    }
    service.kill();
    let left = database.lines("SELECT state AS line FROM imports");
    assert_eq!(left, ["running"], "the service was killed too late");
    // As if the claim of the dead had run out.
    database.execute("UPDATE tasks SET due_at = 0, claimed_until = NULL, claim_id = NULL WHERE due_at IS NOT NULL");
    let _service = site.serve(&[]);
    let said = import.wait_with_output().unwrap();
    let (out, err) =
        (String::from_utf8(said.stdout).unwrap(), String::from_utf8(said.stderr).unwrap());
    assert_eq!(said.status.code(), Some(0), "{out}{err}");
    let expected = format!("completed: {ROWS} created, 0 updated, 0 unchanged, 0 failed");
    assert!(out.contains(&expected), "{out}");
    let made = "SELECT CAST(COUNT(*) AS TEXT) AS line FROM products";
    assert_eq!(database.lines(made), [ROWS.to_string()]);
    let told = "SELECT CAST(COUNT(*) AS TEXT) AS line FROM events WHERE name = 'product.created'";
    assert_eq!(database.lines(told), [ROWS.to_string()]);
}

fn the_same_command_goes_on_watching(kind: DatabaseKind) {
    let site = Site::new(kind);
    let (account, _) = site.account_and_key();
    fs::write(site.folder.path().join("catalogo.csv"), "sku,name,price\nT-1,Taza,1\n").unwrap();
    let args = ["import", "products", "catalogo.csv", "--account", &account];
    let mut first = site.command(&args).stderr(Stdio::piped()).spawn().unwrap();
    let database = site.database.as_ref().unwrap();
    let deadline = Instant::now() + Duration::from_secs(60);
    let known = || database.lines("SELECT id AS line FROM imports");
    while known().is_empty() {
        assert!(Instant::now() < deadline, "nothing is on record");
        thread::sleep(Duration::from_millis(5));
    }
    first.kill().unwrap();
    let _ = first.wait().unwrap();
    let mut again = site.command(&args);
    let mut again = again.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut told = String::new();
    BufReader::new(again.stderr.take().unwrap()).read_line(&mut told).unwrap();
    assert!(told.contains("is importing this file already"), "{told}");
    let _service = site.serve(&[]);
    let said = again.wait_with_output().unwrap();
    let out = String::from_utf8(said.stdout).unwrap();
    assert_eq!(said.status.code(), Some(0), "{out}");
    assert!(out.contains("1 created, 0 updated, 0 unchanged, 0 failed"), "{out}");
}

fn what_is_refused_is_told(kind: DatabaseKind) {
    let site = Site::new(kind);
    let (account, _) = site.account_and_key();
    let folder = site.folder.path();
    fs::write(folder.join("catalogo.csv"), "sku,name,price\nT-1,Taza,x\nT-2,Plato,2\n").unwrap();
    fs::write(folder.join("foto.png"), b"\x89PNG\r\n\x1A\n\0").unwrap();
    let _service = site.serve(&[]);
    let import = |file: &str, more: &[&str]| {
        let args = [&["import", "products", file, "--account", &account], more].concat();
        Said::by(site.command(&args))
    };
    let said = import("catalogo.csv", &["--dry-run"]);
    assert_eq!(said.code, Some(1), "what scripts look at before they import: {}", said.err);
    assert!(said.out.contains("1 created, 0 updated, 0 unchanged, 1 failed"), "{}", said.out);
    assert!(said.err.contains("row 2 price") && said.err.contains("\"x\""), "{}", said.err);
    for (file, words) in [
        ("catalogo.csv", "refused: 1 of 2 rows"),
        ("foto.png", "picture"),
        ("nada.csv", "cannot open nada.csv"),
    ] {
        let said = import(file, &[]);
        assert_eq!(said.code, Some(1), "{}", said.out);
        assert!(said.err.contains(words), "{}", said.err);
    }
    // Nothing is left behind that no service could work off.
    let nobody = "acc_01KG8VZ3D1F5H7K9M0N2P4Q6R9";
    let args = ["import", "products", "catalogo.csv", "--account", nobody];
    let said = Said::by(site.command(&args));
    assert_eq!(said.code, Some(1), "{}", said.out);
    assert!(said.err.contains(nobody), "{}", said.err);
}

fn a_file_is_read_as_the_command_says(kind: DatabaseKind) {
    let site = Site::new(kind);
    let (account, _) = site.account_and_key();
    let folder = site.folder.path();
    fs::write(folder.join("lista.csv"), b"Ref.,Art\xA1culo,Mayoreo\nT-1,Ca\xA4a,1.234\n").unwrap();
    fs::write(folder.join("mala.csv"), "sku,name,price\nT-2,Plato,2\nT-3,Vaso,x\n").unwrap();
    fs::write(folder.join("clientes.csv"), "email,nombre,calle\na@example.com,Ana,\n").unwrap();
    let _service = site.serve(&[]);
    let import = |args: &[&str]| {
        let args = [&["import"], args, &["--account", &account]].concat();
        Said::by(site.command(&args))
    };
    let said = import(&[
        "products",
        "lista.csv",
        "--mapping",
        "Ref.=sku",
        "--mapping",
        "Mayoreo=price",
        "--encoding",
        "cp850",
        "--decimal",
        ",",
    ]);
    assert_eq!(said.code, Some(0), "{}", said.err);
    let database = site.database.as_ref().unwrap();
    let made = "SELECT name || ' ' || CAST(price AS TEXT) AS line FROM products";
    assert_eq!(database.lines(made), ["Caña 1234000000"]);
    let said = import(&["products", "mala.csv", "--on-error", "abort"]);
    assert_eq!(said.code, Some(1), "{}", said.out);
    assert!(
        said.out.contains("failed: 0 created, 0 updated, 0 unchanged, 1 failed"),
        "{}",
        said.out
    );
    let said = import(&["customers", "clientes.csv", "--empty-cells", "clear"]);
    assert_eq!(said.code, Some(0), "{}", said.err);
    for (args, code) in [
        (&["products", "lista.csv", "--mapping", "Ref.=nada"][..], 1),
        (&["products", "lista.csv", "--mapping", "Ref."], 2),
        (&["products", "lista.csv", "--on-error", "stop"], 2),
        (&["stock", "lista.csv", "--empty-cells", "clear"], 2),
    ] {
        assert_eq!(import(args).code, Some(code), "{args:?}");
    }
}

fn a_folder_that_is_not_the_service_s_is_told(kind: DatabaseKind) {
    let site = Site::new(kind);
    let (account, _) = site.account_and_key();
    fs::write(site.folder.path().join("catalogo.csv"), "sku,name,price\nT-1,Taza,1\n").unwrap();
    let service = site.serve(&["--files-dir", "elsewhere"]);
    let mut import = site.command(&["import", "products", "catalogo.csv", "--account", &account]);
    let mut import = import.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let database = site.database.as_ref().unwrap();
    let deadline = Instant::now() + Duration::from_secs(60);
    while import.try_wait().unwrap().is_none() {
        assert!(Instant::now() < deadline, "the import does not end");
        // Nobody waits for the next look at the folder.
        drop(
            database.try_all(
                "UPDATE tasks SET due_at = 0 WHERE due_at IS NOT NULL AND claim_id IS NULL",
            ),
        );
        thread::sleep(Duration::from_millis(100));
    }
    let said = import.wait_with_output().unwrap();
    let err = String::from_utf8(said.stderr).unwrap();
    assert_eq!(said.status.code(), Some(1), "{err}");
    assert!(err.contains("--files-dir"), "{err}");
    let logged =
        "the file of an import is gone; every process on the database needs the same files_dir";
    assert!(service.logged(logged)["path"].as_str().unwrap().contains("elsewhere"));
}
