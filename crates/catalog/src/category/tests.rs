use proptest::prelude::*;

use super::*;

fn id(number: u128) -> CategoryId {
    CategoryId::from_u128(number)
}

fn now() -> Timestamp {
    Timestamp::from_micros(7)
}

/// A tree of categories, each with its parent.
fn tree(parents: &[(u128, Option<u128>)]) -> Tree {
    Tree::of(parents.iter().map(|(own, parent)| Category {
        id: id(*own),
        name: format!("C{own}"),
        parent: parent.map(id),
        created_at: Timestamp::from_micros(0),
        updated_at: Timestamp::from_micros(0),
        version: 1,
    }))
}

fn made(tree: &Tree, name: &str, parent: Option<u128>) -> Judged<Category> {
    let new = NewCategory { name: name.to_owned(), parent: parent.map(id) };
    tree.create(new, id(99), now())
}

fn moved(tree: &Tree, own: u128, parent: Option<u128>) -> Judged<Category> {
    let changes = CategoryChanges { parent: Some(parent.map(id)), ..CategoryChanges::default() };
    tree.update(id(own), changes, now())
}

/// Whether it is refused because of its parent.
fn is_misplaced<T>(judged: Judged<T>) -> bool {
    matches!(judged, Err(Refused::Invalid(faults)) if faults[0].field == "parentId")
}

#[test]
fn siblings_have_different_names() {
    let tree = tree(&[(1, None), (2, Some(1))]);
    assert_eq!(made(&tree, "Jarros", Some(1)).unwrap().parent, Some(id(1)));
    for name in ["C1", "c1", "Ć1"] {
        let taken = made(&tree, name, None).unwrap_err();
        assert!(
            matches!(taken, Refused::Rule(CategoryError::DuplicateName { holder }) if holder == id(1))
        );
    }
    assert!(made(&tree, "C1", Some(1)).is_ok(), "elsewhere it may be so called");
    assert!(is_misplaced(made(&tree, "x", Some(5))));
}

#[test]
fn names_are_looked_for_where_categories_are_now() {
    let mut all = tree(&[(1, None), (2, Some(1))]);
    assert_eq!(all.named(None, " ć1 "), Some(id(1)));
    assert_eq!(all.named(None, "C2"), None);
    let changes = CategoryChanges { name: Some("Jarros".to_owned()), parent: Some(None) };
    let moved = all.update(id(2), changes, now()).unwrap();
    all.insert(moved);
    assert_eq!((all.named(Some(id(1)), "C2"), all.named(None, "jarros")), (None, Some(id(2))));
    all.remove(id(2));
    assert_eq!(all.named(None, "Jarros"), None);
}

#[test]
fn those_that_are_not_known_count() {
    let part = |others| Tree::part(tree(&[(1, None)]).newest_first(), others);
    assert!(made(&part(CATEGORIES_MAX - 2), "x", Some(1)).is_ok());
    let full = made(&part(CATEGORIES_MAX - 1), "x", Some(1)).unwrap_err();
    assert!(matches!(full, Refused::Rule(CategoryError::TooMany { max: CATEGORIES_MAX })));
}

#[test]
fn a_category_is_no_part_of_itself() {
    let tree = tree(&[(1, None), (2, Some(1)), (3, Some(2)), (4, None)]);
    assert!(is_misplaced(moved(&tree, 1, Some(1))));
    assert!(is_misplaced(moved(&tree, 1, Some(3))));
    assert_eq!(moved(&tree, 2, Some(4)).unwrap().version, 2);
    assert_eq!(moved(&tree, 2, None).unwrap().parent, None);
    assert_eq!(moved(&tree, 2, Some(1)).unwrap().version, 1, "where it is already");
    let path: Vec<_> = tree.path(id(3)).iter().map(|category| category.id).collect();
    assert_eq!(path, [id(1), id(2), id(3)]);
    assert_eq!(tree.subtree(id(2)), BTreeSet::from([id(2), id(3)]));
    assert!(tree.subtree(id(9)).is_empty() && tree.path(id(9)).is_empty());
}

#[test]
fn a_tree_is_read_from_the_top() {
    let tree = tree(&[(1, None), (2, Some(5)), (3, Some(1)), (4, Some(1)), (5, None)]);
    let order: Vec<_> = tree.in_order().iter().map(|(depth, it)| (*depth, it.id)).collect();
    assert_eq!(order, [(0, id(1)), (1, id(3)), (1, id(4)), (0, id(5)), (1, id(2))]);
}

#[test]
fn a_tree_is_not_too_deep() {
    let most = u128::try_from(DEPTH_MAX).unwrap();
    let line: Vec<_> = (1..=most).map(|own| (own, (own > 1).then(|| own - 1))).collect();
    let deep = tree(&[line.as_slice(), &[(50, None), (51, Some(50))]].concat());
    assert!(is_misplaced(made(&deep, "x", Some(most))));
    assert!(made(&deep, "x", Some(most - 1)).is_ok());
    assert!(is_misplaced(moved(&deep, 50, Some(most - 1))), "with what is in it");
    assert!(moved(&deep, 50, Some(most - 2)).is_ok());
}

#[test]
fn only_leaves_are_removed() {
    let tree = tree(&[(1, None), (2, Some(1))]);
    assert!(matches!(tree.delete(id(1)), Err(Refused::Rule(CategoryError::HasCategories))));
    assert_eq!(tree.delete(id(2)).unwrap().id, id(2));
    assert!(matches!(tree.delete(id(3)), Err(Refused::NotFound)));
}

#[test]
fn unknown_categories_of_a_product_are_named() {
    let faults = tree(&[(1, None)]).refuse_unknown(&[id(1), id(2)]).unwrap_err();
    assert_eq!(faults[0].field, "categoryIds[1]");
}

proptest! {
    #[test]
    fn a_tree_stays_a_tree(moves in prop::collection::vec((1u128..13, 0u128..13), 1..60)) {
        let parents: Vec<_> = (1..13).map(|own| (own, None)).collect();
        let mut all = tree(&parents);
        for (own, parent) in moves {
            if let Ok(after) = moved(&all, own, (parent > 0).then_some(parent)) {
                all.insert(after);
            }
            for number in 1..13 {
                let path = all.path(id(number));
                prop_assert!(path[0].parent.is_none() && path.len() <= DEPTH_MAX);
                for above in path {
                    prop_assert!(all.subtree(above.id).contains(&id(number)));
                }
            }
        }
    }
}
