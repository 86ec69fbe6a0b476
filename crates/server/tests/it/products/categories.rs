//! The tree of categories, and the products in it.

use serde_json::{Value, json};
use testkit::DatabaseKind;

use super::ALL;
use crate::{customers::Desk, races::at_once};

testkit::on_both!(
    a_tree_is_made_and_changed,
    siblings_have_different_names,
    a_category_is_not_put_into_itself,
    products_are_found_in_the_whole_subtree,
    products_name_categories_that_are_there,
    only_what_is_empty_is_deleted,
    many_at_once_keep_the_tree_a_tree,
);

const CATEGORIES: &str = "/categories";

fn category(desk: &Desk, name: &str, parent: Option<&Value>) -> Value {
    desk.create(CATEGORIES, &json!({"name": name, "parentId": parent}))
}

fn product(desk: &Desk, name: &str, categories: &[&Value]) -> Value {
    desk.create(ALL, &json!({"name": name, "price": 10, "categoryIds": categories}))
}

/// The names of what a query finds, the newest first.
fn found(desk: &Desk, path: &str) -> Vec<String> {
    let page = desk.show(path);
    let rows = page["data"].as_array().unwrap().iter();
    rows.map(|row| row["name"].as_str().unwrap().to_owned()).collect()
}

fn a_tree_is_made_and_changed(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let home = category(&desk, "Hogar", None);
    let cups = category(&desk, "Tazas", Some(&home["id"]));
    assert_eq!((&cups["parentId"], &home["parentId"]), (&home["id"], &Value::Null));
    assert_eq!(found(&desk, CATEGORIES), ["Tazas", "Hogar"]);
    let inside = format!("{CATEGORIES}?parentId={}", home["id"].as_str().unwrap());
    assert_eq!(found(&desk, &inside), ["Tazas"]);
    let place = Desk::place(CATEGORIES, &cups);
    let changed = desk.change(&place, &json!({"name": "Tazas y jarros", "parentId": null}));
    assert_eq!((&changed["name"], &changed["parentId"]), (&json!("Tazas y jarros"), &Value::Null));
    assert_eq!(desk.show(&place), changed);
    assert_eq!(desk.change(&place, &changed), changed, "what was read can be sent back");
    assert!(found(&desk, &inside).is_empty());
}

fn siblings_have_different_names(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let home = category(&desk, "Café", None);
    for name in ["Café", "CAFE"] {
        let taken = desk.client.post(CATEGORIES, &json!({"name": name}));
        assert!(taken.refused(409, "conflict").contains(home["id"].as_str().unwrap()));
    }
    let inner = category(&desk, "Café", Some(&home["id"]));
    let place = Desk::place(CATEGORIES, &inner);
    let moved = desk.client.patch(&place, &json!({"parentId": null}));
    assert!(!moved.refused(409, "conflict").is_empty());
}

fn a_category_is_not_put_into_itself(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let home = category(&desk, "Hogar", None);
    let mut line = vec![home["id"].clone()];
    for depth in 2..=8 {
        line.push(category(&desk, &format!("C{depth}"), line.last())["id"].clone());
    }
    let too_deep = json!({"name": "C9", "parentId": line[7]});
    let too_deep = desk.client.post(CATEGORIES, &too_deep).refused(400, "validation_failed");
    assert!(too_deep.starts_with("parentId "), "{too_deep}");
    // A subtree counts as a whole.
    let pair = category(&desk, "Par", None);
    let _ = category(&desk, "Dentro", Some(&pair["id"]));
    let place = Desk::place(CATEGORIES, &pair);
    let refused = desk.client.patch(&place, &json!({"parentId": line[6]}));
    assert!(refused.refused(400, "validation_failed").starts_with("parentId "));
    assert_eq!(desk.change(&place, &json!({"parentId": line[5]}))["parentId"], line[5]);
    let place = Desk::place(CATEGORIES, &home);
    for parent in [&line[0], &line[7]] {
        let refused = desk.client.patch(&place, &json!({"parentId": parent}));
        let refused = refused.refused(400, "validation_failed");
        assert!(refused.starts_with("parentId "), "{refused}");
    }
}

fn products_are_found_in_the_whole_subtree(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let home = category(&desk, "Hogar", None);
    let cups = category(&desk, "Tazas", Some(&home["id"]));
    let gifts = category(&desk, "Regalos", None);
    let _ = product(&desk, "Vela", &[&home["id"]]);
    let cup = product(&desk, "Taza", &[&cups["id"], &gifts["id"]]);
    let _ = product(&desk, "Pan", &[]);
    let of = |category: &Value| format!("{ALL}?categoryId={}", category["id"].as_str().unwrap());
    for (category, names) in
        [(&home, vec!["Taza", "Vela"]), (&cups, vec!["Taza"]), (&gifts, vec!["Taza"])]
    {
        assert_eq!(found(&desk, &of(category)), names);
    }
    assert_eq!(found(&desk, &format!("{}&search=vela", of(&home))), ["Vela"]);
    assert_eq!(found(&desk, &format!("{}&sort=name&limit=1", of(&home))), ["Taza"]);
    let place = Desk::place(CATEGORIES, &cups);
    let _ = desk.change(&place, &json!({"parentId": gifts["id"]}));
    assert_eq!(found(&desk, &of(&home)), ["Vela"], "it has moved with what is in it");
    let place = Desk::place(ALL, &cup);
    let changed = desk.change(&place, &json!({"categoryIds": [home["id"]]}));
    assert_eq!(changed["categoryIds"], json!([home["id"]]));
    assert_eq!(desk.show(&place), changed);
    let told = desk.events("product.updated");
    assert_eq!(told[0]["changes"], json!({"categoryIds": [home["id"]]}));
    let same = desk.change(&place, &json!({"categoryIds": [home["id"]]}));
    assert_eq!(same["updatedAt"], changed["updatedAt"]);
    assert!(found(&desk, &of(&gifts)).is_empty());
    desk.delete(ALL, cup["id"].as_str().unwrap());
    assert_eq!(found(&desk, &of(&home)), ["Vela"]);
}

fn products_name_categories_that_are_there(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let home = category(&desk, "Hogar", None);
    let nobody = json!("cat_01ARZ3NDEKTSV4RRFFQ69G5FAV");
    let eleven: Vec<Value> =
        (0..11).map(|n| category(&desk, &format!("C{n}"), None)["id"].clone()).collect();
    for (ids, fault) in [
        (json!([home["id"], nobody]), "categoryIds[1] "),
        (json!([home["id"], home["id"]]), "categoryIds[1] "),
        (json!(["x"]), "categoryIds[0] "),
        (json!(eleven), "categoryIds "),
    ] {
        let body = json!({"name": "x", "price": 1, "categoryIds": ids});
        let refused = desk.client.post(ALL, &body).refused(400, "validation_failed");
        assert!(refused.starts_with(fault), "{refused}");
    }
    let twice = json!({"name": "x", "price": 1, "categoryIds": [nobody], "sku": "A",
        "variants": [{"name": "Azul", "sku": "A"}]});
    let refused = desk.client.post(ALL, &twice).refused(400, "validation_failed");
    assert!(
        refused.contains("categoryIds[0] ") && refused.contains("variants[0].sku "),
        "{refused}"
    );
    assert_eq!(desk.show(ALL)["total"], 0);
    // Of one that there is, too.
    let place = Desk::place(ALL, &product(&desk, "Taza", &[&home["id"]]));
    let twice = json!({"categoryIds": [nobody], "sku": "A",
        "variants": [{"name": "Azul", "sku": "A"}]});
    let refused = desk.client.patch(&place, &twice).refused(400, "validation_failed");
    assert!(
        refused.contains("categoryIds[0] ") && refused.contains("variants[0].sku "),
        "{refused}"
    );
    let kept = json!({"categoryIds": [home["id"]], "name": "Tazón"});
    assert_eq!(desk.change(&place, &kept)["categoryIds"], json!([home["id"]]));
}

fn only_what_is_empty_is_deleted(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let home = category(&desk, "Hogar", None);
    let cups = category(&desk, "Tazas", Some(&home["id"]));
    let cup = product(&desk, "Taza", &[&cups["id"]]);
    let delete = |category: &Value| desk.client.delete(&Desk::place(CATEGORIES, category));
    for category in [&home, &cups] {
        assert!(!delete(category).refused(409, "conflict").is_empty());
    }
    desk.delete(ALL, cup["id"].as_str().unwrap());
    let _ = delete(&cups).expect(200);
    let _ = delete(&home).expect(200);
    assert!(!delete(&home).refused(404, "not_found").is_empty());
}

/// Of those that would make a loop, or twins, one goes through; nothing comes into a category that is gone.
fn many_at_once_keep_the_tree_a_tree(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    for round in 0..5 {
        let twins =
            at_once(8, |_| desk.client.post(CATEGORIES, &json!({"name": format!("R{round}")})));
        assert_eq!(twins.iter().filter(|reply| reply.status == 201).count(), 1);
        let pair = ["A", "B"].map(|name| category(&desk, &format!("{name}{round}"), None));
        let moves = at_once(2, |racer| {
            let place = Desk::place(CATEGORIES, &pair[racer]);
            desk.client.patch(&place, &json!({"parentId": pair[1 - racer]["id"]}))
        });
        assert_eq!(moves.iter().filter(|reply| reply.status == 200).count(), 1);
        let gone = category(&desk, &format!("G{round}"), None);
        let place = Desk::place(CATEGORIES, &gone);
        let replies = at_once(8, |racer| match racer {
            0 => desk.client.delete(&place),
            _ => {
                let body = json!({"name": "x", "price": 1, "categoryIds": [gone["id"]]});
                desk.client.post(ALL, &body)
            }
        });
        let made = replies.iter().filter(|reply| reply.status == 201).count();
        let inside = format!("{ALL}?categoryId={}", gone["id"].as_str().unwrap());
        assert_eq!(found(&desk, &inside).len(), made);
        assert_eq!(replies[0].status == 200, made == 0, "{}", replies[0].text);
    }
}
