//! What has happened to an order, each thing once.

use orders::timeline::Entry;

/// Without what another entry of the same moment says as well: that an order was changed, where it was paid, shipped or cancelled; and
/// that money was asked for, where it came or went at once.
pub(super) fn once_told(entries: &[Entry]) -> Vec<Entry> {
    let said_by = |entry: &Entry| -> &'static [&'static str] {
        match entry.name.as_str() {
            "order.updated" => &["order.paid", "order.shipped", "order.cancelled"],
            "payment.created" => &["payment.received"],
            "refund.created" => &["refund.succeeded"],
            _ => &[],
        }
    };
    let beside = |one: &Entry| {
        let (at, subject) = (one.at, one.subject.clone());
        entries.iter().filter(move |other| other.at == at && other.subject == subject)
    };
    let is_news = |entry: &&Entry| {
        let others = said_by(entry);
        !beside(entry).any(|other| others.contains(&other.name.as_str()))
    };
    // The amount stands where the money was asked for.
    let with_amount = |entry: &Entry| {
        let came = matches!(entry.name.as_str(), "payment.received" | "refund.succeeded");
        let amount = beside(entry).find_map(|other| other.money).filter(|_| came);
        Entry { money: entry.money.or(amount), ..entry.clone() }
    };
    entries.iter().filter(is_news).map(with_amount).collect()
}

#[cfg(test)]
mod tests {
    use kernel::{Amount, Currency, Timestamp};

    use super::*;

    fn entry(at: i64, name: &str, subject: &str, amount: Option<&str>) -> Entry {
        Entry {
            at: Timestamp::from_micros(at),
            name: name.to_owned(),
            subject: subject.to_owned(),
            document: None,
            money: amount.map(|amount| (Amount::parse(amount).unwrap(), Currency::MXN)),
            event: None,
        }
    }

    #[test]
    fn what_another_entry_says_is_left_out_and_its_amount_is_not() {
        let told = once_told(&[
            entry(1, "order.created", "ord_1", Some("30")),
            entry(2, "payment.created", "pay_1", Some("10")),
            entry(2, "payment.received", "pay_1", None),
            entry(3, "payment.created", "pay_2", Some("20")),
            entry(4, "payment.received", "pay_2", None),
            entry(4, "order.updated", "ord_1", None),
            entry(4, "order.paid", "ord_1", None),
            entry(5, "order.updated", "ord_1", None),
        ]);
        let told: Vec<_> = told
            .iter()
            .map(|one| (one.at.micros(), one.name.as_str(), one.money.map(|(sum, _)| sum)))
            .collect();
        let sum = |text: &str| Amount::parse(text).ok();
        assert_eq!(
            told,
            [
                (1, "order.created", sum("30")),
                (2, "payment.received", sum("10")),
                // It came later than it was asked for.
                (3, "payment.created", sum("20")),
                (4, "payment.received", None),
                (4, "order.paid", None),
                (5, "order.updated", None),
            ]
        );
    }
}
