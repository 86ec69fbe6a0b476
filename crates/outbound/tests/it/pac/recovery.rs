//! What became of an earlier call.

use invoices::provider::{ProviderKind, Recovery};
use kernel::reason::Reason;
use testkit::pac::{Behaviour, Call, FakePac, Reply};

use super::support::{BOTH, account, document, hasty, stamping, told, told_recovery};

#[tokio::test]
async fn a_stamp_whose_answer_was_lost_is_found() {
    for kind in BOTH {
        for reply in [Reply::Hang, Reply::Reset, Reply::Half, Reply::Http(500, String::new())] {
            let pac = FakePac::start();
            pac.script(Call::Stamp, [Behaviour::then(reply)], Behaviour::documented());
            let account = hasty(&pac, kind);
            assert_eq!(told(&account.stamp(document(1)).await), "unknown");
            let found = account.recover(document(1)).await;
            assert_eq!(found, Recovery::Stamped { xml: pac.stamps()[0].xml.clone() });
            assert_eq!(pac.stamps().len(), 1);
        }
    }
}

#[tokio::test]
async fn a_refusal_of_the_repetition_means_that_there_is_no_stamp() {
    for kind in BOTH {
        let pac = stamping(Behaviour::refuse("CFDI40147", "El campo…"));
        assert_eq!(account(&pac, kind).recover(document(1)).await, Recovery::NotStamped);
    }
}

#[tokio::test]
async fn a_refusal_that_came_up_since_settles_nothing_with_sw() {
    for code in ["304", "305", "401", "402"] {
        let pac = stamping(Behaviour::refuse(code, "…"));
        let sw = account(&pac, ProviderKind::Sw).recover(document(1)).await;
        assert_eq!(told_recovery(&sw), "unknown", "{code}: {sw:?}");
        // Finkok has said before that there is no stamp.
        let finkok = account(&pac, ProviderKind::Finkok).recover(document(1)).await;
        assert_eq!(finkok, Recovery::NotStamped);
    }
}

#[tokio::test]
async fn finkok_is_asked_for_the_stamp_and_stamps_only_what_has_none() {
    let pac = FakePac::start();
    let finkok = account(&pac, ProviderKind::Finkok);
    assert_eq!(told(&finkok.stamp(document(1)).await), "stamped");
    assert_eq!(told_recovery(&finkok.recover(document(1)).await), "stamped");
    assert_eq!((pac.count(Call::Stamp), pac.count(Call::Stamped)), (1, 1));
    assert_eq!(told_recovery(&finkok.recover(document(2)).await), "stamped");
    assert_eq!((pac.count(Call::Stamp), pac.count(Call::Stamped)), (2, 2));
    assert_eq!(pac.stamps().len(), 2);
}

/// Finkok may need seconds to find a stamp that it has made, and says meanwhile that there is none.
#[tokio::test]
async fn a_stamp_that_finkok_cannot_find_yet_is_not_told_as_none() {
    let pac = stamping(Behaviour::then(Reply::Hidden));
    pac.always(Call::Stamped, Behaviour::refuse("603", "El CFDI no contiene un timbre previo"));
    let finkok = account(&pac, ProviderKind::Finkok);
    finkok.stamp(document(1)).await;
    assert_eq!(pac.stamps().len(), 1);
    let recovery = finkok.recover(document(1)).await;
    let reason = Reason::StampNotReturned.alone();
    assert_eq!(recovery, Recovery::Unknown { reason });
    pac.always(Call::Stamped, Behaviour::documented());
    assert_eq!(told_recovery(&finkok.recover(document(1)).await), "stamped");
    assert_eq!(pac.stamps().len(), 1);
}

#[tokio::test]
async fn whoever_cannot_be_asked_says_nothing() {
    for kind in BOTH {
        for behaviour in [
            Behaviour::status(401),
            Behaviour::status(429),
            Behaviour::status(500),
            Behaviour::instead(Reply::Close),
            Behaviour::instead(Reply::Hang),
            Behaviour::instead(Reply::Foreign),
            Behaviour::instead(Reply::Http(200, "<html>".to_owned())),
        ] {
            let pac = stamping(behaviour.clone());
            pac.always(Call::Stamped, behaviour.clone());
            let recovery = hasty(&pac, kind).recover(document(1)).await;
            assert_eq!(told_recovery(&recovery), "unknown", "{kind:?} {behaviour:?}");
            assert!(kind == ProviderKind::Sw || pac.count(Call::Stamp) == 0);
        }
    }
}
