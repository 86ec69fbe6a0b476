//! Joining what was acknowledged with what arrived.

use std::collections::{HashMap, HashSet};

use crate::benchmark::webhooks::logged_orders::Answered;
use crate::load::Tally;
use crate::receiver::Arrival;
use crate::wall_clock::between;

/// Where the endpoints are that answer; what arrives elsewhere is no part of the measurement.
const HEALTHY: [&str; 2] = ["/ok/", "/slow/"];

/// Deliveries as answers: one for each order and endpoint, its latency the time from the order's answer
/// to its first arrival. Only orders answered since `from_micros` count, but all must have arrived.
pub(crate) fn join(
    answered: &[Answered],
    arrivals: &[Arrival],
    from_micros: u64,
) -> anyhow::Result<Tally> {
    let orders: HashMap<&str, &Answered> =
        answered.iter().map(|order| (order.order_id.as_str(), order)).collect();
    let mut tally = Tally::new()?;
    let mut seen = HashSet::new();
    let is_healthy = |arrival: &&Arrival| HEALTHY.iter().any(|of| arrival.path.starts_with(*of));
    for arrival in arrivals.iter().filter(is_healthy) {
        let place = (&*arrival.order_id, &*arrival.path);
        let order = orders.get(place.0).filter(|order| order.paths.contains(&arrival.path));
        let fault = match order {
            None => Some("an event that nobody waits for"),
            Some(_) if !arrival.genuine => Some("a wrong signature"),
            Some(_) if !seen.insert(place) => Some("delivered twice"),
            Some(_) => None,
        };
        let since = order.map_or(0, |order| order.unix_micros);
        let latency = between(since, arrival.unix_micros);
        if let Some(fault) = fault {
            tally.record(Err(format!("{fault}: {arrival:?}")), latency);
        } else if since >= from_micros {
            tally.record(Ok(false), latency);
        }
    }
    for order in answered {
        for path in order.paths.iter().filter(|path| !seen.contains(&(&*order.order_id, &**path))) {
            let fault = format!("{} never arrived at {path}", order.order_id);
            tally.record(Err(fault), between(0, 0));
        }
    }
    Ok(tally)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    fn answered(order: &str, unix_micros: u64) -> Answered {
        let paths: Arc<[Box<str>]> = ["/ok/1".into(), "/ok/2".into()].into();
        Answered { order_id: order.to_owned(), unix_micros, paths }
    }

    fn arrival(path: &str, order: &str, unix_micros: u64) -> Arrival {
        Arrival {
            path: path.into(),
            unix_micros,
            order_id: order.into(),
            event_id: "evt_1".into(),
            attempt: 1,
            accepted: true,
            genuine: true,
            digest: 0,
        }
    }

    #[test]
    fn a_latency_counts_from_the_orders_answer() {
        let orders = [answered("ord_1", 10_000)];
        // The second is faster than the answer is noted: it took no time.
        let arrivals = [arrival("/ok/1", "ord_1", 30_000), arrival("/ok/2", "ord_1", 9_000)];
        let tally = join(&orders, &arrivals, 0).unwrap();
        assert_eq!((tally.answers, tally.errors), (2, 0));
        let slowest = tally.latency(1.0).as_micros();
        assert!((19_900..=20_100).contains(&slowest), "{slowest}");
        assert_eq!(tally.latency(0.5).as_micros(), 0);
    }

    #[test]
    fn the_lead_is_not_measured_but_must_arrive() {
        let orders = [answered("ord_1", 10), answered("ord_2", 100)];
        let arrivals = [
            arrival("/ok/1", "ord_1", 20),
            arrival("/ok/1", "ord_2", 120),
            arrival("/ok/2", "ord_2", 120),
            arrival("/hang/9", "ord_1", 20),
        ];
        let tally = join(&orders, &arrivals, 50).unwrap();
        assert_eq!((tally.answers, tally.errors), (2, 1));
        assert_eq!(tally.faults, ["ord_1 never arrived at /ok/2"]);
    }

    #[test]
    fn what_should_not_arrive_is_an_error() {
        let orders = [answered("ord_1", 10)];
        let mut forged = arrival("/ok/2", "ord_1", 20);
        forged.genuine = false;
        let arrivals = [
            arrival("/ok/1", "ord_1", 20),
            arrival("/ok/1", "ord_1", 21),
            arrival("/ok/3", "ord_1", 22),
            arrival("/ok/1", "ord_9", 23),
            forged,
        ];
        let tally = join(&orders, &arrivals, 0).unwrap();
        // Twice, elsewhere, of no order, forged, and so never arrived.
        assert_eq!((tally.answers, tally.errors), (1, 5));
    }
}
