//! Many who stamp or cancel one invoice at one moment.

use std::{sync::Barrier, thread, time::Duration};

use testkit::{
    DatabaseKind, Reply, on_both,
    pac::{Behaviour, Call, Reply as Answer},
};

use super::{
    Tried,
    desk::{Desk, Pac},
    faults_of,
};

on_both!(twins_are_one_stamp, twins_are_one_cancellation);

const TWINS: usize = 10;

fn at_once(act: impl Fn(usize) -> Reply + Sync) -> Vec<Reply> {
    let start = Barrier::new(TWINS);
    thread::scope(|scope| {
        let threads: Vec<_> = (0..TWINS)
            .map(|twin| {
                let (start, act) = (&start, &act);
                scope.spawn(move || {
                    start.wait();
                    act(twin)
                })
            })
            .collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    })
}

fn twins_are_one_stamp(kind: DatabaseKind) {
    let slow = Behaviour::then(Answer::Slow(Duration::from_millis(300)));
    let scripts = [
        vec![],
        vec![slow],
        vec![Behaviour::then(Answer::Close)],
        vec![Behaviour::instead(Answer::Reset), Behaviour::then(Answer::Half)],
        vec![Behaviour::then(Answer::Hang)],
    ];
    for pac in Pac::EVERY {
        let desk = Desk::open(kind, pac);
        let trial = Tried::at(&desk.pac);
        for script in &scripts {
            for keys in ["one key", "keys of their own", "no keys"] {
                let (id, stamps) = (desk.draft(), desk.pac.stamps().len());
                trial.faults(faults_of(script));
                trial.invoices(1);
                desk.pac.script(Call::Stamp, script.clone(), Behaviour::documented());
                let twins = at_once(|twin| match keys {
                    "one key" => desk.stamp(&id, Some(&id)),
                    "no keys" => desk.stamp(&id, None),
                    _ => desk.stamp(&id, Some(&format!("{id}-{twin}"))),
                });
                for twin in &twins {
                    match (twin.status, twin.json()["error"].as_str()) {
                        (200, None)
                        | (409, Some("in_progress" | "idempotency_key_in_use"))
                        | (504, Some("provider_timeout")) => {}
                        _ => panic!("{pac:?}, {keys}, {script:?}: {}", twin.text),
                    }
                }
                let uuids = twins
                    .iter()
                    .filter(|twin| twin.status == 200)
                    .map(|twin| twin.json()["uuid"].clone());
                let mut uuids: Vec<_> = uuids.map(|uuid| uuid.to_string()).collect();
                uuids.dedup();
                assert!(uuids.len() <= 1, "{uuids:?}");
                desk.leave_alone(&id);
                desk.assert_stamped_once(&id, stamps);
            }
        }
        assert_eq!(
            desk.credits(),
            (100_000 - 10 * i64::try_from(desk.pac.stamps().len()).unwrap(), 0)
        );
    }
}

fn twins_are_one_cancellation(kind: DatabaseKind) {
    let desk = Desk::open(kind, Pac::Sw);
    for script in
        [vec![], vec![Behaviour::then(Answer::Close)], vec![Behaviour::instead(Answer::Reset)]]
    {
        let (id, uuid) = desk.stamped();
        desk.pac.script(Call::Cancel, script, Behaviour::documented());
        let twins = at_once(|_| desk.cancel(&id));
        for twin in &twins {
            match (twin.status, twin.json()["error"].as_str()) {
                (200, None) | (409, Some("in_progress")) | (504, Some("provider_timeout")) => {}
                _ => panic!("{}", twin.text),
            }
        }
        desk.leave_alone(&id);
        assert_eq!(desk.read(&id)["status"], "cancelled");
        assert_eq!(desk.pac.cancelled().iter().filter(|one| **one == uuid).count(), 1);
    }
}
