//! Which goods of an export are of which items.

use std::collections::HashMap;

use crate::{complements::TradedGoods, document::Item};

/// The goods and items of an export by their number.
pub(super) struct Lines<'a> {
    items: HashMap<&'a str, Vec<&'a Item>>,
    goods: HashMap<&'a str, Vec<(usize, &'a TradedGoods)>>,
    need_customs_data: bool,
}

impl<'a> Lines<'a> {
    pub(super) fn of(items: &'a [Item], goods: &'a [TradedGoods]) -> Self {
        let mut lines =
            Self { items: HashMap::new(), goods: HashMap::new(), need_customs_data: false };
        for item in items {
            lines.items.entry(item.sku.as_deref().unwrap_or_default()).or_default().push(item);
        }
        for (index, each) in goods.iter().enumerate() {
            lines.goods.entry(each.sku.as_str()).or_default().push((index, each));
        }
        lines.need_customs_data = goods.iter().any(TradedGoods::has_customs_data)
            || lines.goods.values().any(|of_sku| of_sku.len() > 1)
            || lines.goods.keys().any(|sku| lines.items_of(sku).len() > 1);
        lines
    }

    /// The items with that number.
    pub(super) fn items_of(&self, sku: &str) -> &[&'a Item] {
        self.items.get(sku).map_or(&[], Vec::as_slice)
    }

    /// The unit in which goods are counted: that of customs, else the item's.
    pub(super) fn unit_of(&self, goods: &'a TradedGoods) -> Option<&'a str> {
        let of_item = || self.items_of(&goods.sku).first()?.unit.as_deref();
        goods.customs_unit.as_deref().or_else(of_item)
    }

    /// The goods with that number, and their places in the list.
    pub(super) fn goods_of(&self, sku: &str) -> &[(usize, &'a TradedGoods)] {
        self.goods.get(sku).map_or(&[], Vec::as_slice)
    }

    /// Whether all goods must say how customs count them: as soon as some do, or when it would not be clear
    /// which item's quantity is meant.
    pub(super) const fn need_customs_data(&self) -> bool {
        self.need_customs_data
    }
}
