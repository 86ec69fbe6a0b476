//! Rows that commands leave to be written before their commit, by a statement for all of their batch.

use std::{
    any::{Any, TypeId},
    collections::BTreeMap,
    fmt,
};

use diesel::QueryResult;

use crate::tx::Tx;

/// A row that nobody reads before it is committed, so that it can be written together with those of other commands.
pub trait Late: Sized + Send + 'static {
    /// Writes the rows that a batch has left, in the order in which they were left.
    ///
    /// # Errors
    /// Those of the database; then nothing of the batch is committed.
    fn write(rows: Vec<Self>, tx: &mut Tx<'_>) -> QueryResult<()>;
}

/// Rows of one kind.
trait Pile: Any + Send {
    fn append(&mut self, more: Box<dyn Pile>);
    fn write(self: Box<Self>, tx: &mut Tx<'_>) -> QueryResult<()>;
}

impl<T: Late> Pile for Vec<T> {
    fn append(&mut self, more: Box<dyn Pile>) {
        let more: Box<dyn Any> = more;
        // Piles are kept by the type of their rows.
        if let Ok(more) = more.downcast::<Self>() {
            self.extend(*more);
        }
    }

    fn write(self: Box<Self>, tx: &mut Tx<'_>) -> QueryResult<()> {
        T::write(*self, tx)
    }
}

/// Rows left to be written, by kind.
#[derive(Default)]
pub(crate) struct LateRows(BTreeMap<TypeId, Box<dyn Pile>>);

impl fmt::Debug for LateRows {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "late rows of {} kinds", self.0.len())
    }
}

impl LateRows {
    pub(crate) fn add<T: Late>(&mut self, rows: Vec<T>) {
        self.merge(TypeId::of::<T>(), Box::new(rows));
    }

    pub(crate) fn append(&mut self, more: Self) {
        for (kind, pile) in more.0 {
            self.merge(kind, pile);
        }
    }

    fn merge(&mut self, kind: TypeId, pile: Box<dyn Pile>) {
        match self.0.get_mut(&kind) {
            Some(known) => known.append(pile),
            None => drop(self.0.insert(kind, pile)),
        }
    }
}

/// Writes what the commands of a transaction have left.
pub(crate) fn write(tx: &mut Tx<'_>) -> QueryResult<()> {
    // What is written may leave something itself.
    while let Some((_, pile)) = tx.effects.late.0.pop_first() {
        pile.write(tx)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Row(u8);

    impl Late for Row {
        fn write(_: Vec<Self>, _: &mut Tx<'_>) -> QueryResult<()> {
            Ok(())
        }
    }

    #[test]
    fn rows_of_one_kind_are_kept_in_the_order_in_which_they_were_left() {
        let (mut rows, mut more) = (LateRows::default(), LateRows::default());
        rows.add(vec![Row(1), Row(2)]);
        more.add(vec![Row(3)]);
        rows.append(more);
        let (_, pile) = rows.0.pop_first().unwrap();
        assert!(rows.0.is_empty());
        let pile: Box<dyn Any> = pile;
        let numbers: Vec<u8> =
            pile.downcast::<Vec<Row>>().unwrap().iter().map(|row| row.0).collect();
        assert_eq!(numbers, [1, 2, 3]);
    }
}
