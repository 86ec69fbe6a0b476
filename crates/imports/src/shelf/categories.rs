//! The categories that rows name, those that are not there made on the way.

use std::collections::HashMap;

use catalog::{Category, CategoryError, CategoryId, NewCategory, Tree};
use kernel::Refused;

use super::Judging;
use crate::{CategoryPath, Code, Column, Problem, paths::written};

/// The categories of an account, and those that rows have added.
#[derive(Debug)]
pub(super) struct Shelving {
    tree: Tree,
    /// What has been looked for before.
    known: HashMap<CategoryPath, CategoryId>,
    made: Vec<Category>,
}

impl Shelving {
    pub(super) fn new(tree: Tree) -> Self {
        Self { tree, known: HashMap::new(), made: Vec::new() }
    }

    /// Those that have been made, each behind what it is a part of.
    pub(super) fn made(&self) -> &[Category] {
        &self.made
    }

    /// Forgets those that have been made since there were so many.
    pub(super) fn unmake(&mut self, kept: usize) {
        for gone in self.made.drain(kept.min(self.made.len())..) {
            self.tree.remove(gone.id);
            self.known.retain(|_, id| *id != gone.id);
        }
    }

    /// The paths that lead to none of these categories, each as a table has it.
    pub(super) fn others<'s>(
        &'s self,
        paths: Option<&'s [CategoryPath]>,
        are: &'s [CategoryId],
    ) -> impl Iterator<Item = String> + 's {
        let step = |inside, name: &String| self.tree.named(inside, name).map(Some);
        let leads_in = move |path: &&CategoryPath| {
            let found = path.iter().try_fold(None, step).flatten();
            found.is_some_and(|id| are.contains(&id))
        };
        let others = paths.unwrap_or_default().iter().filter(move |path| !leads_in(path));
        others.map(|path| written(path.iter().map(String::as_str)))
    }

    /// The category that a path leads to.
    pub(super) fn at(
        &mut self,
        path: &CategoryPath,
        judging: Judging<'_>,
    ) -> Result<CategoryId, Problem> {
        if let Some(id) = self.known.get(path) {
            return Ok(*id);
        }
        let mut inside = None;
        for name in path {
            let id = match self.tree.named(inside, name) {
                Some(id) => id,
                None => self.make(name, inside, judging).map_err(|code| {
                    let path = written(path.iter().map(String::as_str));
                    Problem::of(Column::Categories, code, &path)
                })?,
            };
            inside = Some(id);
        }
        let id = inside.ok_or_else(|| Problem::of(Column::Categories, Code::BadCategory, ""))?;
        self.known.insert(path.clone(), id);
        Ok(id)
    }

    fn make(
        &mut self,
        name: &str,
        parent: Option<CategoryId>,
        Judging { ids, now, .. }: Judging<'_>,
    ) -> Result<CategoryId, Code> {
        let new = NewCategory { name: name.to_owned(), parent };
        let made = self.tree.create(new, CategoryId::from_u128(ids.next()), now);
        let made = made.map_err(|refused| match refused {
            Refused::Rule(CategoryError::TooMany { .. }) => Code::TooManyCategories,
            _ => Code::BadCategory,
        })?;
        let id = made.id;
        self.tree.insert(made.clone());
        self.made.push(made);
        Ok(id)
    }
}
