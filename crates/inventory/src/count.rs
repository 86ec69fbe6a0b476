//! Stock counts: what people count on the shelves of a warehouse, while goods go on moving.
//!
//! A line remembers what was on record at the moment in which it was counted. Posting adds the difference to what is on record by
//! then, so goods that moved in between are neither lost nor counted twice. Only another correction of the same shelf since
//! makes a line stale: it may have found the same difference.

use std::collections::BTreeSet;

use kernel::{
    FieldFault, PageRequest, Quantity, Refused, Timestamp, message, quantity::QUANTITY_MAX,
};

use crate::{Level, Move, MovementId, Reason, Sku, StockError, WarehouseId, adjustment::Named};

kernel::ids! {
    /// A stock count's identifier.
    CountId = "cnt";
    /// The identifier of a line of a stock count.
    CountLineId = "cln";
}

/// The most lines of one count.
pub const COUNT_LINES_MAX: usize = 5_000;
/// The most lines that one call names.
pub const NAMED_MAX: usize = 500;
/// The most characters of the name of who counts.
pub const PERSON_CHARS_MAX: usize = 100;

/// How far a count has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CountStatus {
    /// Nothing has been counted yet.
    Draft,
    /// Something has been counted.
    Counting,
    /// What was counted is on record.
    Posted,
    /// Called off.
    Cancelled,
}

impl CountStatus {
    /// Every status.
    pub const EVERY: &'static [Self] =
        &[Self::Draft, Self::Counting, Self::Posted, Self::Cancelled];
    /// Those in which goods can be counted.
    pub const OPEN: &'static [Self] = &[Self::Draft, Self::Counting];

    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Draft => "draft",
            Self::Counting => "counting",
            Self::Posted => "posted",
            Self::Cancelled => "cancelled",
        }
    }
}

/// What becomes of lines that nobody has counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Uncounted {
    /// They stay as they are.
    #[default]
    Leave,
    /// There are none of them: they are counted as 0 when the count is posted.
    Zero,
}

impl Uncounted {
    /// Both.
    pub const EVERY: &'static [Self] = &[Self::Leave, Self::Zero];

    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Leave => "leave",
            Self::Zero => "zero",
        }
    }
}

/// A count to be opened; its fields have been checked one by one.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct NewCount {
    /// The default warehouse when absent.
    pub warehouse: Option<WarehouseId>,
    pub uncounted: Uncounted,
    pub note: Option<String>,
    /// What is to be counted: at most [`NAMED_MAX`]; all that is on hand there when empty.
    pub named: Vec<Named>,
}

/// A count of the goods in a warehouse.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct Count {
    pub id: CountId,
    pub status: CountStatus,
    pub warehouse: WarehouseId,
    pub uncounted: Uncounted,
    pub note: Option<String>,
    /// How many lines it has.
    pub lines: i64,
    /// How many of them were counted.
    pub counted: i64,
    /// How many of them are on record.
    pub posted: i64,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
    pub posted_at: Option<Timestamp>,
    pub cancelled_at: Option<Timestamp>,
    /// Number of changes, starting at 1.
    pub version: i64,
}

/// What was counted of a line, and what was on record at that moment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counted {
    /// How many there were.
    pub quantity: Quantity,
    /// How many were on hand by the record.
    pub on_hand_then: Quantity,
    /// The last correction of the shelf by then.
    pub correction: Option<MovementId>,
    /// Who counted.
    pub by: Option<String>,
    /// When.
    pub at: Timestamp,
}

/// A line of a count.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct CountLine {
    pub id: CountLineId,
    pub sku: Sku,
    /// What was on hand when the line was added.
    pub snapshot: Quantity,
    pub counted: Option<Counted>,
    /// What posting it has changed; `None` until it is posted.
    pub posted: Option<Quantity>,
}

impl CountLine {
    /// A line that nobody has counted yet.
    #[must_use]
    pub const fn new(id: CountLineId, sku: Sku, snapshot: Quantity) -> Self {
        Self { id, sku, snapshot, counted: None, posted: None }
    }
}

/// What is on a shelf by the record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shelf {
    /// What lies there.
    pub level: Level,
    /// The last time that somebody corrected it.
    pub correction: Option<MovementId>,
}

/// How a line is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tally {
    /// So many more than were counted so far.
    Add(Quantity),
    /// So many, whatever was counted so far.
    Set(Quantity),
    /// Not counted after all.
    Clear,
}

/// Something that was counted.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct Tallied {
    pub named: Named,
    pub tally: Tally,
}

/// What was counted at once, by the same person.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct Tallies {
    pub lines: Vec<Tallied>,
    pub by: Option<String>,
}

/// Which counts are listed; every set field must match.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct CountFilter {
    pub status: Option<CountStatus>,
    pub warehouse: Option<WarehouseId>,
}

/// A wanted page of counts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct CountQuery {
    pub filter: CountFilter,
    pub page: PageRequest,
}

/// A wanted page of the lines of a count.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct CountLineQuery {
    /// Whether only lines that were counted are listed, or only those that were not.
    pub counted: Option<bool>,
    pub page: PageRequest,
}

type Outcome<T> = Result<T, Refused<StockError>>;

/// Refuses what only goes while a count is open.
///
/// # Errors
/// [`StockError::CountStatus`].
pub fn expect_open(count: &Count) -> Outcome<()> {
    if CountStatus::OPEN.contains(&count.status) {
        return Ok(());
    }
    Err(Refused::Rule(StockError::CountStatus { status: count.status }))
}

/// Counts a line: what it is afterwards. What was counted before somebody corrected the shelf says nothing any more, so a scan
/// begins anew then.
///
/// # Errors
/// A line that is posted already, and a sum beyond what can be in stock.
pub fn tally(
    line: &CountLine,
    (field, tally): (&str, Tally),
    shelf: Shelf,
    by: Option<&str>,
    now: Timestamp,
) -> Result<CountLine, FieldFault> {
    if line.posted.is_some() {
        let problem = message!(
            "is posted already; open another count for it",
            "ya está aplicada; abra otro conteo para ella"
        );
        return Err(FieldFault::new(field.to_owned(), problem));
    }
    let so_far = line.counted.as_ref().filter(|counted| counted.correction == shelf.correction);
    let quantity = match tally {
        Tally::Add(more) => so_far.map_or(0, |counted| counted.quantity) + more,
        Tally::Set(quantity) => quantity,
        Tally::Clear => return Ok(CountLine { counted: None, ..line.clone() }),
    };
    if quantity > QUANTITY_MAX {
        let problem = message!(
            "leads to more than {QUANTITY_MAX} in stock",
            "lleva a una existencia de más de {QUANTITY_MAX}"
        );
        return Err(FieldFault::new(field.to_owned(), problem));
    }
    let counted = Counted {
        quantity,
        on_hand_then: shelf.level.on_hand(),
        correction: shelf.correction,
        by: by.map(str::to_owned),
        at: now,
    };
    Ok(CountLine { counted: Some(counted), ..line.clone() })
}

/// What comes of posting lines: all of it is recorded together.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct Posted {
    /// The lines that are on record now.
    pub lines: Vec<CountLine>,
    pub moves: Vec<Move>,
}

/// Why lines cannot be posted: nothing was.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub enum Unposted {
    /// Corrected since they were counted.
    Stale(Vec<Sku>),
    /// More of it is promised to orders than was counted.
    Promised { sku: Sku, committed: Quantity },
    /// Would be beyond what can be in stock.
    TooMany(Sku),
}

/// Posts lines of a count: what was counted of each, and what nobody has counted as the count says. Lines that are posted are
/// left out. `wanted` are those that are named, all when `None`.
///
/// # Errors
/// [`Unposted`].
pub fn post(
    count: &Count,
    lines: &[CountLine],
    wanted: Option<&BTreeSet<Sku>>,
    shelf: impl Fn(Sku) -> Shelf,
    now: Timestamp,
) -> Result<Posted, Unposted> {
    let is_wanted = |line: &&CountLine| {
        line.posted.is_none() && wanted.is_none_or(|wanted| wanted.contains(&line.sku))
    };
    let (mut posted, mut moves, mut stale) = (Vec::new(), Vec::new(), Vec::new());
    for line in lines.iter().filter(is_wanted) {
        let shelf = shelf(line.sku);
        let counted = match (&line.counted, count.uncounted) {
            (Some(counted), _) => counted.clone(),
            (None, Uncounted::Leave) => continue,
            (None, Uncounted::Zero) => Counted {
                quantity: 0,
                on_hand_then: shelf.level.on_hand(),
                correction: shelf.correction,
                by: None,
                at: now,
            },
        };
        if counted.correction != shelf.correction {
            stale.push(line.sku);
            continue;
        }
        let delta = counted.quantity - counted.on_hand_then;
        let available = shelf.level.available + delta;
        if available < 0 {
            let committed = shelf.level.committed;
            return Err(Unposted::Promised { sku: line.sku, committed });
        }
        if available > QUANTITY_MAX {
            return Err(Unposted::TooMany(line.sku));
        }
        if delta != 0 {
            let at = (line.sku, count.warehouse);
            let moved = Move::new(at, delta, Reason::Count, &count.id.to_string());
            moves.push(Move { note: counted.by.clone(), ..moved });
        }
        posted.push(CountLine { counted: Some(counted), posted: Some(delta), ..line.clone() });
    }
    if stale.is_empty() { Ok(Posted { lines: posted, moves }) } else { Err(Unposted::Stale(stale)) }
}

/// A count after some of its lines were counted or posted, now that so many are.
#[must_use]
pub fn went_on(before: &Count, (lines, counted, posted): (i64, i64, i64), now: Timestamp) -> Count {
    let status = if counted > 0 { CountStatus::Counting } else { CountStatus::Draft };
    let version = before.version + 1;
    Count { status, lines, counted, posted, updated_at: now, version, ..before.clone() }
}

/// A count all of which is on record.
#[must_use]
pub fn completed(before: &Count, now: Timestamp) -> Count {
    Count { status: CountStatus::Posted, posted_at: Some(now), ..before.clone() }
}

/// Calls a count off; lines that are posted stay so.
///
/// # Errors
/// [`StockError::CountStatus`].
pub fn cancel(before: &Count, now: Timestamp) -> Outcome<Count> {
    expect_open(before)?;
    let (status, version) = (CountStatus::Cancelled, before.version + 1);
    Ok(Count { status, version, updated_at: now, cancelled_at: Some(now), ..before.clone() })
}

#[cfg(test)]
mod tests;
