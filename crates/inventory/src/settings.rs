//! How the orders of an account take from its warehouses, and how its scales write their labels.

use kernel::{FieldFault, ScaleCode, message};

use crate::WarehouseId;

/// Which warehouses an order that names none takes from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Allocation {
    /// The default warehouse alone.
    #[default]
    Default,
    /// Any that goods are sold from, by their priority; one order may take from several.
    AnyAvailable,
}

impl Allocation {
    /// Every one.
    pub const EVERY: &'static [Self] = &[Self::Default, Self::AnyAvailable];

    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Default => "default",
            Self::AnyAvailable => "anyAvailable",
        }
    }
}

/// The stock settings of an account.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct StockSettings {
    pub allocation: Allocation,
    /// Where orders take from and counts of the whole go to.
    pub default_warehouse: WarehouseId,
    /// How its scales write their labels; no label fits two of them.
    pub scale_codes: Vec<ScaleCode>,
    /// Counts their changes.
    pub version: i64,
}

/// What is wrong with several patterns: a label could be read by more than one.
#[must_use]
pub fn ambiguous(scale_codes: &[ScaleCode]) -> Vec<FieldFault> {
    let mut faults = Vec::new();
    for (index, pattern) in scale_codes.iter().enumerate() {
        if let Some(other) = scale_codes.iter().take(index).find(|other| pattern.meets(other)) {
            let problem = message!(
                "begins as {other} does: a label could be read by both; give each its own fixed digits",
                "empieza igual que {other}: una etiqueta podría leerse con ambos; dé a cada uno sus propios dígitos fijos"
            );
            faults.push(FieldFault::new(format!("scaleCodes[{index}]"), problem));
        }
    }
    faults
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_label_is_read_in_two_ways() {
        let fields = |patterns: &[&str]| -> Vec<String> {
            let patterns: Vec<ScaleCode> =
                patterns.iter().map(|text| ScaleCode::parse(text).unwrap()).collect();
            ambiguous(&patterns).into_iter().map(|fault| fault.field).collect()
        };
        assert!(fields(&["20PPPPPWWWWWC", "21PPPPPMMMMMC"]).is_empty());
        assert_eq!(
            fields(&["20PPPPPWWWWWC", "20PPPPPMMMMMC", "2PPPPPPWWWWWC"]),
            ["scaleCodes[1]", "scaleCodes[2]"]
        );
    }
}
