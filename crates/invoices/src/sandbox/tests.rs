//! Withholdings in the sandbox; invoices are tested through the API.

use std::{
    pin::pin,
    sync::{Mutex, MutexGuard},
    task::{Context, Poll, Waker},
};

use cfdi::{
    document::Issuer,
    seal::seal_withholding,
    tax::Tax,
    withholding::{Complements, National, Period, Receiver, Totals, WithheldTax, Withholding},
};
use kernel::{Amount, Done};
use time::macros::datetime;

use super::*;
use crate::provider::Service;

macro_rules! fixture {
    ($file:literal) => {
        include_bytes!(concat!("../../../cfdi/fixtures/csd/", $file)).as_slice()
    };
}

type Pair = (&'static [u8], &'static [u8]);

const COMPANY: Pair = (fixture!("EKU9003173C9.cer"), fixture!("EKU9003173C9.key"));
const PERSON: Pair = (fixture!("CACX7605101P8.cer"), fixture!("CACX7605101P8.key"));
const EXPIRED: Pair = (fixture!("EKU9003173C9_expired.cer"), fixture!("EKU9003173C9_expired.key"));
const PROVIDER: Pair =
    (fixture!("AAA010101AAA_provider.cer"), fixture!("AAA010101AAA_provider.key"));

/// An hour after the withholding is issued.
const NOW: &str = "2026-08-03T18:30:00Z";

fn open((cer, key): Pair) -> Csd {
    Csd::open(cer, key, "12345678a").unwrap()
}

fn moment(text: &str) -> Timestamp {
    Timestamp::parse(text).unwrap()
}

fn amount(text: &str) -> Amount {
    Amount::parse(text).unwrap()
}

fn withholding() -> Withholding {
    let isr = WithheldTax {
        base: Some(amount("10000")),
        tax: Some(Tax::Isr),
        amount: amount("1000"),
        payment_kind: "04".to_owned(),
    };
    Withholding {
        folio: None,
        issued_at: datetime!(2026-08-03 11:30:00),
        place_of_issue: "06600".to_owned(),
        code: "01".to_owned(),
        description: None,
        related: None,
        issuer: Issuer {
            rfc: "EKU9003173C9".to_owned(),
            legal_name: "ESCUELA KEMPER URGATE".to_owned(),
            tax_regime: "601".to_owned(),
        },
        receiver: Receiver::National(National {
            rfc: "CACX7605101P8".to_owned(),
            legal_name: "XOCHILT CASAS CHAVEZ".to_owned(),
            curp: None,
            tax_zip: "64000".to_owned(),
        }),
        period: Period { first_month: 7, last_month: 7, year: 2026 },
        totals: Totals {
            operation: amount("10000"),
            taxed: amount("10000"),
            exempt: Amount::ZERO,
            withheld: amount("1000"),
            bimonthly_profit: None,
            bimonthly_isr: None,
        },
        taxes: vec![isr],
        complements: Complements::default(),
    }
}

fn sealed_with(pair: Pair) -> ToStamp {
    let xml = seal_withholding(&withholding(), &open(pair)).unwrap().xml;
    ToStamp { service: Service::Withholding, key: "wth_1".to_owned(), xml }
}

fn sealed() -> ToStamp {
    sealed_with(COMPANY)
}

fn to_cancel(uuid: &str) -> ToCancel {
    ToCancel {
        service: Service::Withholding,
        issuer_rfc: "EKU9003173C9".to_owned(),
        uuid: uuid.to_owned(),
        xml: String::new(),
    }
}

struct At(Timestamp);

impl Clock for At {
    fn now(&self) -> Timestamp {
        self.0
    }
}

/// Records in memory.
#[derive(Default)]
struct Shelf(Mutex<Vec<SandboxRecord>>);

impl Shelf {
    fn records(&self) -> MutexGuard<'_, Vec<SandboxRecord>> {
        self.0.lock().unwrap()
    }
}

impl SandboxRecords for Shelf {
    fn identity(&self, _: Timestamp) -> Result<Arc<Csd>, Fault> {
        Ok(Arc::new(open(PROVIDER)))
    }

    fn keep(
        &self,
        _: AccountId,
        record: SandboxRecord,
        _: Timestamp,
    ) -> Pending<Written<SandboxRecord, ()>> {
        let mut records = self.records();
        let kept = records.iter().find(|kept| kept.seal == record.seal).cloned();
        if kept.is_none() {
            records.push(record.clone());
        }
        Pending::ready(Ok(Done::now(kept.unwrap_or(record))))
    }

    fn by_seal(&self, _: AccountId, seal: &str) -> Pending<Result<Option<SandboxRecord>, Fault>> {
        Pending::ready(Ok(self.records().iter().find(|record| record.seal == seal).cloned()))
    }

    fn by_uuid(&self, _: AccountId, uuid: &str) -> Pending<Result<Option<SandboxRecord>, Fault>> {
        let records = self.records();
        Pending::ready(Ok(records.iter().find(|record| record.stamp.uuid == uuid).cloned()))
    }

    fn request_cancel(
        &self,
        _: AccountId,
        uuid: &str,
        now: Timestamp,
    ) -> Pending<Written<Option<bool>, ()>> {
        let mut records = self.records();
        let record = records.iter_mut().find(|record| record.stamp.uuid == uuid);
        let first = record.map(|record| record.cancel_requested_at.replace(now).is_none());
        Pending::ready(Ok(Done::now(first)))
    }
}

/// A sandbox at that moment, and what it keeps.
fn sandbox(now: &str, simulate: Simulate) -> (Sandbox, Arc<Shelf>) {
    let shelf = Arc::new(Shelf::default());
    let (records, clock) = (Arc::clone(&shelf), Arc::new(At(moment(now))));
    let desk = Arc::new(Desk::new(records, clock));
    (Sandbox { account: AccountId::from_u128(1), simulate, desk }, shelf)
}

/// What a call ends with whose records are at hand.
fn ended<T>(call: Calling<T>) -> T {
    match pin!(call).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(value) => value,
        Poll::Pending => panic!("nothing to wait for"),
    }
}

#[track_caller]
fn stamped(outcome: StampOutcome) -> String {
    match outcome {
        StampOutcome::Stamped { xml } => xml,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_withholding_is_stamped_once() {
    let (sandbox, shelf) = sandbox(NOW, Simulate::default());
    assert_eq!(ended(sandbox.recover(sealed())), Recovery::NotStamped);
    let xml = stamped(ended(sandbox.stamp(sealed())));
    let stamp = Stamp::read(&xml).unwrap();
    assert_eq!(stamp.legend.as_deref(), Some("SANDBOX, SIN VALOR FISCAL"));
    assert_eq!(stamp.attached_to(&sealed().xml), xml);
    assert!(xml.ends_with("</retenciones:Complemento></retenciones:Retenciones>"));
    assert_eq!(stamped(ended(sandbox.stamp(sealed()))), xml);
    assert_eq!(ended(sandbox.recover(sealed())), Recovery::Stamped { xml });
    assert_eq!(shelf.records().len(), 1);
}

#[test]
fn what_a_provider_would_refuse_is_refused() {
    let of = |request: ToStamp, now| {
        let (sandbox, shelf) = sandbox(now, Simulate::default());
        match ended(sandbox.stamp(request)) {
            StampOutcome::Rejected(rejection) if shelf.records().is_empty() => rejection.code,
            other => panic!("{other:?}"),
        }
    };
    let edited = |from: &str, to: &str| {
        assert!(sealed().xml.contains(from), "{from}");
        ToStamp { xml: sealed().xml.replace(from, to), ..sealed() }
    };
    let number = open(COMPANY).certificate().number().to_owned();
    for (request, now, code) in [
        (ToStamp { service: Service::Invoice, ..sealed() }, NOW, "301"),
        (edited("retenciones:Receptor", "retenciones:Otro"), NOW, "301"),
        (edited("retencionpago/2\"", "retencionpago/1\""), NOW, "301"),
        (edited("LugarExpRetenc=\"06600\"", "LugarExpRetenc=\"ABCDE\""), NOW, "301"),
        (edited(&number, "30001000000500000000"), NOW, "302"),
        (sealed_with(PERSON), NOW, "303"),
        (sealed_with(EXPIRED), NOW, "305"),
        (sealed(), "2026-08-07T18:30:00Z", "401"),
        (sealed(), "2026-08-03T16:30:00Z", "401"),
    ] {
        assert_eq!(of(request, now), code);
    }
}

#[test]
fn it_pretends_what_it_is_told() {
    let of = |stamping| sandbox(NOW, Simulate { stamping, ..Simulate::default() });
    for (simulated, taken, kept) in [
        (SimulatedStamping::Timeout, true, 0),
        (SimulatedStamping::TimeoutAfterStamping, true, 1),
        (SimulatedStamping::Unavailable, false, 0),
    ] {
        let (sandbox, shelf) = of(simulated);
        let outcome = ended(sandbox.stamp(sealed()));
        let told = match outcome {
            StampOutcome::Unknown { .. } => true,
            StampOutcome::NotTaken { .. } => false,
            other => panic!("{simulated:?}: {other:?}"),
        };
        assert_eq!((told, shelf.records().len()), (taken, kept), "{simulated:?}");
    }
    let (sandbox, _) = of(SimulatedStamping::TimeoutAfterStamping);
    ended(sandbox.stamp(sealed()));
    let xml = stamped(ended(sandbox.stamp(sealed())));
    assert_eq!(ended(sandbox.recover(sealed())), Recovery::Stamped { xml });
}

/// Whatever the receiver is to do about cancellations: nobody asks it.
#[test]
fn a_withholding_is_cancelled_at_once() {
    let simulate = Simulate { cancellation: SimulatedCancellation::Reject, ..Simulate::default() };
    let (sandbox, _) = sandbox(NOW, simulate);
    let uuid = Stamp::read(&stamped(ended(sandbox.stamp(sealed())))).unwrap().uuid;
    for expected in ["1201", "1202"] {
        let outcome = ended(sandbox.cancel(to_cancel(&uuid)));
        let CancelOutcome::Received { code, receipt } = outcome else { panic!("{outcome:?}") };
        let receipt = cfdi::cancellation::Receipt::parse(&receipt.unwrap()).unwrap();
        assert_eq!((code.as_str(), receipt.status_of(&uuid)), (expected, Some(expected)));
    }
    let unknown = ended(sandbox.cancel(to_cancel("6A1B2C3D-0000-4000-8000-000000000000")));
    assert!(matches!(unknown, CancelOutcome::Rejected(no) if no.code == "1205"));
}
