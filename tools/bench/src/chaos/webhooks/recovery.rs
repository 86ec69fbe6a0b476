//! What a kill cost: how long until something arrived again, and what arrived once more.

use std::collections::{HashMap, HashSet};
use std::time::Duration;

use crate::receiver::Arrival;
use crate::wall_clock::between;

/// A death and the moment at which its undoing began.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Kill {
    pub(crate) who: &'static str,
    pub(crate) at_micros: u64,
    pub(crate) restart_micros: u64,
}

/// For each kill the time from the restart to the first arrival after it; `None` when nothing arrived.
/// The arrivals are in the order in which they came.
pub(crate) fn recoveries(kills: &[Kill], arrivals: &[Arrival]) -> Vec<Option<Duration>> {
    let first_since = |micros: u64| {
        let index = arrivals.partition_point(|arrival| arrival.unix_micros < micros);
        arrivals.get(index).map(|arrival| between(micros, arrival.unix_micros))
    };
    kills.iter().map(|kill| first_since(kill.restart_micros)).collect()
}

/// Arrivals of an event at an endpoint that had answered it with 2xx before: those that came before the first
/// kill, and for each kill those between it and the next.
pub(crate) fn duplicates(kills: &[Kill], arrivals: &[Arrival]) -> (u64, Vec<u64>) {
    let (mut before, mut after) = (0, vec![0; kills.len()]);
    let mut accepted = HashSet::new();
    for arrival in arrivals {
        let place = (&*arrival.path, &*arrival.event_id);
        if accepted.contains(&place) {
            let killed = kills.partition_point(|kill| kill.at_micros <= arrival.unix_micros);
            match killed.checked_sub(1).and_then(|kill| after.get_mut(kill)) {
                Some(count) => *count += 1,
                None => before += 1,
            }
        } else if arrival.accepted {
            accepted.insert(place);
        }
    }
    (before, after)
}

/// The longest time from an order's acknowledgement to its first arrival at one of these endpoints.
pub(crate) fn slowest_delivery<'a>(
    orders: impl Iterator<Item = (&'a str, u64)>,
    paths: &[&str],
    arrivals: &[Arrival],
) -> Duration {
    let mut first: HashMap<(&str, &str), u64> = HashMap::new();
    for arrival in arrivals.iter().filter(|arrival| paths.contains(&&*arrival.path)) {
        first.entry((&arrival.order_id, &arrival.path)).or_insert(arrival.unix_micros);
    }
    let waits = orders.flat_map(|(order, placed)| {
        let arrived = paths.iter().filter_map(|path| first.get(&(order, *path)));
        arrived.map(|arrived| between(placed, *arrived)).max()
    });
    waits.max().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn arrival(path: &str, event: &str, unix_micros: u64, accepted: bool) -> Arrival {
        Arrival {
            path: path.into(),
            unix_micros,
            order_id: "ord_1".into(),
            event_id: event.into(),
            attempt: 1,
            accepted,
            genuine: true,
            digest: 0,
        }
    }

    fn kill(at_micros: u64) -> Kill {
        Kill { who: "server", at_micros, restart_micros: at_micros + 10 }
    }

    #[test]
    fn a_recovery_ends_with_the_first_arrival_after_the_restart() {
        let arrivals = [arrival("/ok/1", "evt_1", 105, true), arrival("/ok/1", "evt_2", 150, true)];
        let recovered = recoveries(&[kill(100), kill(200)], &arrivals);
        assert_eq!(recovered, [Some(Duration::from_micros(40)), None]);
    }

    #[test]
    fn what_comes_again_after_a_failure_is_no_duplicate() {
        let arrivals = [
            arrival("/ok/1", "evt_1", 1, true),
            arrival("/ok/1", "evt_1", 2, true),
            arrival("/ok/2", "evt_1", 3, false),
            arrival("/ok/2", "evt_1", 4, true),
            arrival("/ok/2", "evt_1", 120, true),
            arrival("/ok/2", "evt_1", 130, false),
            arrival("/ok/2", "evt_2", 140, true),
        ];
        assert_eq!(duplicates(&[kill(50), kill(110), kill(200)], &arrivals), (1, vec![0, 2, 0]));
    }

    #[test]
    fn the_slowest_delivery_is_that_of_the_first_arrival() {
        let arrivals = [
            arrival("/ok/1", "evt_1", 1_000, true),
            arrival("/slow/1", "evt_1", 9_000, true),
            arrival("/ok/1", "evt_1", 5_000, true),
        ];
        let orders = [("ord_1", 400), ("ord_2", 500)];
        let slowest = slowest_delivery(orders.into_iter(), &["/ok/1"], &arrivals);
        assert_eq!(slowest, Duration::from_micros(600));
    }
}
