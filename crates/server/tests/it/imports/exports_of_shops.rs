//! Product exports of other shops, with their documented columns, and tables out of other programs.

use std::io::{Cursor, Write};

use serde_json::json;
use testkit::{App, DatabaseKind, on_both};
use zip::{ZipWriter, write::SimpleFileOptions};

use super::{catalog, counts, faults, imported, path};

on_both!(
    a_product_export_of_shopify,
    a_product_of_shopify_with_more_images_than_fit,
    a_product_export_of_woo_commerce,
    a_product_export_of_woo_commerce_in_spanish,
    what_was_sold_without_having_any_is_taken_for_none,
    a_product_export_of_tiendanube,
    an_export_of_the_tills_of_loyverse,
    a_catalog_of_a_till_says_what_is_sold_by_weight,
    a_sheet_of_google,
    a_workbook_of_excel,
    refused_rows_of_every_kind_of_file_are_given_back_as_they_were,
);

const SHOPIFY: &str = "Handle,Title,Body (HTML),Vendor,Product Category,Type,Tags,Published,Option1 Name,Option1 Value,\
    Option2 Name,Option2 Value,Option3 Name,Option3 Value,Variant SKU,Variant Grams,Variant Inventory Tracker,\
    Variant Inventory Qty,Variant Inventory Policy,Variant Fulfillment Service,Variant Price,Variant Compare At Price,\
    Variant Requires Shipping,Variant Taxable,Variant Barcode,Image Src,Image Position,Image Alt Text,Gift Card,\
    SEO Title,SEO Description,Variant Image,Variant Weight Unit,Cost per item,Status\n\
    camisa,Camisa,\"<p>De <b>lino</b></p>\n<p>Fresca</p>\",Acme,,Ropa,verano,true,Talla,M,Color,Azul,,,C-M,200,shopify,5,\
    deny,manual,399.00,499.00,true,true,,https://cdn.example/1.png,1,,false,,,,kg,,active\n\
    camisa,,,,,,,,,L,,Azul,,,C-L,210,shopify,2,deny,manual,419.00,,true,true,,,,,,,,,kg,,\n\
    camisa,,,,,,,,,,,,,,,,,,,,,,,,,https://cdn.example/2.png,2,,,,,,,,\n\
    taza,Taza,,Acme,,,,true,Title,Default Title,,,,,T-1,300,shopify,8,deny,manual,99.50,,true,true,'7501031311309,,,,\
    false,,,,kg,,draft\n";

fn a_product_export_of_shopify(kind: DatabaseKind) {
    let app = App::start(kind);
    let client = app.client();
    let import = imported(&client, "", SHOPIFY);
    assert_eq!(counts(&import), json!([3, 1, 0, 0]), "{:?}", faults(&client, &import));
    let expected =
        ["camisa Camisa 399 0; C-M M / Azul 399 5; C-L L / Azul 419 2", "T-1 Taza 99.5 8"];
    assert_eq!(catalog(&client), expected);
    let page = client.get("/products?sku=camisa").expect(200);
    let shirt = &page["data"][0];
    assert_eq!(shirt["description"], "De lino\nFresca");
    assert_eq!((&shirt["brand"], &shirt["compareAtPrice"]), (&json!("Acme"), &json!(499)));
    assert_eq!(shirt["weight"], 0.2);
    let images = json!(["https://cdn.example/1.png", "https://cdn.example/2.png"]);
    assert_eq!(shirt["images"], images);
    let page = client.get("/products?sku=T-1").expect(200);
    let mug = &page["data"][0];
    assert_eq!((&mug["status"], &mug["ean"]), (&json!("archived"), &json!("7501031311309")));
    let again = imported(&client, "", SHOPIFY.replace("419.00", "420"));
    assert_eq!(counts(&again), json!([0, 1, 3, 0]));
}

fn a_product_of_shopify_with_more_images_than_fit(kind: DatabaseKind) {
    let app = App::start(kind);
    let client = app.client();
    let images = (2..=22).map(|number| format!("camisa,,,,,,https://cdn.example/{number}.png\n"));
    let file = format!(
        "Handle,Title,Option1 Name,Option1 Value,Variant SKU,Variant Price,Image Src\n\
         camisa,Camisa,Talla,M,C-M,399,https://cdn.example/1.png\n\
         {}camisa,,,L,C-L,419,\n",
        images.collect::<String>()
    );
    let import = imported(&client, "", file);
    assert_eq!(counts(&import), json!([2, 19, 2, 0]));
    assert_eq!((&import["status"], &import["warnings"]), (&json!("completed"), &json!(2)));
    let expected = ["22 Image Src image_left_out", "23 Image Src image_left_out"];
    assert_eq!(faults(&client, &import), expected);
    assert_eq!(catalog(&client), ["camisa Camisa 399 0; C-M M 399 0; C-L L 419 0"]);
    let page = client.get("/products?sku=camisa").expect(200);
    let kept = (1..=20).map(|number| format!("https://cdn.example/{number}.png"));
    assert_eq!(page["data"][0]["images"], json!(kept.collect::<Vec<_>>()));
}

const WOO_COMMERCE: &str = "ID,Type,SKU,\"GTIN, UPC, EAN, or ISBN\",Name,Published,\"Is featured?\",\
    \"Visibility in catalog\",\"Short description\",Description,\"Tax status\",\"In stock?\",Stock,\"Low stock amount\",\
    \"Weight (kg)\",\"Sale price\",\"Regular price\",Categories,Images,Parent,\"Attribute 1 name\",\"Attribute 1 value(s)\",\
    Brands\n\
    9,variable,V,,Camisa,1,0,visible,,De lino\\nfresca,taxable,1,,,0.2,,,\"Ropa, Ropa > Camisas\",,,Talla,\"M, L\",Acme\n\
    10,variation,V-M,,\"Camisa - M\",1,0,visible,,,taxable,1,5,2,,350,399,,,V,Talla,M,\n\
    11,variation,V-L,,\"Camisa - L\",1,0,visible,,,taxable,1,parent,,,,399,,,id:9,Talla,L,\n\
    12,simple,T-1,7501031311309,Taza,0,0,visible,,,taxable,1,8,,,,99.5,,,,,,\n";

fn a_product_export_of_woo_commerce(kind: DatabaseKind) {
    let app = App::start(kind);
    let client = app.client();
    let import = imported(&client, "", WOO_COMMERCE);
    assert_eq!(counts(&import), json!([4, 0, 0, 0]), "{:?}", faults(&client, &import));
    let expected = ["V Camisa 350 0; V-M M 350 5; V-L L 399 0", "T-1 Taza 99.5 8"];
    assert_eq!(catalog(&client), expected);
    let page = client.get("/products?sku=V").expect(200);
    let shirt = &page["data"][0];
    assert_eq!(shirt["description"], "De lino\nfresca");
    assert_eq!((&shirt["brand"], &shirt["weight"]), (&json!("Acme"), &json!(0.2)));
    assert_eq!(shirt["categoryIds"].as_array().unwrap().len(), 2);
    assert_eq!(counts(&imported(&client, "", WOO_COMMERCE)), json!([0, 0, 4, 0]));
}

/// Its Spanish asks whether any is in stock beside how many there are. Products have a SKU where somebody gave them one.
const WOO_COMMERCE_IN_SPANISH: &str = "ID,Tipo,SKU,\"GTIN, UPC, EAN o ISBN\",Nombre,Publicado,Descripción,\
    \"¿Existencias?\",Inventario,\"Precio rebajado\",\"Precio normal\",Superior,Marcas,\"Nombre del atributo 1\",\
    \"Valor(es) del atributo 1\"\n\
    9,variable,,,Camisa,1,,1,,,,,Acme,Talla,\"M, L\"\n\
    10,variation,C-M,,\"Camisa - M\",1,,1,5,350,399,id:9,,Talla,M\n\
    11,variation,,,\"Camisa - L\",1,,backorder,2,,399,id:9,,Talla,L\n\
    12,simple,,7501031311309,Taza,1,,1,8,,99.5,,,,\n";

fn a_product_export_of_woo_commerce_in_spanish(kind: DatabaseKind) {
    let app = App::start(kind);
    let client = app.client();
    let import = imported(&client, "", WOO_COMMERCE_IN_SPANISH);
    assert_eq!(counts(&import), json!([4, 0, 0, 0]), "{:?}", faults(&client, &import));
    assert!(
        import["understood"]["unusedColumns"].as_array().unwrap().contains(&json!("¿Existencias?"))
    );
    let expected = ["id:9 Camisa 350 0; C-M M 350 5; - L 399 2", "id:12 Taza 99.5 8"];
    assert_eq!(catalog(&client), expected);
    assert_eq!(counts(&imported(&client, "", WOO_COMMERCE_IN_SPANISH)), json!([0, 0, 4, 0]));
    // A variation finds its product in the catalog, too.
    let lines = WOO_COMMERCE_IN_SPANISH.lines();
    let variation: String = lines
        .enumerate()
        .filter(|(at, _)| [0, 3].contains(at))
        .map(|(_, line)| format!("{line}\n"))
        .collect();
    let import = imported(&client, "", variation.replace(",2,,399", ",7,,399"));
    assert_eq!(counts(&import), json!([0, 1, 0, 0]), "{:?}", faults(&client, &import));
    let lost = imported(&client, "", variation.replace("id:9", "id:99"));
    assert_eq!(faults(&client, &lost), ["2 Superior parent_not_found"]);
    let twice = format!("{WOO_COMMERCE_IN_SPANISH}12,simple,,,Taza,1,,1,8,,99.5,,,,\n");
    assert_eq!(faults(&client, &imported(&client, "", twice)), ["6 SKU duplicate_in_file"]);
}

/// Shops and tills go on selling what they have none of.
fn what_was_sold_without_having_any_is_taken_for_none(kind: DatabaseKind) {
    let app = App::start(kind);
    let client = app.client();
    let import = imported(&client, "", SHOPIFY.replace("shopify,2,", "shopify,-2,"));
    assert_eq!(counts(&import), json!([3, 1, 0, 0]), "{:?}", faults(&client, &import));
    assert_eq!((&import["status"], &import["warnings"]), (&json!("completed"), &json!(1)));
    assert_eq!(faults(&client, &import), ["3 Variant Inventory Qty negative_stock"]);
    let import = imported(&client, "", "Código,Existencia\nC-M,-1.5\nT-1,\"-3\"\n");
    assert_eq!(counts(&import), json!([0, 2, 0, 0]), "{:?}", faults(&client, &import));
    let expected =
        ["camisa Camisa 399 0; C-M M / Azul 399 0; C-L L / Azul 419 0", "T-1 Taza 99.5 0"];
    assert_eq!(catalog(&client), expected);
    let below = imported(&client, "", "Código,Precio,Mínimo\nT-1,-1,\nC-M,1,-2\n");
    assert_eq!(faults(&client, &below), ["2 Precio out_of_range", "3 Mínimo out_of_range"]);
}

fn a_product_export_of_tiendanube(kind: DatabaseKind) {
    let app = App::start(kind);
    let client = app.client();
    let file = "Identificador de URL;Nombre;Categorías;Nombre de propiedad 1;Valor de propiedad 1;Precio;\
        Precio promocional;Peso (kg);Stock;SKU;Código de barras;Mostrar en tienda;Descripción;Marca;Costo\n\
        camisa;Camisa;Ropa > Camisas, Ofertas;Talla;CH;599,00;499,00;0,30;4;C-CH;;SÍ;<p>Bonita</p>;Acme;250,00\n\
        camisa;;;Talla;M;599,00;;0,30;;;;;;;\n\
        taza;Taza;Hogar;;;120,50;;0,10;10;;;NO;;;\n";
    let import = imported(&client, "", file);
    assert_eq!(counts(&import), json!([3, 0, 0, 0]), "{:?}", faults(&client, &import));
    let expected = ["camisa Camisa 499 0; C-CH CH 499 4; - M 599 0", "taza Taza 120.5 10"];
    assert_eq!(catalog(&client), expected);
    let shirt = client.get("/products?sku=camisa").expect(200)["data"][0].clone();
    assert_eq!((&shirt["description"], &shirt["compareAtPrice"]), (&json!("Bonita"), &json!(599)));
    assert_eq!((&shirt["brand"], &shirt["weight"]), (&json!("Acme"), &json!(0.3)));
    assert_eq!(shirt["categoryIds"].as_array().unwrap().len(), 2);
    let mug = client.get("/products?sku=taza").expect(200)["data"][0].clone();
    assert_eq!(mug["status"], "archived");
    assert_eq!(counts(&imported(&client, "", file)), json!([0, 0, 3, 0]));
}

fn an_export_of_the_tills_of_loyverse(kind: DatabaseKind) {
    let app = App::start(kind);
    let client = app.client();
    let file = "Handle,SKU,Name,Category,Description,Sold by weight,Option 1 name,Option 1 value,Cost,Barcode,\
        Track stock,Available for sale [Centro],Price [Centro],In stock [Centro],Low stock [Centro],Price [Norte],\
        In stock [Norte]\n\
        agua,10001,Agua,Bebidas,,N,,,5.00,,Y,Y,12.00,20,5,13.00,7\n\
        jamon,10002,Jamón,Carnes,,Y,,,90.00,,Y,N,189.90,2.5,,189.90,1\n\
        te,10003,Té,Bebidas,,N,Sabor,Limón,3,,Y,Y,15.00,4,,15.00,\n\
        te,10004,,,,,,Menta,3,,Y,N,16.00,6,,16.00,\n";
    let import = imported(&client, "", file);
    assert_eq!(counts(&import), json!([4, 0, 0, 0]), "{:?}", faults(&client, &import));
    // Only the first store is read, and a variant is sold as its product is.
    let unused = import["understood"]["unusedColumns"].as_array().unwrap();
    assert!(
        unused.contains(&json!("Price [Norte]")) && unused.contains(&json!("In stock [Norte]"))
    );
    let told = ["5 Available for sale [Centro] variant_field_ignored"];
    assert_eq!(faults(&client, &import), told);
    let expected = [
        "10001 Agua 12 20",
        "10002 Jamón 189.9 2.5",
        "te Té 15 0; 10003 Limón 15 4; 10004 Menta 16 6",
    ];
    assert_eq!(catalog(&client), expected);
    let ham = client.get("/products?sku=10002").expect(200)["data"][0].clone();
    assert_eq!((&ham["quantityDecimals"], &ham["status"]), (&json!(3), &json!("archived")));
    assert_eq!(counts(&imported(&client, "", file)), json!([0, 0, 4, 0]));
}

fn a_catalog_of_a_till_says_what_is_sold_by_weight(kind: DatabaseKind) {
    let app = App::start(kind);
    let client = app.client();
    let file = "Código,Descripción,P. Costo,P. Venta,P. Mayoreo,Departamento,Existencia,Inv. Mínimo,Tipo de Venta\n\
        7501055300075,Refresco,$12.50,$18.00,,BEBIDAS,24,10,UNIDAD\n\
        J-1,Jamón,$90.00,\"$1,189.90\",,CARNES,2.5,,GRANEL\n";
    let import = imported(&client, "", file);
    assert_eq!(counts(&import), json!([2, 0, 0, 0]), "{:?}", faults(&client, &import));
    assert_eq!(catalog(&client), ["7501055300075 Refresco 18 24", "J-1 Jamón 1189.9 2.5"]);
    // Another column of that name says how something is paid.
    let other =
        "Clave,Nombre,Precio,Tipo de venta,Estatus\nT-1,Taza,5,Contado,A\nT-2,Plato,5,Crédito,B\n";
    let import = imported(&client, "", other);
    assert_eq!(counts(&import), json!([2, 0, 0, 0]), "{:?}", faults(&client, &import));
    let archived = client.get("/products?status=archived").expect(200);
    assert_eq!((&archived["total"], &archived["data"][0]["sku"]), (&json!(1), &json!("T-2")));
}

/// Google Sheets writes UTF-8 without a mark, and numbers as the sheet shows them.
fn a_sheet_of_google(kind: DatabaseKind) {
    let app = App::start(kind);
    let client = app.client();
    let file = "Código,Artículo,Precio,Existencia,Activo\r\n\
        T-1,\"Taza \"\"azul\"\", chica\",\"$1,234.50\",12,TRUE\r\n\
        T-2,\"Plato\nhondo\",$99.00,\"1,200\",FALSE\r\n";
    let import = imported(&client, "", file);
    assert_eq!(counts(&import), json!([1, 0, 0, 1]), "{:?}", faults(&client, &import));
    // A name is one line.
    assert_eq!(faults(&client, &import), ["3 Artículo bad_text"]);
    assert_eq!(catalog(&client), ["T-1 Taza \"azul\", chica 1234.5 12"]);
    let import = imported(&client, "", file.replace("\nhondo", " hondo"));
    assert_eq!(counts(&import), json!([1, 0, 1, 0]), "{:?}", faults(&client, &import));
    assert_eq!(catalog(&client)[1], "T-2 Plato hondo 99 1200");
    let archived = client.get("/products?status=archived").expect(200);
    assert_eq!(archived["data"][0]["sku"], "T-2");
}

fn a_workbook_of_excel(kind: DatabaseKind) {
    let app = App::start(kind);
    let client = app.client();
    let cells = |row: usize, cells: &[&str]| {
        let cells = cells.iter().zip('A'..).map(|(cell, column)| match cell.parse::<f64>() {
            Ok(_) => format!("<c r=\"{column}{row}\"><v>{cell}</v></c>"),
            Err(_) => {
                format!("<c r=\"{column}{row}\" t=\"inlineStr\"><is><t>{cell}</t></is></c>")
            }
        });
        format!("<row r=\"{row}\">{}</row>", cells.collect::<String>())
    };
    let rows = [
        cells(1, &["Clave", "Artículo", "Precio", "Código de barras"]),
        cells(2, &["T-1", "Taza", "19.9", "7501031311309"]),
        cells(3, &["T-2", "Plato", "gratis", ""]),
    ];
    let import = imported(&client, "", workbook(&rows.concat()));
    assert_eq!(counts(&import), json!([1, 0, 0, 1]), "{:?}", faults(&client, &import));
    assert_eq!(faults(&client, &import), ["3 Precio bad_number"]);
    assert_eq!(catalog(&client), ["T-1 Taza 19.9 0"]);
    let page = client.get("/products?sku=T-1").expect(200);
    assert_eq!(page["data"][0]["ean"], "7501031311309");
}

/// A file, how many of its rows are refused, how they are corrected, and what is there afterwards.
type Corrected<'a> = (Vec<u8>, u64, &'a [(&'a str, &'a str)], &'a [&'a str]);

/// Sent again as they are, they are refused for the same; corrected, they are taken.
fn refused_rows_of_every_kind_of_file_are_given_back_as_they_were(kind: DatabaseKind) {
    let app = App::start(kind);
    let client = app.client();
    let csv = "sku,name,price\nA-1,Taza,1\nA-1,Otra,2\nA-2,a,b,3\nA-3,Plato,gratis\n\"A-4,x,1\n";
    let json = "{\"sku\": \"B-1\", \"name\": \"=Suma\", \"price\": 1.234, \"inventory\": \"x\"}\n\
        {\"sku\": \"7.5E+12\", \"name\": [\"a\"], \"price\": 1}\n\
        nothing\n\
        {\"sku\": \"B-2\", \"name\": \"Vaso\", \"price\": 2, \"inventory\": 1}\n\
        {\"sku\": \"B-2\", \"name\": \"Otro\", \"price\": 3}\n";
    let woo = WOO_COMMERCE.replace("399,,,id:9", "x,,,id:9").replace("7501031311309", "123456");
    let number = |column: char, row: u32, number: &str| {
        format!("<c r=\"{column}{row}\" t=\"n\"><v>{number}</v></c>")
    };
    let text = |column: char, row: u32, text: &str| {
        format!("<c r=\"{column}{row}\" t=\"inlineStr\"><is><t>{text}</t></is></c>")
    };
    let heading = ["SKU", "Nombre", "Precio", "Existencia"];
    let heading: String = ('A'..='D').zip(heading).map(|(at, name)| text(at, 1, name)).collect();
    let row =
        [text('A', 2, "C-1"), text('B', 2, "Olla"), number('C', 2, "1.234"), number('D', 2, "1.5")];
    let sheet = format!("<row r=\"1\">{heading}</row><row r=\"2\">{}</row>", row.concat());
    let image = format!("taza{}foto.png,2{}\n", ",".repeat(25), ",".repeat(8));
    let shopify = format!("{SHOPIFY}{image}");
    let files: [Corrected<'_>; 5] = [
        (
            csv.into(),
            4,
            &[("gratis", "7"), ("A-1,Otra,2", "A-5,Otra,2")],
            &["A-5 Otra 2 0", "A-3 Plato 7 0"],
        ),
        (json.into(), 4, &[(",x,", ",5,")], &["B-1 =Suma 1.234 5"]),
        (woo.into_bytes(), 2, &[(",x,", ",120,")], &["V Camisa 350 0; V-M M 350 5; V-L L 120 0"]),
        (workbook(&sheet), 1, &[("1.5", "2")], &["C-1 Olla 1.234 2"]),
        (
            shopify.into_bytes(),
            1,
            &[("foto.png", "https://cdn.example/3.png")],
            &["T-1 Taza 99.5 8"],
        ),
    ];
    for (file, refused, corrections, products) in files {
        let import = imported(&client, "", file);
        let said = faults(&client, &import);
        assert_eq!(counts(&import)[3], refused, "{said:?}");
        let own = client.get(import["links"]["errorsFile"].as_str().unwrap()).text;
        let again = imported(&client, "", own.clone());
        assert_eq!(counts(&again), json!([0, 0, 0, refused]), "{own}");
        // None of these tables, which people really have, warns of anything.
        let without_rows = |faults: Vec<String>| {
            let fault = |fault: String| fault.split_once(' ').unwrap().1.to_owned();
            faults.into_iter().map(fault).collect::<Vec<_>>()
        };
        assert_eq!(without_rows(faults(&client, &again)), without_rows(said), "{own}");
        // What is refused twice is given back as before, but for the numbers of its rows.
        let twice = client.get(&format!("{}/errors.csv", path(&again))).text;
        assert_eq!(twice.lines().next(), own.lines().next());
        let corrected = corrections.iter().fold(own, |own, (from, to)| own.replace(from, to));
        let _ = imported(&client, "", corrected);
        let now = catalog(&client);
        for product in products {
            assert!(now.iter().any(|one| one == product), "{product}: {now:?}");
        }
    }
    // The row of an image alone has the handle of a product that is known here by its SKU.
    let mug = client.get("/products?sku=T-1").expect(200)["data"][0].clone();
    assert_eq!(mug["images"], json!(["https://cdn.example/3.png"]));
}

/// A workbook of one sheet (ECMA-376), with as little as one needs.
fn workbook(rows: &str) -> Vec<u8> {
    const MAIN: &str = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
    const OFFICE: &str = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
    const PACKAGE: &str = "http://schemas.openxmlformats.org/package/2006";
    let relation = |kind: &str, target: &str| {
        format!(
            "<Relationships xmlns=\"{PACKAGE}/relationships\"><Relationship Id=\"r1\" Type=\"{OFFICE}/{kind}\" \
             Target=\"{target}\"/></Relationships>"
        )
    };
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, text) in [
        (
            "[Content_Types].xml",
            format!(
                "<Types xmlns=\"{PACKAGE}/content-types\"><Default Extension=\"xml\" ContentType=\"application/xml\"/></Types>"
            ),
        ),
        ("_rels/.rels", relation("officeDocument", "xl/workbook.xml")),
        (
            "xl/workbook.xml",
            format!(
                "<workbook xmlns=\"{MAIN}\" xmlns:r=\"{OFFICE}\"><sheets><sheet name=\"Hoja1\" sheetId=\"1\" \
                 r:id=\"r1\"/></sheets></workbook>"
            ),
        ),
        ("xl/_rels/workbook.xml.rels", relation("worksheet", "worksheets/sheet1.xml")),
        (
            "xl/worksheets/sheet1.xml",
            format!("<worksheet xmlns=\"{MAIN}\"><sheetData>{rows}</sheetData></worksheet>"),
        ),
    ] {
        archive.start_file(name, SimpleFileOptions::default()).unwrap();
        archive.write_all(text.as_bytes()).unwrap();
    }
    archive.finish().unwrap().into_inner()
}
