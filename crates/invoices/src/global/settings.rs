//! Whether an account's global invoices are made by themselves, and when.

use cfdi::catalogs::{postal_codes, zones::Zone};
use kernel::{Refused, Timestamp};

use super::{GlobalRun, GlobalTerms, Period, Periodicity, run::refuse_two_months};
use crate::{Branch, InvoiceError, Issuer, draft::ORDERS_MAX};

/// The most hours after the end of a period: SAT gives 24 (RMF 2.7.1.21).
pub const DELAY_HOURS_MAX: i64 = 24;
/// The most sales of one invoice.
pub const TICKETS_MAX: usize = ORDERS_MAX;
/// The most sales of one invoice where nothing is set: what providers take without haste.
const TICKETS_USUAL: usize = 1_000;

/// How the global invoices of an account are made. An account has one such setting, since its orders are of no issuer and
/// of no branch: two that ran by themselves would not know whose a sale is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GlobalSettings {
    /// Whether they are made by themselves when a period ends.
    pub is_automatic: bool,
    /// How long periods are.
    pub periodicity: Periodicity,
    /// How they are made.
    pub terms: GlobalTerms,
    /// Hours after the end of a period when they are made.
    pub delay_hours: i64,
    /// While they are made by themselves: the moment before which all sales were looked at. The next run begins there,
    /// whatever is set meanwhile, so that none is left out or looked at twice.
    pub covered_until: Option<Timestamp>,
    /// When this was last set; none if it never was.
    pub updated_at: Option<Timestamp>,
    /// Counts its changes.
    pub version: i64,
}

impl Default for GlobalSettings {
    fn default() -> Self {
        let terms = GlobalTerms {
            issuer: None,
            branch: None,
            payment_form: None,
            tickets_per_invoice: TICKETS_USUAL,
            is_to_stamp: false,
        };
        Self {
            is_automatic: false,
            periodicity: Periodicity::default(),
            terms,
            delay_hours: 0,
            covered_until: None,
            updated_at: None,
            version: 0,
        }
    }
}

impl GlobalSettings {
    /// These settings over the ones before. Sales from the beginning of today are invoiced by themselves once that is
    /// turned on; what was sold before may have been invoiced otherwise.
    ///
    /// # Errors
    /// [`Refused::Invalid`] for periods that the issuer may not have.
    pub fn over(
        self,
        before: &Self,
        (issuer, zone): (&Issuer, Zone),
        now: Timestamp,
    ) -> Result<Self, Refused<InvoiceError>> {
        refuse_two_months(self.periodicity, issuer)?;
        let today = || Period::of(Periodicity::Day, zone.local(now).date()).moments(zone).0;
        let covered_until = self.is_automatic.then(|| before.covered_until.unwrap_or_else(today));
        Ok(Self { covered_until, updated_at: Some(now), version: before.version + 1, ..self })
    }

    /// The run that comes next by itself, and when it is due.
    #[must_use]
    pub fn next_run(&self, zone: Zone) -> Option<(GlobalRun, Timestamp)> {
        let from = self.covered_until.filter(|_| self.is_automatic)?;
        let period = Period::of(self.periodicity, zone.local(from).date());
        let (_, to) = period.moments(zone);
        let (terms, invoices) = (self.terms.clone(), Vec::new());
        let run =
            GlobalRun { period, from, to, is_automatic: true, terms, reached: None, invoices };
        let due_at = run.due_at(self.delay_hours);
        Some((run, due_at))
    }

    /// The settings after a run that was to come by itself has ended.
    #[must_use]
    pub fn after(mut self, run: &GlobalRun) -> Self {
        self.covered_until = self.covered_until.map(|until| until.max(run.to));
        self
    }
}

/// The time zone that what is issued there is dated in; that of most of the country for a postal code that SAT has taken
/// out of its catalog.
#[must_use]
pub fn zone(issuer: &Issuer, branch: Option<&Branch>) -> Zone {
    let place = branch.map_or(&issuer.tax_zip, |branch| &branch.place_of_issue);
    postal_codes::find(place).map_or(Zone::Central, |code| code.zone())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::{IssuerId, Series};

    const ZONES: [Zone; 3] = [Zone::Central, Zone::CentralBorder, Zone::Northwest];

    fn issuer(regime: &str) -> Issuer {
        Issuer {
            id: IssuerId::from_u128(1),
            rfc: "EKU9003173C9".to_owned(),
            legal_name: "ESCUELA KEMPER URGATE".to_owned(),
            tax_regime: regime.to_owned(),
            tax_zip: "42501".to_owned(),
            series: Series::default(),
            default_taxes: Vec::new(),
            shipping_taxes: None,
            stamps_receipts: false,
            stamps_credit_notes: false,
            has_logo: false,
            is_default: true,
            created_at: Timestamp::from_micros(0),
            updated_at: Timestamp::from_micros(0),
            version: 1,
        }
    }

    fn at(text: &str) -> Timestamp {
        Timestamp::parse(text).unwrap()
    }

    fn every(periodicity: Periodicity) -> GlobalSettings {
        GlobalSettings { is_automatic: true, periodicity, ..GlobalSettings::default() }
    }

    #[test]
    fn what_is_sold_from_today_on_is_invoiced_by_itself() {
        let (issuer, now) = (issuer("601"), at("2026-11-24T18:00:00Z"));
        let here = (&issuer, zone(&issuer, None));
        let off = GlobalSettings::default();
        let on = every(Periodicity::Month).over(&off, here, now).unwrap();
        let (run, due_at) = on.next_run(here.1).unwrap();
        assert_eq!(run.period.days(), "2026-11-01/2026-11-30");
        assert_eq!((run.from, run.to), (at("2026-11-24T06:00:00Z"), at("2026-12-01T06:00:00Z")));
        assert_eq!(due_at, run.to.plus_seconds(60));
        // Other periods go on where those before have ended.
        let daily = GlobalSettings { delay_hours: 6, ..every(Periodicity::Day) };
        let daily = daily.over(&on, here, now.plus_seconds(86_400)).unwrap();
        let (first, due_at) = daily.next_run(here.1).unwrap();
        assert_eq!(first.period.days(), "2026-11-24/2026-11-24");
        assert_eq!(due_at, first.to.plus_seconds(6 * 3_600));
        let next = daily.clone().after(&first).next_run(here.1).unwrap().0;
        assert_eq!((next.from, next.period.days().as_str()), (first.to, "2026-11-25/2026-11-25"));
        // Turned off and on again, it begins anew.
        let off = off.over(&daily, here, now.plus_seconds(5 * 86_400)).unwrap();
        assert_eq!((off.covered_until, off.next_run(here.1)), (None, None));
        let again = every(Periodicity::Day).over(&off, here, now.plus_seconds(6 * 86_400)).unwrap();
        assert_eq!(again.covered_until, Some(at("2026-11-30T06:00:00Z")));
    }

    #[test]
    fn two_months_are_for_one_regime() {
        let (now, off) = (at("2026-11-24T18:00:00Z"), GlobalSettings::default());
        for (regime, is_allowed) in [("601", false), ("621", true)] {
            let issuer = issuer(regime);
            let set = every(Periodicity::TwoMonths).over(&off, (&issuer, Zone::Central), now);
            assert_eq!(set.is_ok(), is_allowed, "{regime}");
        }
    }

    proptest! {
        /// Whatever periods and places follow each other.
        #[test]
        fn runs_tile_the_time(
            start in 1_770_000_000_i64..1_900_000_000,
            steps in prop::collection::vec(
                (prop::sample::select(Periodicity::EVERY), prop::sample::select(&ZONES[..])),
                1..40,
            ),
        ) {
            let start = Timestamp::from_micros(0).plus_seconds(start);
            let mut settings = every(Periodicity::Day);
            settings.covered_until = Some(start);
            let mut until = start;
            for (periodicity, zone) in steps {
                settings.periodicity = periodicity;
                let (run, due_at) = settings.next_run(zone).unwrap();
                prop_assert_eq!(run.from, until);
                prop_assert!(run.from < run.to && run.to < due_at);
                prop_assert_eq!(run.period.moments(zone).1, run.to);
                until = run.to;
                settings = settings.after(&run);
            }
        }
    }
}
