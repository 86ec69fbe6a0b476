//! Stock counts: what people count on the shelves of a warehouse, while goods go on moving.
//!
//! A line remembers what was on record at the moment in which it was counted. Posting adds the difference to what is on record by
//! then, so goods that moved in between are neither lost nor counted twice. Only another correction of the same shelf since
//! makes a line stale: it may have found the same difference.
//!
//! A line that is scanned piece by piece is counted at one moment only as long as nothing moves: of what leaves or comes in
//! between, nobody can tell whether it was scanned. So a scan adds up while the shelf is as it was at the first one, and is
//! refused from then on, until the line is begun anew or set. The last scan is taken for the end of it.

use std::collections::BTreeSet;

use kernel::{
    Decimals, FieldFault, Measure, Message, PageRequest, Refused, Timestamp, message,
    quantity::QUANTITY_MAX,
};

use crate::{
    Level, Move, Reason, Sku, StockError, WarehouseId,
    adjustment::{Named, too_many},
};

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
    /// How many of them were left out when it was posted: they had left the catalog.
    pub left_out: i64,
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
    pub quantity: Measure,
    /// How many were on hand by the record.
    pub on_hand_then: Measure,
    /// [`Shelf::changes`] by then.
    pub changes_then: i64,
    /// [`Shelf::corrections`] by then.
    pub corrections_then: i64,
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
    pub snapshot: Measure,
    pub counted: Option<Counted>,
    /// What posting it has changed; `None` until it is posted.
    pub posted: Option<Measure>,
}

impl CountLine {
    /// A line that nobody has counted yet.
    #[must_use]
    pub const fn new(id: CountLineId, sku: Sku, snapshot: Measure) -> Self {
        Self { id, sku, snapshot, counted: None, posted: None }
    }
}

/// What is on a shelf by the record.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Shelf {
    /// What lies there.
    pub level: Level,
    /// How often what is on hand there has changed.
    pub changes: i64,
    /// How often it was corrected: these changes say nothing of goods that moved.
    pub corrections: i64,
}

/// How a line is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tally {
    /// So many more than were counted so far.
    Add(Measure),
    /// So many for the first time; what was counted so far does not count.
    Begin(Measure),
    /// So many, whatever was counted so far.
    Set(Measure),
    /// Not counted after all.
    Clear,
}

impl Tally {
    /// The quantity that it states.
    const fn stated(self) -> Option<Measure> {
        match self {
            Self::Add(stated) | Self::Begin(stated) | Self::Set(stated) => Some(stated),
            Self::Clear => None,
        }
    }
}

/// What a scanner has read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scan {
    /// A SKU, an article number, or the label of a scale.
    pub code: String,
    /// How many more there are; what the label says when absent, or one piece.
    pub quantity: Option<Measure>,
    /// Whether what was counted so far does not count.
    pub restarts: bool,
    /// Who counted.
    pub by: Option<String>,
}

impl Scan {
    /// How it counts what has these decimals, of which a label may say how much there is.
    ///
    /// # Errors
    /// A clause that follows the field `quantity`: nobody has said how much there is of something that is not counted by the
    /// piece.
    pub fn tally(&self, decimals: Decimals, on_label: Option<Measure>) -> Result<Tally, Message> {
        let one = decimals.is_zero().then_some(Measure::whole(1));
        let Some(quantity) = self.quantity.or(on_label).or(one) else {
            return Err(message!(
                "is required: the product is sold by weight or length",
                "es obligatorio: el producto se vende por peso o medida"
            ));
        };
        Ok(if self.restarts { Tally::Begin(quantity) } else { Tally::Add(quantity) })
    }
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

/// Why a line cannot be counted so.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub enum Uncountable {
    /// The line is posted, or there would be more than can be in stock.
    Invalid(FieldFault),
    /// The quantity that is stated has decimals which are not kept, or is too large: a clause that follows its field's name.
    Unkept(Message),
    /// The shelf has changed since so many were counted: what was counted before and what comes on top are not of one moment.
    Moved { sku: Sku, counted: Measure },
}

/// Counts a line: what it is afterwards.
///
/// # Errors
/// [`Uncountable`].
pub fn tally(
    line: &CountLine,
    (field, tally): (&str, Tally),
    shelf: Shelf,
    by: Option<&str>,
    now: Timestamp,
) -> Result<CountLine, Uncountable> {
    let refuse = |problem| Uncountable::Invalid(FieldFault::new(field.to_owned(), problem));
    if line.posted.is_some() {
        return Err(refuse(message!(
            "is posted already; open another count for it",
            "ya está aplicada; hay que abrir otro conteo para ella"
        )));
    }
    let decimals = line.sku.decimals;
    if let Some(Err(problem)) = tally.stated().map(|stated| stated.kept(decimals)) {
        return Err(Uncountable::Unkept(problem));
    }
    let quantity = match (tally, &line.counted) {
        (Tally::Add(more), Some(so_far)) if so_far.changes_then == shelf.changes => {
            so_far.quantity + more
        }
        (Tally::Add(_), Some(so_far)) => {
            return Err(Uncountable::Moved { sku: line.sku, counted: so_far.quantity });
        }
        (Tally::Add(quantity), None) | (Tally::Begin(quantity) | Tally::Set(quantity), _) => {
            quantity
        }
        (Tally::Clear, _) => return Ok(CountLine { counted: None, ..line.clone() }),
    };
    if quantity.kept(decimals).is_err() {
        return Err(refuse(too_many(line.sku)));
    }
    let counted = shelf.counted(quantity, decimals, by, now);
    Ok(CountLine { counted: Some(counted), ..line.clone() })
}

impl Shelf {
    /// That so many were counted on it now.
    fn counted(
        self,
        quantity: Measure,
        decimals: Decimals,
        by: Option<&str>,
        at: Timestamp,
    ) -> Counted {
        Counted {
            quantity,
            on_hand_then: Measure::of(self.level.on_hand(), decimals),
            changes_then: self.changes,
            corrections_then: self.corrections,
            by: by.map(str::to_owned),
            at,
        }
    }
}

/// What comes of posting lines: all of it is recorded together.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct Posted {
    /// The lines that are on record now.
    pub lines: Vec<CountLine>,
    /// How many were left out.
    pub left_out: i64,
    pub moves: Vec<Move>,
}

/// Why lines cannot be posted: nothing was.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub enum Unposted {
    /// Corrected since they were counted.
    Stale(Vec<Sku>),
    /// More has left since it was counted than was found: one of both is wrong.
    Overtaken(Sku),
    /// More of it is promised to orders than was counted.
    Promised { sku: Sku, committed: Measure },
    /// Would be beyond what can be in stock.
    TooMany(Sku),
}

/// Posts lines of a count: what was counted of each, and what nobody has counted as the count says. Lines that are posted are
/// left out. `wanted` are those that are named, all when `None`. What has no shelf has left the catalog, and is left out, too.
///
/// # Errors
/// [`Unposted`].
pub fn post(
    count: &Count,
    lines: &[CountLine],
    wanted: Option<&BTreeSet<Sku>>,
    shelf: impl Fn(Sku) -> Option<Shelf>,
    now: Timestamp,
) -> Result<Posted, Unposted> {
    let is_wanted = |line: &&CountLine| {
        line.posted.is_none()
            && (line.counted.is_some() || count.uncounted == Uncounted::Zero)
            && wanted.is_none_or(|wanted| wanted.contains(&line.sku))
    };
    let mut posted = Posted { lines: Vec::new(), left_out: 0, moves: Vec::new() };
    let mut stale = Vec::new();
    for line in lines.iter().filter(is_wanted) {
        let Some(shelf) = shelf(line.sku) else {
            posted.left_out += 1;
            continue;
        };
        let decimals = line.sku.decimals;
        let counted = line.counted.clone();
        let counted = counted.unwrap_or_else(|| shelf.counted(Measure::ZERO, decimals, None, now));
        if counted.corrections_then != shelf.corrections {
            stale.push(line.sku);
            continue;
        }
        let difference = counted.quantity - counted.on_hand_then;
        let delta = difference.quantity(decimals);
        if shelf.level.on_hand() + delta < 0 {
            return Err(Unposted::Overtaken(line.sku));
        }
        let available = shelf.level.available + delta;
        if available < 0 {
            let committed = line.sku.measure(shelf.level.committed);
            return Err(Unposted::Promised { sku: line.sku, committed });
        }
        if available > QUANTITY_MAX {
            return Err(Unposted::TooMany(line.sku));
        }
        if delta != 0 {
            let at = (line.sku, count.warehouse);
            let moved = Move::new(at, delta, Reason::Count, &count.id.to_string());
            posted.moves.push(Move { note: counted.by.clone(), ..moved });
        }
        let counted = Some(counted);
        posted.lines.push(CountLine { counted, posted: Some(difference), ..line.clone() });
    }
    if stale.is_empty() { Ok(posted) } else { Err(Unposted::Stale(stale)) }
}

/// A count after some of its lines were counted or posted, now that so many are.
#[must_use]
pub fn went_on(before: &Count, (lines, counted, posted): (i64, i64, i64), now: Timestamp) -> Count {
    let status = if counted > 0 { CountStatus::Counting } else { CountStatus::Draft };
    let version = before.version + 1;
    Count { status, lines, counted, posted, updated_at: now, version, ..before.clone() }
}

/// A count all of which is on record but for so many lines.
#[must_use]
pub fn completed(before: &Count, left_out: i64, now: Timestamp) -> Count {
    Count { status: CountStatus::Posted, left_out, posted_at: Some(now), ..before.clone() }
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
