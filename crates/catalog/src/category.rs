//! Categories: a tree that products are found by.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    sync::OnceLock,
};

use kernel::{FieldFault, Refused, Timestamp, message, text::folded};

kernel::ids! {
    /// A category's identifier.
    CategoryId = "cat";
}

/// The most characters of a category's name.
pub const CATEGORY_NAME_CHARS_MAX: usize = 100;
/// The most categories of an account: its tree is read as a whole.
pub const CATEGORIES_MAX: usize = 2_000;
/// The most categories from the root of the tree to a leaf.
pub const DEPTH_MAX: usize = 8;
/// The most categories that one product is in directly.
pub const CATEGORIES_OF_PRODUCT_MAX: usize = 10;

/// A category of products.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct Category {
    pub id: CategoryId,
    /// Unlike those of its siblings, accents and case aside.
    pub name: String,
    /// The category that it is a part of.
    pub parent: Option<CategoryId>,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
    /// Number of changes, starting at 1.
    pub version: i64,
}

/// A category to be made.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct NewCategory {
    pub name: String,
    /// The category that it is a part of.
    pub parent: Option<CategoryId>,
}

/// Changes of a category: what is absent stays, and an inner `None` clears.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct CategoryChanges {
    pub name: Option<String>,
    /// The category that it becomes a part of, with all that is in it.
    pub parent: Option<Option<CategoryId>>,
}

/// A category to be changed.
#[derive(Clone, Debug)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct UpdateCategory {
    pub id: CategoryId,
    /// Expected version: the command is refused if the resource has a newer one.
    pub version: Option<i64>,
    pub changes: CategoryChanges,
}

/// Why a command about categories was refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CategoryError {
    /// The account has as many categories as it may have.
    TooMany {
        /// So many.
        max: usize,
    },
    /// A sibling has this name.
    DuplicateName {
        /// The sibling.
        holder: CategoryId,
    },
    /// It has categories in it.
    HasCategories,
    /// Products are in it.
    HasProducts,
}

/// The categories of an account: all of them, or some with all that they are a part of.
#[derive(Clone, Debug, Default)]
pub struct Tree {
    known: BTreeMap<CategoryId, Category>,
    /// By the category that they are directly in, and their names as names are compared; made once one is looked for.
    by_name: OnceLock<HashMap<Place, CategoryId>>,
    /// How many more the account has.
    others: usize,
}

type Place = (Option<CategoryId>, String);

fn place(category: &Category) -> Place {
    (category.parent, folded(&category.name))
}

type Judged<T> = Result<T, Refused<CategoryError>>;

impl Tree {
    /// The tree of these categories.
    #[must_use]
    pub fn of(categories: impl IntoIterator<Item = Category>) -> Self {
        Self::part(categories, 0)
    }

    /// Of these, with what they are a part of among them, while the account has so many others.
    #[must_use]
    pub fn part(categories: impl IntoIterator<Item = Category>, others: usize) -> Self {
        let known = categories.into_iter().map(|category| (category.id, category)).collect();
        Self { known, others, by_name: OnceLock::new() }
    }

    /// One of them.
    #[must_use]
    pub fn get(&self, id: CategoryId) -> Option<&Category> {
        self.known.get(&id)
    }

    /// All of them as a tree is read: each behind what it is a part of, siblings by their names; with how deep it lies, from 0.
    #[must_use]
    pub fn in_order(&self) -> Vec<(usize, &Category)> {
        let mut children: BTreeMap<Option<CategoryId>, Vec<&Category>> = BTreeMap::new();
        for category in self.known.values() {
            // What lies in one that is not known is read from the top.
            let parent = category.parent.filter(|parent| self.known.contains_key(parent));
            children.entry(parent).or_default().push(category);
        }
        for siblings in children.values_mut() {
            // The last is taken first.
            siblings.sort_by_cached_key(|category| {
                std::cmp::Reverse((folded(&category.name), category.id))
            });
        }
        let mut ahead: Vec<(usize, &Category)> =
            children.remove(&None).unwrap_or_default().into_iter().map(|top| (0, top)).collect();
        let mut order = Vec::with_capacity(self.known.len());
        while let Some((depth, category)) = ahead.pop() {
            order.push((depth, category));
            let inside = children.remove(&Some(category.id)).unwrap_or_default();
            ahead.extend(inside.into_iter().map(|child| (depth + 1, child)));
        }
        order
    }

    /// The newest first.
    pub fn newest_first(self) -> impl Iterator<Item = Category> {
        self.known.into_values().rev()
    }

    /// A category and all that it is a part of, from the root on; empty if there is no such category.
    #[must_use]
    pub fn path(&self, id: CategoryId) -> Vec<&Category> {
        let mut path: Vec<&Category> = Vec::new();
        let mut next = self.get(id);
        while let Some(category) = next.filter(|_| path.len() < DEPTH_MAX) {
            path.push(category);
            next = category.parent.and_then(|parent| self.get(parent));
        }
        path.reverse();
        path
    }

    /// The category of that name directly in another one, or at the top; accents and case aside.
    #[must_use]
    pub fn named(&self, parent: Option<CategoryId>, name: &str) -> Option<CategoryId> {
        let by_name = self.by_name.get_or_init(|| {
            self.known.values().map(|category| (place(category), category.id)).collect()
        });
        by_name.get(&(parent, folded(name))).copied()
    }

    /// Adds a category, or has it as it is now.
    pub fn insert(&mut self, category: Category) {
        self.remove(category.id);
        if let Some(by_name) = self.by_name.get_mut() {
            by_name.insert(place(&category), category.id);
        }
        self.known.insert(category.id, category);
    }

    /// Forgets a category.
    pub fn remove(&mut self, id: CategoryId) {
        let gone = self.known.remove(&id);
        if let (Some(by_name), Some(gone)) = (self.by_name.get_mut(), gone) {
            by_name.remove(&place(&gone));
        }
    }

    /// A category and all that are in it, at whatever depth; empty if there is no such category.
    #[must_use]
    pub fn subtree(&self, id: CategoryId) -> BTreeSet<CategoryId> {
        let mut found: BTreeSet<CategoryId> =
            self.get(id).map(|root| root.id).into_iter().collect();
        let mut row = found.clone();
        while !row.is_empty() {
            row = self.children(&row).filter(|child| !found.contains(child)).collect();
            found.extend(&row);
        }
        found
    }

    fn children<'a>(
        &'a self,
        parents: &'a BTreeSet<CategoryId>,
    ) -> impl Iterator<Item = CategoryId> + 'a {
        let is_child = |it: &&Category| it.parent.is_some_and(|parent| parents.contains(&parent));
        self.known.values().filter(is_child).map(|child| child.id)
    }

    /// How many categories lie on the longest way from one to a leaf, itself among them.
    fn height(&self, id: CategoryId) -> usize {
        let (mut height, mut row) = (0, BTreeSet::from([id]));
        while !row.is_empty() && height <= DEPTH_MAX {
            (height, row) = (height + 1, self.children(&row).collect());
        }
        height
    }

    /// Adds a category.
    ///
    /// # Errors
    /// The parent is not there or too deep; there are too many categories, or a sibling has the name.
    pub fn create(&self, new: NewCategory, id: CategoryId, now: Timestamp) -> Judged<Category> {
        if self.known.len() + self.others >= CATEGORIES_MAX {
            return Err(Refused::Rule(CategoryError::TooMany { max: CATEGORIES_MAX }));
        }
        let NewCategory { name, parent } = new;
        let made = Category { id, name, parent, created_at: now, updated_at: now, version: 1 };
        self.refuse_misplaced(&made, 1)?;
        Ok(made)
    }

    /// Changes a category; nothing changed means no new version.
    ///
    /// # Errors
    /// There is no such category; the parent is not there, too deep or a part of it; a sibling has the name.
    pub fn update(
        &self,
        id: CategoryId,
        changes: CategoryChanges,
        now: Timestamp,
    ) -> Judged<Category> {
        let before = self.get(id).ok_or(Refused::NotFound)?;
        let mut after = before.clone();
        after.name = changes.name.unwrap_or(after.name);
        after.parent = changes.parent.unwrap_or(after.parent);
        if after == *before {
            return Ok(after);
        }
        if after.parent.is_some_and(|parent| self.subtree(id).contains(&parent)) {
            let problem = message!(
                "names the category itself or one that is in it",
                "corresponde a la misma categoría o a una que está dentro de ella"
            );
            return Err(Refused::Invalid(vec![FieldFault::new("parentId", problem)]));
        }
        self.refuse_misplaced(&after, self.height(id))?;
        (after.updated_at, after.version) = (now, after.version + 1);
        Ok(after)
    }

    /// Judges whether a category, of which no products are known, may be removed.
    ///
    /// # Errors
    /// There is no such category, or it has categories in it.
    pub fn delete(&self, id: CategoryId) -> Judged<&Category> {
        let category = self.get(id).ok_or(Refused::NotFound)?;
        match self.subtree(id).len() {
            0 | 1 => Ok(category),
            _ => Err(Refused::Rule(CategoryError::HasCategories)),
        }
    }

    fn refuse_misplaced(&self, category: &Category, height: usize) -> Judged<()> {
        let fault = |problem| Refused::Invalid(vec![FieldFault::new("parentId", problem)]);
        let depth = match category.parent {
            Some(parent) => self.path(parent).len(),
            None => 0,
        };
        if category.parent.is_some() && depth == 0 {
            return Err(fault(not_there()));
        }
        if depth + height > DEPTH_MAX {
            return Err(fault(message!(
                "would make the tree deeper than {DEPTH_MAX} categories",
                "haría el árbol más profundo que {DEPTH_MAX} categorías"
            )));
        }
        match self.named(category.parent, &category.name) {
            Some(holder) if holder != category.id => {
                Err(Refused::Rule(CategoryError::DuplicateName { holder }))
            }
            _ => Ok(()),
        }
    }

    /// Checks that the categories are there that a product is to be in.
    ///
    /// # Errors
    /// Those that are not.
    pub fn refuse_unknown(&self, wanted: &[CategoryId]) -> Result<(), Vec<FieldFault>> {
        let unknown = wanted.iter().enumerate().filter(|(_, id)| self.get(**id).is_none());
        let fault = |(place, _)| FieldFault::new(format!("categoryIds[{place}]"), not_there());
        let faults: Vec<FieldFault> = unknown.map(fault).collect();
        if faults.is_empty() { Ok(()) } else { Err(faults) }
    }
}

fn not_there() -> kernel::Message {
    message!(
        "names no category of this account",
        "no corresponde a ninguna categoría de esta cuenta"
    )
}

#[cfg(test)]
mod tests;
