use catalog::ProductStatus;

use super::*;
use crate::Dialect;

#[test]
fn a_product_export_of_shopify() {
    let old = "Handle|Title|Body (HTML)|Vendor|Type|Tags|Published|Option1 Name|Option1 Value|Option2 Name|Option2 Value\
               |Variant SKU|Variant Grams|Variant Inventory Qty|Variant Price|Variant Compare At Price|Variant Barcode\
               |Image Src|Status|Cost per item\n\
               camisa|Camisa|<p>De <b>lino</b></p>|Acme|Ropa||true|Talla|M|Color|Azul|C-M|200|5|399.00|||https://x/1.png|active|\n\
               camisa||||||||L||Azul|C-L|210|2|419.00|||https://x/2.png||\n\
               camisa|||||||||||||||||https://x/3.png||\n\
               taza|Taza||||||Title|Default Title|||T-1|300|8|99.50||7501031311309||draft|\n\
               taza|||||||||||||||||https://x/4.png||\n\
               gorra|Gorra||||||Title|Default Title||||300|8|50||||active|";
    let run = imported(old, Mode::Upsert, Vec::new());
    let outcomes = ["Created", "Created", "Updated", "Created", "Updated", "Created"];
    assert_eq!(run.outcomes, outcomes);
    let expected = [
        "T-1 Taza 99.5 8",
        "camisa Camisa 399 0; C-M M / Azul 399 5; C-L L / Azul 419 2",
        "gorra Gorra 50 8",
    ];
    assert_eq!(all(&run), expected);
    let details = [
        "T-1: - - - 0.3 kg [https://x/4.png] ()",
        "camisa: Acme - - 0.2 kg [https://x/1.png https://x/2.png https://x/3.png] (Ropa)",
        "gorra: - - - 0.3 kg [] ()",
    ];
    assert_eq!(all_details(&run), details);
    assert_eq!(run.catalog[1].description.as_deref(), Some("De lino"));
    assert_eq!(run.catalog[0].status, ProductStatus::Archived);
    let new = "Title|URL handle|Description|Status|SKU|Barcode|Option1 name|Option1 value|Price|Compare-at price\
               |Inventory quantity|Weight value (grams)|Product image URL|Product category|Type\n\
               Camisa|camisa|<p>De lino</p>|Active|C-M||Talla|M / Azul|399|500|5|226.7|https://x/2.png|Apparel > Tops|ropa\n\
               |camisa|||C-L||Talla|L / Azul|420|500|2|||\n\
               |camisa|||||||||||https://x/3.png||";
    let again = imported_into(run.tree, new, Mode::Upsert, run.catalog);
    assert_eq!(again.outcomes, ["Updated", "Updated", "Unchanged"]);
    let changed = "camisa: Acme 500 - 0.227 kg [https://x/1.png https://x/2.png https://x/3.png] (Apparel > Tops | Ropa)";
    assert_eq!(all_details(&again)[1], changed);
    let last = imported_into(again.tree, new, Mode::Upsert, again.catalog);
    assert_eq!(last.outcomes, ["Unchanged"; 3]);
}

#[test]
fn images_that_a_product_has_no_room_for_are_left_out() {
    let images = (2..=IMAGES_MAX + 2).map(|number| format!("camisa||||||https://x/{number}.png\n"));
    let table = format!(
        "Handle|Title|Option1 Name|Option1 Value|Variant SKU|Variant Price|Image Src\n\
         camisa|Camisa|Talla|M|C-M|399|https://x/1.png\n\
         {}camisa|||L|C-L|399|https://x/L.png\n\
         camisa|||S|C-S|399|https://x/1.png",
        images.collect::<String>()
    );
    let run = imported(&table, Mode::Upsert, Vec::new());
    let (left_out, last) = ("images image_left_out", run.outcomes.len() - 2);
    assert_eq!(
        run.outcomes[..IMAGES_MAX],
        [&["Created"][..], &["Updated"; IMAGES_MAX - 1]].concat()
    );
    assert_eq!(
        run.outcomes[IMAGES_MAX..last],
        [format!("Unchanged, {left_out}"), format!("Unchanged, {left_out}")]
    );
    assert_eq!(run.outcomes[last..], [format!("Created, {left_out}"), "Created".to_owned()]);
    let images: Vec<String> =
        (1..=IMAGES_MAX).map(|number| format!("https://x/{number}.png")).collect();
    assert_eq!((&run.catalog[0].details.images, run.catalog[0].variants.len()), (&images, 3));
    assert_eq!(imported(&table, Mode::Upsert, run.catalog).outcomes[1], "Unchanged");
}

#[test]
fn what_was_there_gets_no_images_where_nothing_is_changed() {
    let table = |sku: &str| {
        format!(
            "Handle|Title|Option1 Name|Option1 Value|Variant SKU|Variant Price|Image Src\n\
             {sku}|Camisa|Talla|M|{sku}-M|399|https://x/1.png\n\
             {sku}||||||https://x/2.png\n\
             {sku}|||L|{sku}-L|399|https://x/3.png"
        )
    };
    let first = imported(&table("camisa"), Mode::Create, Vec::new());
    assert_eq!(first.outcomes, ["Created", "Updated", "Created"]);
    let again = table("camisa").replace("/2.png", "/7.png");
    let refused = imported(&again, Mode::Create, first.catalog.clone());
    assert_eq!(refused.outcomes, ["sku already_exists"; 3]);
    let more = again.replace("-L|", "-S|").replace("|L|", "|S|").replace("/3.png", "/8.png");
    let added = imported(&more, Mode::Create, first.catalog.clone());
    let expected =
        ["sku already_exists", "sku already_exists", "Created, images variant_field_ignored"];
    assert_eq!(added.outcomes, expected);
    assert_eq!(added.catalog[0].details, first.catalog[0].details);
}

#[test]
fn a_product_export_of_woo_commerce() {
    let english = "ID|Type|SKU|GTIN, UPC, EAN, or ISBN|Name|Published|Short description|Description|Stock|Low stock amount\
                   |Sale price|Regular price|Categories|Images|Parent|Attribute 1 name|Attribute 1 value(s)|Brands|Weight (kg)\n\
                   9|variable|V||Camisa|1||De lino\\nfresca|||350|399|Ropa, Ropa > Camisas\\, blusas|https://x/1.png, https://x/2.png|||M, L|Acme|\n\
                   10|variation|V-M||Camisa - M|1|||5|2|350|399|||V||M||\n\
                   11|variation|V-L||Camisa - L|1|||parent|||399|Ropa|https://x/9.png|id:9||L|Otra|\n\
                   12|simple|T-1|7501031311309|Taza|-1|||8|||99.5|Hogar, Regalos||||||0.25\n\
                   13|variation|V-X||Camisa - X|1||||||399|||id:99||X||";
    let run = imported(english, Mode::Upsert, Vec::new());
    let refused = "parentSku parent_not_found";
    let others = "Created, brand variant_field_ignored";
    assert_eq!(run.outcomes, ["Created", "Created", others, "Created", refused]);
    let expected = ["T-1 Taza 99.5 8", "V Camisa 350 0; V-M M 350 5; V-L L 399 0"];
    assert_eq!(all(&run), expected);
    assert_eq!(run.catalog[1].description.as_deref(), Some("De lino\nfresca"));
    let details = [
        "T-1: - - - 0.25 kg [] (Hogar | Regalos)",
        "V: Acme 399 - - [https://x/1.png https://x/2.png] (Ropa | Ropa > Camisas, blusas)",
    ];
    assert_eq!(all_details(&run), details);
    assert_eq!(run.catalog[0].status, ProductStatus::Archived);
    let spanish = "ID|Tipo|SKU|Nombre|Publicado|Precio rebajado|Precio normal|Inventario|Superior|Valor(es) del atributo 1\n\
                   9|variable|V|Camisa|1||||| \n\
                   10|variation|V-M|Camisa - M|1|350|399|5|V|M";
    let header: Vec<String> = cells(spanish)[0].iter().map(|name| (*name).to_owned()).collect();
    let layout = Layout::of(ImportKind::Products, &header, &BTreeMap::new(), Mode::Upsert).unwrap();
    assert_eq!(layout.dialect, Dialect::WooCommerce);
    let again = imported_into(run.tree, spanish, Mode::Upsert, run.catalog);
    assert_eq!(again.outcomes, ["Unchanged", "Unchanged"]);
}

/// Variations are published each for itself, and so is their product.
#[test]
fn variations_of_woo_commerce_warn_of_nothing_but_what_is_not_sold() {
    let table = |product: &str, variation: &str| {
        let table = format!(
            "ID|Type|SKU|Name|Published|Description|Low stock amount|Regular price|Parent|Attribute 1 value(s)\n\
             9|variable|V|Camisa|{product}|De lino|5|||M\n\
             10|variation|V-M|Camisa - M|{variation}|La mediana|2|399|V|M"
        );
        imported(&table, Mode::Upsert, Vec::new()).outcomes.remove(1)
    };
    for (product, variation) in [("1", "1"), ("0", "1"), ("-1", "1"), ("0", "0"), ("1", "")] {
        assert_eq!(table(product, variation), "Created", "{product} {variation}");
    }
    assert_eq!(table("1", "0"), "Created, status variant_field_ignored");
}

#[test]
fn numbers_and_skus_of_any_length_are_not_remembered() {
    let long = "9".repeat(1_000);
    let table = format!(
        "ID|Type|SKU|Name|Regular price|Parent|Attribute 1 value(s)\n\
         {long}|variable|V|Camisa|399||\n\
         |variation|V-M|Camisa - M|399|id:{long}|M\n\
         7|variable|{long}|Falda|399||\n\
         |variation|F-M|Falda - M|399|id:7|M\n\
         99999999999999999999|variable|G|Gorra|399||\n\
         |variation|G-M|Gorra - M|399|id:99999999999999999999|M"
    );
    let run = imported(&table, Mode::Upsert, Vec::new());
    let (created, lost) = ("Created", "parentSku parent_not_found");
    assert_eq!(run.outcomes, [created, lost, "sku too_long", lost, created, created]);
}
