//! Adjustments: stock that people correct by hand, all lines of one or none.

use std::collections::BTreeMap;

use kernel::{
    Decimals, FieldFault, Measure, Message, Quantity, Refusal, Timestamp, message,
    quantity::QUANTITY_MAX,
};

use crate::{Level, Move, Reason, Sku, StockError, WarehouseId};

kernel::ids! {
    /// An adjustment's identifier.
    AdjustmentId = "adj";
}

/// The most lines of one adjustment.
pub const LINES_MAX: usize = 500;

macro_rules! causes {
    ($($(#[$doc:meta])* $name:ident = $text:literal;)+) => {
        /// Why people correct stock.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Cause {
            $($(#[$doc])* $name,)+
        }

        impl Cause {
            /// Every cause.
            pub const EVERY: &'static [Self] = &[$(Self::$name,)+];

            /// Its name.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(Self::$name => $text,)+ }
            }
        }
    };
}

causes! {
    /// Damaged goods.
    Damage = "damage";
    /// Stolen.
    Theft = "theft";
    /// Past the date until which they can be sold.
    Expired = "expired";
    /// Found again.
    Found = "found";
    /// Given away to be tried.
    Sample = "sample";
    /// Used by the merchant.
    InternalUse = "internal_use";
    /// What was on record was wrong.
    Correction = "correction";
    /// Anything else.
    Other = "other";
}

/// How a line of an adjustment is stated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// So many more, or fewer.
    Delta(Measure),
    /// So many are on hand.
    Counted(Measure),
}

impl Change {
    /// The quantity that it states.
    #[must_use]
    pub const fn stated(self) -> Measure {
        match self {
            Self::Delta(stated) | Self::Counted(stated) => stated,
        }
    }

    /// The field that states it.
    const fn field(self) -> &'static str {
        match self {
            Self::Delta(_) => "delta",
            Self::Counted(_) => "countedQuantity",
        }
    }
}

/// What a line names: the product or variant, or a code of it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Named {
    /// By its identifiers.
    Id(Sku),
    /// By its SKU.
    Code(String),
    /// By its barcode number.
    Ean(String),
}

/// What a barcode number names of those that have it: of a product and one variant with the same number, the variant; `None`
/// where several products or several variants have it.
#[must_use]
pub fn named_by_ean(holders: &[Sku]) -> Option<Sku> {
    let product = holders.first()?.product;
    if holders.iter().any(|holder| holder.product != product) {
        return None;
    }
    let mut variants = holders.iter().filter(|holder| holder.variant.is_some());
    match (variants.next(), variants.next()) {
        (Some(variant), None) => Some(*variant),
        (Some(_), Some(_)) => None,
        (None, _) => holders.first().copied(),
    }
}

/// A line of an adjustment to be made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewLine {
    /// Where; in the default warehouse when absent.
    pub warehouse: Option<WarehouseId>,
    /// What.
    pub named: Named,
    /// By how much.
    pub change: Change,
}

/// An adjustment to be made; its fields have been checked one by one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewAdjustment {
    /// Why.
    pub cause: Cause,
    /// More about it.
    pub note: Option<String>,
    /// The caller's own reference.
    pub reference: Option<String>,
    /// 1 to [`LINES_MAX`] lines.
    pub lines: Vec<NewLine>,
}

/// A line of an adjustment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AdjustmentLine {
    /// What.
    pub sku: Sku,
    /// Where.
    pub warehouse: WarehouseId,
    /// Change of what is available; 0 where the count was that on record.
    pub delta: Measure,
    /// What was available there afterwards.
    pub available: Measure,
    /// What was on hand there afterwards.
    pub on_hand: Measure,
}

/// Stock that was corrected by hand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Adjustment {
    /// Its identifier.
    pub id: AdjustmentId,
    /// Why.
    pub cause: Cause,
    /// More about it.
    pub note: Option<String>,
    /// The caller's own reference.
    pub reference: Option<String>,
    /// What was corrected.
    pub lines: Vec<AdjustmentLine>,
    /// When.
    pub created_at: Timestamp,
}

/// What comes of an adjustment: all of it is recorded together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Adjusted {
    /// The adjustment.
    pub record: Adjustment,
    /// What it does to the stock.
    pub moves: Vec<Move>,
}

/// What no correction leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Impossible {
    /// With decimals that are not kept.
    NotWhole,
    /// Less than nothing that can be promised.
    BelowZero,
    /// More than [`QUANTITY_MAX`].
    TooMany,
}

/// By how much what is available changes, where a person corrects it so.
///
/// # Errors
/// [`Impossible`].
pub const fn changed(
    level: Level,
    change: Change,
    decimals: Decimals,
) -> Result<Quantity, Impossible> {
    if !change.stated().fits(decimals) {
        return Err(Impossible::NotWhole);
    }
    let stated = change.stated().quantity(decimals);
    let delta = match change {
        Change::Delta(_) => stated,
        Change::Counted(_) => stated.saturating_sub(level.on_hand()),
    };
    match level.available.saturating_add(delta) {
        ..0 => Err(Impossible::BelowZero),
        0..=QUANTITY_MAX => Ok(delta),
        _ => Err(Impossible::TooMany),
    }
}

/// What is wrong with lines that name what one before them does.
#[must_use]
pub fn repeated(skus: &[Sku]) -> Vec<FieldFault> {
    let mut seen: BTreeMap<Sku, usize> = BTreeMap::new();
    let mut faults = Vec::new();
    for (index, sku) in skus.iter().enumerate() {
        if let Some(other) = seen.insert(*sku, index) {
            let problem = message!(
                "names the same product as items[{other}]",
                "nombra el mismo producto que items[{other}]"
            );
            faults.push(FieldFault::new(format!("items[{index}]"), problem));
        }
    }
    faults
}

/// Corrects stock. `lines` are those of the command with what each of them names and where, `levels` what there is.
///
/// # Errors
/// [`Refusal`]: a line that names the same as another one, or takes more than there is.
pub fn adjust(
    new: &NewAdjustment,
    lines: &[(Sku, WarehouseId)],
    levels: impl Fn(Sku, WarehouseId) -> Level,
    id: AdjustmentId,
    now: Timestamp,
) -> Result<Adjusted, Refusal<StockError>> {
    let mut seen: BTreeMap<(Sku, WarehouseId), usize> = BTreeMap::new();
    let (mut faults, mut moves, mut record) = (Vec::new(), Vec::new(), Vec::new());
    for (index, (wanted, at)) in new.lines.iter().zip(lines).enumerate() {
        if let Some(other) = seen.insert(*at, index) {
            let problem = message!(
                "names the same product and warehouse as items[{other}]",
                "nombra el mismo producto y almacén que items[{other}]"
            );
            faults.push(FieldFault::new(format!("items[{index}]"), problem));
            continue;
        }
        let (sku, warehouse) = *at;
        let level = levels(sku, warehouse);
        if let Err(problem) = wanted.change.stated().kept(sku.decimals) {
            let field = format!("items[{index}].{}", wanted.change.field());
            faults.push(FieldFault::new(field, problem));
            continue;
        }
        let delta = match changed(level, wanted.change, sku.decimals) {
            Ok(delta) => delta,
            Err(Impossible::BelowZero) => {
                return Err(Refusal::Rule(StockError::BelowZero {
                    field: format!("items[{index}]"),
                    available: sku.measure(level.available),
                    committed: sku.measure(level.committed),
                }));
            }
            Err(Impossible::TooMany | Impossible::NotWhole) => {
                faults.push(FieldFault::new(format!("items[{index}]"), too_many(sku)));
                continue;
            }
        };
        let available = level.available + delta;
        if delta != 0 {
            let moved = Move::new(*at, delta, Reason::Adjustment, &id.to_string());
            moves.push(Move { note: Some(told(new)), ..moved });
        }
        let on_hand = available + level.committed;
        let [delta, available, on_hand] =
            [delta, available, on_hand].map(|quantity| sku.measure(quantity));
        record.push(AdjustmentLine { sku, warehouse, delta, available, on_hand });
    }
    if !faults.is_empty() {
        return Err(Refusal::Invalid(faults));
    }
    let NewAdjustment { cause, note, reference, .. } = new.clone();
    let record = Adjustment { id, cause, note, reference, lines: record, created_at: now };
    Ok(Adjusted { record, moves })
}

/// What is said of more of something than can be in stock.
pub(crate) fn too_many(sku: Sku) -> Message {
    message!(
        "leads to more than {most} in stock",
        "lleva a una existencia de más de {most}",
        most = sku.measure(QUANTITY_MAX)
    )
}

impl Cause {
    /// The cause that the ledger says an adjustment had, and what else was noted.
    #[must_use]
    pub fn noted(note: &str) -> Option<(Self, Option<&str>)> {
        let (name, rest) = match note.split_once(": ") {
            Some((name, rest)) => (name, Some(rest)),
            None => (note, None),
        };
        let cause = Self::EVERY.iter().copied().find(|cause| cause.name() == name)?;
        Some((cause, rest))
    }
}

/// What the ledger says of why: the code of the cause, in whatever language it is read.
fn told(new: &NewAdjustment) -> String {
    match &new.note {
        Some(note) => format!("{}: {note}", new.cause.name()),
        None => new.cause.name().to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ProductId;

    const PLACE: WarehouseId = WarehouseId::from_u128(1);

    fn sku(number: u128) -> Sku {
        Sku::named(ProductId::from_u128(number), None)
    }

    fn adjusted(changes: &[(u128, Change)], level: Level) -> Result<Adjusted, Refusal<StockError>> {
        let line = |(number, change): &(u128, Change)| NewLine {
            warehouse: None,
            named: Named::Id(sku(*number)),
            change: *change,
        };
        let new = NewAdjustment {
            cause: Cause::Damage,
            note: Some("Se cayó".to_owned()),
            reference: None,
            lines: changes.iter().map(line).collect(),
        };
        let lines: Vec<_> = changes.iter().map(|(number, _)| (sku(*number), PLACE)).collect();
        let id = AdjustmentId::from_u128(1);
        adjust(&new, &lines, |_, _| level, id, Timestamp::from_micros(1))
    }

    #[test]
    fn a_barcode_number_of_several_names_none() {
        let of = |product, variant: Option<u128>| {
            let variant = variant.map(crate::VariantId::from_u128);
            Sku::named(crate::ProductId::from_u128(product), variant)
        };
        let (mug, blue, red, pen) = (of(1, None), of(1, Some(2)), of(1, Some(3)), of(4, None));
        for (holders, named) in [
            (vec![], None),
            (vec![mug], Some(mug)),
            (vec![blue], Some(blue)),
            (vec![mug, blue], Some(blue)),
            (vec![mug, blue, red], None),
            (vec![mug, pen], None),
            (vec![pen, blue], None),
        ] {
            assert_eq!(named_by_ean(&holders), named, "{holders:?}");
        }
    }

    #[test]
    fn counts_are_of_what_is_on_hand() {
        let level = Level { available: 3, committed: 2 };
        let units = Measure::whole;
        let changes = [(1, Change::Counted(units(4))), (2, Change::Delta(units(-3)))];
        let made = adjusted(&changes, level).unwrap();
        let deltas: Vec<_> = made.moves.iter().map(|moved| moved.delta).collect();
        assert_eq!(deltas, [-1, -3]);
        let on_hand: Vec<_> = made.record.lines.iter().map(|line| line.on_hand).collect();
        assert_eq!(on_hand, [4, 2].map(units));
        assert_eq!(made.moves[0].note.as_deref(), Some("damage: Se cayó"));
        assert_eq!(Cause::noted("damage: Se cayó"), Some((Cause::Damage, Some("Se cayó"))));
        assert_eq!(Cause::noted("internal_use"), Some((Cause::InternalUse, None)));
        for other in ["", "Se cayó: damage", "damages: x", "rtn_1"] {
            assert_eq!(Cause::noted(other), None, "{other}");
        }
        // A count that is right is on record, and moves nothing.
        let right = adjusted(&[(1, Change::Counted(units(5)))], level).unwrap();
        assert_eq!((right.moves.len(), right.record.lines.len()), (0, 1));
    }

    #[test]
    fn what_is_promised_is_not_taken() {
        let level = Level { available: 3, committed: 2 };
        let units = Measure::whole;
        for change in [Change::Delta(units(-4)), Change::Counted(units(1))] {
            let refused = adjusted(&[(1, change)], level).unwrap_err();
            let Refusal::Rule(StockError::BelowZero { available, committed, .. }) = refused else {
                panic!("{refused:?}");
            };
            assert_eq!((available, committed), (units(3), units(2)));
        }
        let most = adjusted(&[(1, Change::Delta(units(QUANTITY_MAX)))], level).unwrap_err();
        assert!(matches!(most, Refusal::Invalid(_)));
        let one = (1, Change::Delta(units(1)));
        let twice = adjusted(&[one, one], level).unwrap_err();
        let Refusal::Invalid(faults) = twice else { panic!("{twice:?}") };
        assert_eq!(faults[0].field, "items[1]");
    }

    #[test]
    fn quantities_have_the_decimals_that_are_kept() {
        let level = Level { available: 3_000, committed: 2_000 };
        let some = Measure::from_thousandths;
        for (change, decimals, delta) in [
            (Change::Delta(some(-350)), Decimals::Three, Ok(-350)),
            (Change::Counted(some(4_650)), Decimals::Three, Ok(-350)),
            (Change::Delta(some(-3_001)), Decimals::Three, Err(Impossible::BelowZero)),
            (Change::Delta(some(-350)), Decimals::Zero, Err(Impossible::NotWhole)),
            (Change::Counted(some(4_650_500)), Decimals::Zero, Err(Impossible::NotWhole)),
            (Change::Delta(some(QUANTITY_MAX)), Decimals::Three, Err(Impossible::TooMany)),
        ] {
            assert_eq!(changed(level, change, decimals), delta, "{change:?}");
        }
    }
}
