//! `kill -9` of the built program at every place of a stamping and of a cancellation: the next one finishes
//! both, without any client.

use std::{collections::BTreeMap, sync::Mutex, thread, time::Duration};

use serde_json::json;
use testkit::{
    DatabaseKind, on_both,
    pac::{Behaviour, Call, Reply},
};

use super::{
    Tried,
    desk::Pac,
    effort,
    program::{CREDITS, Office, Program},
    seed, tell,
};

on_both!(a_killed_program_leaves_one_stamp_and_one_charge);

/// Invoices that are stamped at one moment.
const CROWD: usize = 5;
/// The longest time from the last awaited request to a kill that comes at no particular place.
const RANDOM_MILLIS_MAX: u64 = 100;

/// Where the program is killed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    /// The provider has the request and does nothing.
    Asked,
    /// The provider has stamped or cancelled, and does not say so.
    Done,
    /// Anywhere, the provider's answers being late by so many milliseconds.
    Anywhere(u64),
}

/// Numbers that look random and follow from a seed.
pub(super) struct Dice(u64);

impl Dice {
    pub(super) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    pub(super) fn below(&mut self, end: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % end
    }
}

/// What was acknowledged: the answer's fiscal folio for each invoice.
type Known = Mutex<BTreeMap<String, String>>;

fn a_killed_program_leaves_one_stamp_and_one_charge(kind: DatabaseKind) {
    let pac = if seed().is_multiple_of(2) { Pac::Sw } else { Pac::Finkok };
    let mut dice = Dice::new(seed() + 1);
    let anywhere = usize::try_from(6 * effort()).unwrap();
    let mut places = vec![Place::Asked, Place::Done];
    places.extend((0..anywhere).map(|_| Place::Anywhere(dice.below(60))));
    let office = Office::open(kind, pac, places.len() * CROWD, 4 * CROWD);
    let cancels = [Place::Asked, Place::Done, Place::Anywhere(0), Place::Anywhere(30)];
    let known = Known::default();

    let trial = Tried::at(&office.pac);
    trial.invoices(office.drafts.len() + office.stamped.len());
    let mut program = office.start();
    for (round, place) in places.iter().enumerate() {
        let crowd = &office.drafts[round * CROWD..][..CROWD];
        trial.faults(1);
        kill_while(&office, &mut program, *place, Call::Stamp, &mut dice, crowd, &|program, id| {
            let Some(answer) = program.post(&format!("/invoices/{id}/timbrar"), Some(id), None)
            else {
                return;
            };
            if answer.status == 200 {
                let uuid = answer.json()["uuid"].as_str().unwrap().to_owned();
                known.lock().unwrap().insert(id.to_owned(), uuid);
            }
        });
        if let (Some(place), Some(crowd)) =
            (cancels.get(round), office.stamped.chunks(CROWD).nth(round))
        {
            trial.faults(1);
            kill_while(
                &office,
                &mut program,
                *place,
                Call::Cancel,
                &mut dice,
                crowd,
                &|program, id| {
                    let reason = json!({"reason": "02"});
                    program.post(&format!("/invoices/{id}/cancel"), None, Some(&reason));
                },
            );
        }
    }
    office.settle();
    let known = known.into_inner().unwrap();
    let drafts = assert_all_once(&office, &program, &known);
    program.kill();
    assert_eq!(office.database.violations(), [""; 0]);
    tell(&[
        ("kills", office.kills()),
        ("answered_before_a_kill", known.len()),
        ("not_begun_at_a_kill", drafts),
        ("cancellations", office.pac.cancelled().len()),
    ]);
}

/// Has a crowd act, kills the program at that place, and starts it again.
fn kill_while(
    office: &Office,
    program: &mut Program,
    place: Place,
    call: Call,
    dice: &mut Dice,
    crowd: &[String],
    act: &(dyn Fn(&Program, &str) + Sync),
) {
    let script = match place {
        Place::Asked => vec![Behaviour::instead(Reply::Hang); crowd.len()],
        Place::Done => vec![Behaviour::then(Reply::Hang); crowd.len()],
        Place::Anywhere(late) => {
            vec![Behaviour::then(Reply::Slow(Duration::from_millis(late))); crowd.len()]
        }
    };
    let before = office.pac.count(call);
    office.pac.script(call, script, Behaviour::documented());
    thread::scope(|scope| {
        let shared = &*program;
        for id in crowd {
            scope.spawn(move || act(shared, id));
        }
        match place {
            Place::Anywhere(_) => {
                // Some are answered by then, some are asked for, some have not begun.
                let begun = dice.below(crowd.len() as u64 + 1);
                office.pac.wait_for(call, before + usize::try_from(begun).unwrap());
                thread::sleep(Duration::from_millis(dice.below(RANDOM_MILLIS_MAX)));
            }
            // What an earlier kill left may be taken up and asked for beside the crowd.
            Place::Asked | Place::Done => drop(office.pac.wait_for(call, before + crowd.len())),
        }
        shared.kill();
    });
    office.pac.always(call, Behaviour::documented());
    office.count_kill();
    *program = office.start();
}

/// Every invoice has one stamp and one charge, or neither and then gets them: so many.
fn assert_all_once(office: &Office, program: &Program, known: &BTreeMap<String, String>) -> usize {
    let mut drafts = 0;
    let read = |id: &str| program.get(&format!("/invoices/{id}"));
    for id in &office.drafts {
        let mut invoice = read(id);
        if invoice["status"] == "draft" {
            drafts += 1;
            assert!(!known.contains_key(id), "what was acknowledged is there");
            assert_eq!(office.commits(id), 0);
            let answer = program.post(&format!("/invoices/{id}/timbrar"), Some(id), None).unwrap();
            assert_eq!(answer.status, 200, "{}", answer.text);
            invoice = read(id);
        }
        assert_eq!(invoice["status"], "stamped", "{invoice}");
        let uuid = invoice["uuid"].as_str().unwrap();
        assert!(known.get(id).is_none_or(|told| told == uuid), "what was acknowledged stays");
        assert_one_stamp(office, id, uuid);
    }
    for id in &office.stamped {
        let invoice = read(id);
        let uuid = invoice["uuid"].as_str().unwrap().to_owned();
        let cancelled = office.pac.cancelled();
        let requests = cancelled.iter().filter(|one| one.eq_ignore_ascii_case(&uuid)).count();
        let expected = if requests == 1 { "cancelled" } else { "stamped" };
        assert_eq!(invoice["status"], expected, "{requests} requests: {invoice}");
        assert!(requests <= 1);
        assert_one_stamp(office, id, &uuid);
    }
    let all = office.drafts.len() + office.stamped.len();
    assert_eq!(office.pac.stamps().len(), all, "one stamp for each invoice");
    let credits = program.get("/credits");
    let left = CREDITS - 10 * i64::try_from(all).unwrap();
    assert_eq!(
        (&credits["available"], &credits["reserved"]),
        (&json!(left), &json!(0)),
        "one charge for each"
    );
    drafts
}

fn assert_one_stamp(office: &Office, id: &str, uuid: &str) {
    let stamps = office.pac.stamps();
    let own = stamps.iter().filter(|stamp| stamp.uuid.eq_ignore_ascii_case(uuid));
    assert_eq!(own.count(), 1, "the stamp that is shown was made");
    assert_eq!(office.commits(id), 1, "one charge");
}
