//! Keys of goods that can be transported (c_ClaveProdServCP).

use super::{Entry, entry};
use crate::catalogs::products;

/// The first key of a service; those of goods are before it.
const SERVICES_START: &str = "70101500";
/// The one key of goods that was no longer valid when the catalog was made.
const EXPIRED: &str = "15101506";

/// The key with that code, which is one of c_ClaveProdServ as well.
#[must_use]
pub fn find(code: &str) -> Option<Entry> {
    if code >= SERVICES_START || code == EXPIRED {
        return None;
    }
    products::find(code).map(|product| entry(product.code, product.name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn goods_are_found_and_services_are_not() {
        for code in ["01010101", "10101502", "43211503", "64122100"] {
            assert_eq!(find(code).unwrap().code, code);
        }
        for code in ["15101506", "70101500", "78101802", "", "abc", "4321150"] {
            assert!(find(code).is_none(), "{code}");
        }
        let goods = products::all().filter(|product| find(product.code).is_some());
        assert_eq!(goods.count(), 48_757);
    }
}
