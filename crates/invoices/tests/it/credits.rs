//! Credits: the ledger's sum is the balance, and none appear or vanish.

use invoices::{
    Balance, CreditKind, InvoiceError, STAMP_COST, Status,
    credits::{Charged, CreditChange, grant, reserve},
    settled::Around,
    stamping::{StampCall, Verdict, settle},
};
use kernel::Refused;
use proptest::prelude::*;

use super::samples::{TASKS, id, later, rejection, sale, stamp};

/// What a story does next.
#[derive(Clone, Copy, Debug)]
enum Step {
    Grant(i64),
    Reserve,
    Stamped,
    Refused,
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        (1..50i64).prop_map(Step::Grant),
        Just(Step::Reserve),
        Just(Step::Stamped),
        Just(Step::Refused),
    ];
    prop::collection::vec(step, 1..60)
}

/// What the end of a stamping makes of the credits set aside for it.
fn settled(verdict: &Verdict) -> CreditChange {
    let call = StampCall {
        task: TASKS[0],
        seal: Some("ours"),
        provider: invoices::provider::ProviderKind::Sandbox,
    };
    let invoice = sale(1, Status::Stamping);
    settle(&invoice, verdict, call, &Around::default(), later()).unwrap().credits.unwrap()
}

proptest! {
    #[test]
    fn none_appear_or_vanish(steps in steps()) {
        let stamped =
            settled(&Verdict::Stamped { stamp: stamp(1, "ours"), xml: String::new() });
        let refused = settled(&Verdict::Back(rejection()));
        let (mut balance, mut ledger) = (Balance::default(), Vec::new());
        let (mut granted, mut spent, mut open) = (0, 0, 0);
        for step in steps {
            let change = match step {
                Step::Grant(amount) => {
                    granted += amount;
                    grant(amount, None)
                }
                Step::Reserve => match reserve(balance, Charged::Invoice(id(1))) {
                    Ok(change) => {
                        open += 1;
                        change
                    }
                    Err(refusal) => {
                        let available = balance.available;
                        prop_assert!(available < STAMP_COST);
                        let expected = InvoiceError::InsufficientCredits { available };
                        prop_assert_eq!(refusal, Refused::Rule(expected));
                        continue;
                    }
                },
                Step::Stamped | Step::Refused if open == 0 => continue,
                Step::Stamped => {
                    open -= 1;
                    spent += STAMP_COST;
                    stamped.clone()
                }
                Step::Refused => {
                    open -= 1;
                    refused.clone()
                }
            };
            balance = balance.after(&change).expect("what the rules allow is there");
            ledger.push(change);
            prop_assert_eq!(balance.reserved, open * STAMP_COST);
            prop_assert_eq!(balance.available + balance.reserved + spent, granted);
            prop_assert_eq!(ledger.iter().map(|change| change.available).sum::<i64>(), balance.available);
        }
    }
}

#[test]
fn what_is_not_there_is_not_taken() {
    let release = settled(&Verdict::Back(rejection()));
    assert_eq!(release.kind, CreditKind::Release);
    assert_eq!(Balance { available: 5, reserved: 9 }.after(&release), None);
    assert_eq!(Balance { available: i64::MAX, reserved: 10 }.after(&release), None);
    let taken = reserve(Balance { available: 10, reserved: 0 }, Charged::Invoice(id(1))).unwrap();
    assert_eq!(Balance { available: 9, reserved: 0 }.after(&taken), None);
}
