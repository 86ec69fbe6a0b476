//! Files that people have.

use serde_json::{Value, json};
use testkit::{App, DatabaseKind, Reply, on_both};

use super::{assert_told, catalog, counts, faults, imported, sent};

on_both!(
    a_catalog_as_excel_in_spanish_writes_it,
    one_table_as_many_programs_write_it,
    titles_may_stand_above_the_names_of_columns,
    variants_are_rows_with_a_parent_wherever_they_stand,
    cells_hold_line_breaks_and_quotes,
    json_lines_are_imported,
    refused_rows_are_corrected_and_sent_again,
    refused_cells_are_no_formulas_and_are_read_as_they_came,
    cells_that_are_too_many_are_given_back_as_often_as_they_are_sent,
    what_cannot_be_imported_is_refused_in_words,
    columns_are_mapped_by_the_request,
    numbers_in_doubt_are_asked_about,
    only_so_much_of_a_line_is_read,
    categories_are_made_where_rows_name_them,
    of_many_categories_those_are_found_that_rows_name,
    categories_are_found_that_the_last_release_has_renamed,
);

/// Windows-1252, semicolons, a decimal comma.
const SPANISH: &[u8] = b"Clave;Art\xEDculo;Precio p\xFAblico;Existencia;Notas\r\n\
    T-1;\"Taza; \"\"azul\"\"\";1.234,50;10;Acme\r\n\
    T-2;Ca\xF1a;$ 19,9;1.200;\r\n\
    ;;;;\r\n\
    T-2;Repetida;1,5;1;\r\n\
    T-3;Plato;gratis;1,5005;\r\n";

fn a_catalog_as_excel_in_spanish_writes_it(kind: DatabaseKind) {
    let app = App::start(kind);
    let client = app.client();
    let import = imported(&client, "", SPANISH);
    assert_eq!(import["status"], "completed_with_errors", "{import}");
    assert_eq!(counts(&import), json!([2, 0, 0, 2]));
    assert_eq!((&import["total"], &import["progress"]), (&json!(4), &json!(100)));
    let understood = &import["understood"];
    assert_eq!(understood["encoding"], "windows-1252");
    assert_eq!(understood["separator"], ";");
    assert_eq!(understood["unusedColumns"], json!(["Notas"]));
    assert_eq!(
        understood["columns"][2],
        json!({"name": "Precio público", "field": "price", "decimal": ","})
    );
    assert_eq!(catalog(&client), ["T-1 Taza; \"azul\" 1234.5 10", "T-2 Caña 19.9 1200"]);
    let expected =
        ["5 Clave duplicate_in_file", "6 Precio público bad_number", "6 Existencia not_whole"];
    assert_eq!(faults(&client, &import), expected);
    assert_told(&client, "product.created", 2);
    // Again it changes nothing, and tells nothing.
    let again = imported(&client, "", SPANISH);
    assert_eq!(counts(&again), json!([0, 0, 2, 2]));
    let fewer = imported(&client, "", "sku,existencia\nT-1,4\nT-2,1200\n");
    assert_eq!(counts(&fewer), json!([0, 1, 1, 0]));
    assert_told(&client, "product.created", 2);
    assert_told(&client, "product.updated", 1);
    assert_told(&client, "import.finished", 3);
}

fn one_table_as_many_programs_write_it(kind: DatabaseKind) {
    let app = App::start(kind);
    let client = app.client();
    let table = "Clave;Artículo;Precio;Existencia\r\nT-1;\"Caña; \"\"larga\"\"\";1.234,50;10\r\n";
    let tabs = "Clave\tArtículo\tPrecio\tExistencia\nT-1\t\"Caña; \"\"larga\"\"\"\t$1,234.50\t10\n";
    let google = "Clave,Artículo,Precio,Existencia\nT-1,\"Caña; \"\"larga\"\"\",\"$1,234.50\",10\n";
    let quoted = table.replace("T-1", "\"T-1\"").replace("1.234,50", "\"1.234,50\"");
    // Each with its own letters for í and ñ.
    let written = |accents: [u8; 2]| -> Vec<u8> {
        let plain = table.replace('í', "\u{1}").replace('ñ', "\u{2}").into_bytes();
        let byte = |byte: u8| match byte {
            1 => accents[0],
            2 => accents[1],
            other => other,
        };
        plain.into_iter().map(byte).collect()
    };
    let windows = written([0xED, 0xF1]);
    let old_mac = windows.iter().copied().filter(|byte| *byte != b'\n').collect();
    let utf_16 = "\u{feff}".encode_utf16().chain(tabs.encode_utf16());
    let forms: [(&str, &str, Vec<u8>); 8] = [
        ("Excel, as UTF-8", "", format!("\u{feff}{table}").into_bytes()),
        ("Excel in Spanish", "", windows),
        ("an old Mac", "", old_mac),
        ("Excel, as Unicode text", "", utf_16.flat_map(u16::to_le_bytes).collect()),
        ("a till under DOS", "encoding=cp850", written([0xA1, 0xA4])),
        ("a separator that is named", "", format!("sep=;\r\n{table}").into_bytes()),
        ("Google Sheets", "", google.as_bytes().to_vec()),
        ("quotation marks around all", "", quoted.into_bytes()),
    ];
    for (place, (what, query, bytes)) in forms.into_iter().enumerate() {
        let import = imported(&client, query, bytes);
        let expected = if place == 0 { json!([1, 0, 0, 0]) } else { json!([0, 0, 1, 0]) };
        assert_eq!(counts(&import), expected, "{what}: {:?}", faults(&client, &import));
    }
    assert_eq!(catalog(&client), ["T-1 Caña; \"larga\" 1234.5 10"]);
}

/// As reports of tills and lists of prices have them.
fn titles_may_stand_above_the_names_of_columns(kind: DatabaseKind) {
    let app = App::start(kind);
    let client = app.client();
    let file = "Abarrotes Lupita;;;\nLista de precios, enero de 2026\n;;;\nClave;Artículo;Precio;Existencia\n\
        T-1;Taza;19,90;5\nT-2;Plato;gratis;1\n";
    let import = imported(&client, "", file);
    assert_eq!(counts(&import), json!([1, 0, 0, 1]), "{:?}", faults(&client, &import));
    assert_eq!(faults(&client, &import), ["6 Precio bad_number"]);
    assert_eq!(catalog(&client), ["T-1 Taza 19.9 5"]);
    let own = client.get(import["links"]["errorsFile"].as_str().unwrap()).text;
    let again = imported(&client, "", own.replace("gratis", "35"));
    assert_eq!(counts(&again), json!([1, 0, 0, 0]), "{own}");
    // Without names of columns nothing is guessed.
    let message = sent(&client, "", "T-1;Taza;19,90\nT-2;Plato;35\n").refused(400, "invalid_file");
    assert!(message.contains("T-1"), "{message}");
}

fn variants_are_rows_with_a_parent_wherever_they_stand(kind: DatabaseKind) {
    let app = App::start(kind);
    let client = app.client();
    let file = "sku,name,price,inventory,parentSku,variantName\n\
        C-1,,120,4,C,Azul\n\
        C,Camisa,100,0,,\n\
        C-2,,,2,C,Rojo\n\
        X-1,,,2,X,Rojo\n";
    let dry = imported(&client, "dryRun=true", file);
    assert_eq!(counts(&dry), json!([3, 0, 0, 1]), "{dry}");
    assert_eq!(dry["preview"][0]["values"]["name"], "Camisa");
    assert_eq!(
        (dry["preview"][2]["row"].as_u64(), &dry["preview"][2]["outcome"]),
        (Some(2), &json!("created"))
    );
    assert!(catalog(&client).is_empty());
    assert_told(&client, "product.created", 0);
    let import = imported(&client, "", file);
    assert_eq!(counts(&import), json!([3, 0, 0, 1]));
    assert_eq!(catalog(&client), ["C Camisa 100 0; C-2 Rojo null 2; C-1 Azul 120 4"]);
    assert_eq!(faults(&client, &import), ["5 parentSku parent_not_found"]);
    assert_told(&client, "product.updated", 2);
    let stock = imported(&client, "mode=update", "sku,stock\nC-1,9\nC-9,1\n");
    assert_eq!(counts(&stock), json!([0, 1, 0, 1]));
    assert_eq!(faults(&client, &stock), ["3 sku not_found"]);
}

fn cells_hold_line_breaks_and_quotes(kind: DatabaseKind) {
    let app = App::start(kind);
    let client = app.client();
    let file = "sku,name,description,price,ean\n\
        T-1,\"Taza \"\"azul\"\"\",\"Una línea\ny otra\",1,36000291452\n\
        \"=\"\"0750\"\"\",'=Suma,,2,\n";
    let import = imported(&client, "", file);
    assert_eq!(counts(&import), json!([2, 0, 0, 0]), "{:?}", faults(&client, &import));
    assert_eq!(import["warnings"], 1);
    assert_eq!(faults(&client, &import), ["2 ean ean_zeros_added"]);
    assert_eq!(catalog(&client), ["T-1 Taza \"azul\" 1 0", "0750 =Suma 2 0"]);
    let page = client.get("/products?sku=T-1").expect(200);
    assert_eq!(page["data"][0]["description"], "Una línea\ny otra");
    assert_eq!(page["data"][0]["ean"], "036000291452");
}

fn json_lines_are_imported(kind: DatabaseKind) {
    let app = App::start(kind);
    let client = app.client();
    let file = "{\"sku\": \"T-1\", \"name\": \"Taza\", \"price\": 1.234, \"active\": true}\n\
        {\"name\": \"Plato\", \"externalId\": 7, \"price\": \"2\"}\n\
        {\"name\": \"Vaso\", \"externalId\": 8, \"price\": {}}\n\
        nothing\n";
    let request = client.request("POST", "/products/imports");
    let request = request.header("Content-Type", "application/x-ndjson").body(file);
    let import = super::ended(&client, &Reply::to(request).expect(202));
    assert_eq!(counts(&import), json!([2, 0, 0, 2]));
    assert_eq!(faults(&client, &import), ["3 price nested_value", "4 - not_json"]);
    let page = client.get("/products?externalId=7").expect(200);
    assert_eq!(page["data"][0]["name"], "Plato");
}

fn refused_rows_are_corrected_and_sent_again(kind: DatabaseKind) {
    let app = App::start(kind);
    let client = app.client();
    let file =
        "sku;nombre;precio;nota\nT-1;Taza;1;\nT-2;\"a;b\";gratis;+1\nT-3;Vaso;2;\n=T;Olla;x;\n";
    let import = imported(&client, "", file);
    assert_eq!(counts(&import), json!([2, 0, 0, 2]));
    let path = import["links"]["errorsFile"].as_str().unwrap();
    let refused = Reply::to(client.request("GET", path).header("Accept-Language", "es"));
    assert_eq!(refused.header("content-type"), Some("text/csv; charset=utf-8"));
    let expected = "\u{feff}sku;nombre;precio;nota;_row;_column;_error;_code\r\n\
        T-2;\"a;b\";gratis;'+1;3;precio;no es un número como 1234.50;bad_number@price\r\n\
        '=T;Olla;x;;5;precio;no es un número como 1234.50;bad_number@price\r\n";
    assert_eq!(refused.text, expected);
    let corrected = refused.text.replace("gratis", "7").replace(";x;", ";8;");
    let again = imported(&client, "", corrected);
    assert_eq!(counts(&again), json!([2, 0, 0, 0]), "{:?}", faults(&client, &again));
    assert_eq!(again["understood"]["unusedColumns"], json!(["nota"]));
    let expected = ["T-1 Taza 1 0", "T-3 Vaso 2 0", "T-2 a;b 7 0", "=T Olla 8 0"];
    assert_eq!(catalog(&client), expected);
}

fn refused_cells_are_no_formulas_and_are_read_as_they_came(kind: DatabaseKind) {
    let app = App::start(kind);
    let client = app.client();
    // Of an export, of a person and of whoever wants a spreadsheet to run something.
    let file = "sku,name,price,inventory,=nota\n=\"0750\",'=Suma,x,1,@ana\nT-2,-20 °C,x,1,-3\n\
        T-3,''=1,1,x,+1\nT-4,=HYPERLINK(),1,1,\nT-4,=HYPERLINK(),1,1,\n";
    let first = imported(&client, "", file);
    assert_eq!(counts(&first), json!([1, 0, 0, 4]), "{:?}", faults(&client, &first));
    let refused = |import: &Value| client.get(import["links"]["errorsFile"].as_str().unwrap()).text;
    let own = refused(&first);
    let lines: Vec<&str> = own.lines().collect();
    assert!(lines[0].ends_with("inventory,'=nota,_row,_column,_error,_code"), "{own}");
    let expected = [
        "\"=\"\"0750\"\"\",''=Suma,x,1,'@ana,2,",
        "T-2,'-20 °C,x,1,-3,3,",
        "T-3,'''=1,1,x,'+1,4,",
        "T-4,'=HYPERLINK(),1,1,,6,",
    ];
    assert_eq!(lines.len(), 5, "{own}");
    for (line, begins) in lines[1..].iter().zip(expected) {
        assert!(line.starts_with(begins), "{own}");
    }
    // However often it is sent, no mark is added to those that there are.
    let mut before = own.clone();
    for _ in 0..2 {
        let again = imported(&client, "", before.clone());
        assert_eq!(counts(&again), json!([0, 0, 0, 4]), "{:?}", faults(&client, &again));
        before = refused(&again);
        assert_eq!(before.lines().take(4).collect::<Vec<_>>(), lines[..4]);
    }
    let corrected = own.replace(",x,", ",7,").replace("T-4", "T-5");
    let done = imported(&client, "", corrected);
    assert_eq!(counts(&done), json!([4, 0, 0, 0]), "{:?}", faults(&client, &done));
    let expected = [
        "T-4 =HYPERLINK() 1 1",
        "0750 =Suma 7 1",
        "T-2 -20 °C 7 1",
        "T-3 '=1 1 7",
        "T-5 =HYPERLINK() 1 1",
    ];
    assert_eq!(catalog(&client), expected);
}

fn cells_that_are_too_many_are_given_back_as_often_as_they_are_sent(kind: DatabaseKind) {
    let app = App::start(kind);
    let client = app.client();
    let file = "sku,name,price\nA,Taza, grande,azul,1\nB,,x\nC,Plato,2\n";
    let first = imported(&client, "", file);
    let codes = ["2 - too_many_cells", "3 price bad_number"];
    assert_eq!(faults(&client, &first), codes);
    let refused = |import: &Value| client.get(import["links"]["errorsFile"].as_str().unwrap()).text;
    let (mut import, expected) = (first.clone(), refused(&first));
    assert!(expected.contains("\r\nA,Taza, grande,azul,1,2,,"), "{expected}");
    for _ in 0..2 {
        import = imported(&client, "", refused(&import));
        assert_eq!(faults(&client, &import), codes);
        assert_eq!(refused(&import), expected);
    }
    // With the cell as one it is a row like others.
    let corrected = expected.replace("Taza, grande,azul,1,", "\"Taza, grande, azul\",1,");
    let import = imported(&client, "", corrected);
    assert_eq!(counts(&import), json!([1, 0, 0, 1]), "{:?}", faults(&client, &import));
}

fn what_cannot_be_imported_is_refused_in_words(kind: DatabaseKind) {
    let app = App::start(kind);
    let client = app.client();
    let cases: &[(&[u8], &str, &str, &str)] = &[
        (b"", "", "empty_file", "el archivo no tiene filas"),
        (b"\n \n", "", "empty_file", "el archivo no tiene filas"),
        (b"\x89PNG\r\n\x1A\n\0", "", "unsupported_file", "es una imagen, no una tabla"),
        (b"%PDF-1.7", "", "unsupported_file", "es un PDF"),
        (b"\xD0\xCF\x11\xE0", "", "unsupported_file", "Excel 97-2003"),
        (b"<html></html>", "", "unsupported_file", "es una página web"),
        (b"sku,ni\x81o\nT,1\n", "", "unknown_encoding", "encoding=cp850"),
        (b"PK\x03\x04", "", "invalid_file", "dañado o incompleto"),
        (b"Taza,19.90\nPlato,2\n", "", "invalid_file", "la primera fila debe tener los nombres"),
        (
            b"sku,clave,precio\n",
            "",
            "invalid_file",
            "las columnas \"sku\" y \"clave\" contienen sku",
        ),
        (b"sku\nT-1\n", "mode=create", "invalid_file", "necesita una columna para name"),
        (
            b"sku\nT-1\n",
            "mapping[costo]=price",
            "invalid_file",
            "mapping nombra la columna \"costo\"",
        ),
        (b"sku\nT-1\n", "mapping[sku]=grosor", "validation_failed", "debe ser uno de"),
        (b"sku\nT-1\n", "decimal=x", "validation_failed", "decimal"),
    ];
    for (file, query, code, words) in cases {
        let request = client.request("POST", &format!("/products/imports?{query}"));
        let request = request.header("Accept-Language", "es").header("Content-Type", "text/csv");
        let message = Reply::to(request.body(file.to_vec())).refused(400, code);
        assert!(message.contains(words), "{message}");
    }
    let image = client.request("POST", "/products/imports").header("Content-Type", "image/png");
    let _ = Reply::to(image.body("x")).refused(415, "unsupported_media_type");
    assert_eq!(client.get("/products/imports").expect(200)["total"], 0);
}

fn columns_are_mapped_by_the_request(kind: DatabaseKind) {
    let app = App::start(kind);
    let client = app.client();
    let file = "Ref.,Nombre,Menudeo,Mayoreo,Costo\nT-1,Taza,20,15,10\n";
    let query = "mapping[Ref.]=sku&mapping[Mayoreo]=price&mapping[Costo]=none";
    let import = imported(&client, query, file);
    assert_eq!(counts(&import), json!([1, 0, 0, 0]));
    assert_eq!(catalog(&client), ["T-1 Taza 15 0"]);
    assert_eq!(import["understood"]["unusedColumns"], json!(["Menudeo"]));
    assert_eq!(import["options"]["mapping"]["Costo"], json!(null));
}

fn numbers_in_doubt_are_asked_about(kind: DatabaseKind) {
    let app = App::start(kind);
    let client = app.client();
    let file = "sku,nombre,precio\nT-1,Taza,1.234\nT-2,Plato,2.500\n";
    let import = imported(&client, "", file);
    assert_eq!(
        (&import["status"], &import["failure"]["code"]),
        (&json!("failed"), &json!("ambiguous_numbers"))
    );
    assert!(import["failure"]["message"].as_str().unwrap().contains("precio"), "{import}");
    assert!(catalog(&client).is_empty());
    let import = imported(&client, "decimal=,", file);
    assert_eq!(counts(&import), json!([2, 0, 0, 0]));
    assert_eq!(catalog(&client), ["T-1 Taza 1234 0", "T-2 Plato 2500 0"]);
}

fn only_so_much_of_a_line_is_read(kind: DatabaseKind) {
    let app = App::start(kind);
    let client = app.client();
    let line = "x".repeat(10_000_000);
    let message = sent(&client, "", line.clone()).refused(400, "invalid_file");
    assert!(message.contains("first row has more than 1048576 bytes"), "{message}");
    let import = imported(&client, "", format!("sku,name,price\nT-1,{line},1\nT-2,b,2\n"));
    assert_eq!(counts(&import), json!([1, 0, 0, 1]));
    assert_eq!(faults(&client, &import), ["2 - row_too_long"]);
}

fn categories_are_made_where_rows_name_them(kind: DatabaseKind) {
    let app = App::start(kind);
    let client = app.client();
    let names = |path: &str| {
        let page = client.get(path).expect(200);
        let mut names: Vec<String> = page["data"]
            .as_array()
            .unwrap()
            .iter()
            .map(|row| row["name"].as_str().unwrap().to_owned())
            .collect();
        names.sort();
        names
    };
    let file = "sku,name,price,departamento,marca,costo\n\
        T-1,Taza,20,Hogar > Cocina | Regalos,Acme,7.5\nT-2,Plato,35,hogar,,\nT-3,,35,Jardín,,\n";
    let import = imported(&client, "dryRun=true", file);
    assert_eq!(counts(&import), json!([2, 0, 0, 1]), "{:?}", faults(&client, &import));
    assert_eq!(
        import["preview"][0]["values"]["categories"], "Hogar > Cocina | Regalos",
        "{import}"
    );
    assert!(names("/categories").is_empty());
    let import = imported(&client, "", file);
    assert_eq!(counts(&import), json!([2, 0, 0, 1]), "{:?}", faults(&client, &import));
    assert_eq!(names("/categories"), ["Cocina", "Hogar", "Regalos"]);
    let page = client.get("/categories").expect(200);
    let all = page["data"].as_array().unwrap();
    let id = |name: &str| {
        all.iter().find(|it| it["name"] == name).unwrap()["id"].as_str().unwrap().to_owned()
    };
    assert_eq!(names(&format!("/products?categoryId={}", id("Hogar"))), ["Plato", "Taza"]);
    assert_eq!(names(&format!("/products?categoryId={}", id("Cocina"))), ["Taza"]);
    assert_eq!(counts(&imported(&client, "", file)), json!([0, 0, 2, 1]));
    let moved = "sku,categories\nT-1,Regalos\nT-2,\n";
    assert_eq!(counts(&imported(&client, "", moved)), json!([0, 1, 1, 0]));
    assert!(names(&format!("/products?categoryId={}", id("Cocina"))).is_empty());
    assert_eq!(counts(&imported(&client, "emptyCells=clear", moved)), json!([0, 1, 1, 0]));
    assert!(names(&format!("/products?categoryId={}", id("Hogar"))).is_empty());
    let product = client.get("/products?sku=T-1").expect(200)["data"][0].clone();
    assert_eq!((&product["brand"], &product["cost"]), (&json!("Acme"), &json!(7.5)));
}

/// It changes the name alone, not how names are compared; the end of the upgrade makes up for that.
fn categories_are_found_that_the_last_release_has_renamed(kind: DatabaseKind) {
    let app = App::start(kind);
    let client = app.client();
    let _ = imported(&client, "", "sku,name,price,categories\nA,a,1,Tazas\n");
    app.database.execute("UPDATE categories SET name = 'Vasos'");
    let _ = store::finish_upgrade(&app.database.settings()).unwrap();
    let file = "sku,name,price,categories\nB,b,1,vasos\nC,c,1,Tazas\n";
    let import = imported(&client, "", file);
    assert_eq!(counts(&import), json!([2, 0, 0, 0]), "{:?}", faults(&client, &import));
    let names = "SELECT name AS line FROM categories ORDER BY name";
    assert_eq!(app.database.lines(names), ["Tazas", "Vasos"]);
}

/// As many as there may be but one, from before their names were kept as they are compared.
fn of_many_categories_those_are_found_that_rows_name(kind: DatabaseKind) {
    let app = App::start(kind);
    let account = app.account();
    let client = app.client_of(account, "*");
    let rows =
        (1..2_000).map(|row| format!("('{account}', 'cat_{row:026}', NULL, 'Té {row}', 0, 0, 1)"));
    app.database.execute(&format!(
        "INSERT INTO categories (account_id, id, parent_id, name, created_at, updated_at, version) VALUES {}",
        rows.collect::<Vec<_>>().join(", ")
    ));
    let file = "sku,name,price,categories\nA,a,1,te 7\nB,b,1,TÉ 8 | Nueva\nC,c,1,Otra\nD,d,1,té 9 > Dentro\n";
    for query in ["dryRun=true", ""] {
        let import = imported(&client, query, file);
        let full = ["4 categories too_many_categories", "5 categories too_many_categories"];
        assert_eq!(faults(&client, &import), full);
        assert_eq!(counts(&import), json!([2, 0, 0, 2]));
    }
    let again = imported(&client, "", "sku,name,price,categories\nE,e,1,NUEVA\nA,,,Té 7\n");
    assert_eq!(counts(&again), json!([1, 0, 1, 0]), "{:?}", faults(&client, &again));
    let count = "SELECT CAST(COUNT(*) AS TEXT) AS line FROM categories";
    assert_eq!(app.database.lines(count), ["2000"]);
    let found = client.get(&format!("/products?categoryId=cat_{:026}", 8)).expect(200);
    assert_eq!((&found["total"], &found["data"][0]["sku"]), (&json!(1), &json!("B")));
}
