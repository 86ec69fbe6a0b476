//! Product exports of other shops, with their documented columns.

use serde_json::json;
use testkit::{App, DatabaseKind, on_both};

use super::{catalog, counts, faults, imported};

on_both!(a_product_export_of_shopify, a_product_export_of_woo_commerce);

const SHOPIFY: &str = "Handle,Title,Body (HTML),Vendor,Product Category,Type,Tags,Published,Option1 Name,Option1 Value,\
    Option2 Name,Option2 Value,Option3 Name,Option3 Value,Variant SKU,Variant Grams,Variant Inventory Tracker,\
    Variant Inventory Qty,Variant Inventory Policy,Variant Fulfillment Service,Variant Price,Variant Compare At Price,\
    Variant Requires Shipping,Variant Taxable,Variant Barcode,Image Src,Image Position,Image Alt Text,Gift Card,\
    SEO Title,SEO Description,Variant Image,Variant Weight Unit,Cost per item,Status\n\
    camisa,Camisa,\"<p>De <b>lino</b></p>\n<p>Fresca</p>\",Acme,,Ropa,verano,true,Talla,M,Color,Azul,,,C-M,200,shopify,5,\
    deny,manual,399.00,499.00,true,true,,https://cdn.example/1.png,1,,false,,,,kg,,active\n\
    camisa,,,,,,,,,L,,Azul,,,C-L,210,shopify,2,deny,manual,419.00,,true,true,,,,,,,,,kg,,\n\
    camisa,,,,,,,,,,,,,,,,,,,,,,,,,https://cdn.example/2.png,2,,,,,,,,\n\
    taza,Taza,,Acme,,,,true,Title,Default Title,,,,,T-1,300,shopify,8,deny,manual,99.50,,true,true,7501031311309,,,,\
    false,,,,kg,,draft\n";

fn a_product_export_of_shopify(kind: DatabaseKind) {
    let app = App::start(kind);
    let client = app.client();
    let import = imported(&client, "", SHOPIFY);
    assert_eq!(counts(&import), json!([3, 0, 1, 0]), "{:?}", faults(&client, &import));
    let expected =
        ["camisa Camisa 399 0; C-M M / Azul 399 5; C-L L / Azul 419 2", "T-1 Taza 99.5 8"];
    assert_eq!(catalog(&client), expected);
    let page = client.get("/products?sku=camisa").expect(200);
    assert_eq!(page["data"][0]["description"], "De lino\nFresca");
    let page = client.get("/products?sku=T-1").expect(200);
    assert_eq!(page["data"][0]["status"], "archived");
    let again = imported(&client, "", SHOPIFY.replace("419.00", "420"));
    assert_eq!(counts(&again), json!([0, 1, 3, 0]));
}

const WOO_COMMERCE: &str = "ID,Type,SKU,\"GTIN, UPC, EAN, or ISBN\",Name,Published,\"Is featured?\",\
    \"Visibility in catalog\",\"Short description\",Description,\"Tax status\",\"In stock?\",Stock,\"Low stock amount\",\
    \"Weight (kg)\",\"Sale price\",\"Regular price\",Categories,Images,Parent,\"Attribute 1 name\",\"Attribute 1 value(s)\",\
    Brands\n\
    9,variable,V,,Camisa,1,0,visible,,De lino\\nfresca,taxable,1,,,0.2,,399,\"Ropa, Ropa > Camisas\",,,Talla,\"M, L\",Acme\n\
    10,variation,V-M,,\"Camisa - M\",1,0,visible,,,taxable,1,5,2,,350,399,,,V,Talla,M,\n\
    11,variation,V-L,,\"Camisa - L\",1,0,visible,,,taxable,1,parent,,,,399,,,id:9,Talla,L,\n\
    12,simple,T-1,7501031311309,Taza,0,0,visible,,,taxable,1,8,,,,99.5,,,,,,\n";

fn a_product_export_of_woo_commerce(kind: DatabaseKind) {
    let app = App::start(kind);
    let client = app.client();
    let import = imported(&client, "", WOO_COMMERCE);
    assert_eq!(counts(&import), json!([4, 0, 0, 0]), "{:?}", faults(&client, &import));
    let expected = ["V Camisa 399 0; V-M M 350 5; V-L L 399 0", "T-1 Taza 99.5 8"];
    assert_eq!(catalog(&client), expected);
    let page = client.get("/products?sku=V").expect(200);
    assert_eq!(page["data"][0]["description"], "De lino\nfresca");
    assert_eq!(counts(&imported(&client, "", WOO_COMMERCE)), json!([0, 0, 4, 0]));
}
