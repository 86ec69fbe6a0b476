//! Every way in which a provider's answer can fail, before and after it has stamped.

use std::time::Duration;

use serde_json::{Value, json};
use testkit::{
    DatabaseKind, FakePac, on_both,
    pac::{Behaviour, Call, Reply},
};

use super::{
    Tried,
    desk::{Desk, Pac, TIMEOUT},
    faults_of, seed, statuses,
};

on_both!(
    sw_stamps_once,
    finkok_stamps_once,
    a_session_that_ended_is_begun_anew,
    a_token_is_replaced_while_it_is_being_stamped,
    nothing_listens,
);

/// What a caller is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Told {
    /// 200.
    Stamped,
    /// 504: it is being found out.
    Late,
    /// 409: refused for what it says.
    Refused,
    /// 502: nobody looked at it.
    NotTaken,
}
use Told::{Late, NotTaken, Refused, Stamped};

/// Who goes on after an answer was lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum GoesOn {
    SameKey,
    OtherKey,
    NoKey,
    Nobody,
}

const GO_ON: [GoesOn; 4] = [GoesOn::SameKey, GoesOn::OtherKey, GoesOn::NoKey, GoesOn::Nobody];

/// What the provider does with the calls, and what a caller is told who repeats until there is an end.
struct Case {
    name: String,
    script: Vec<Behaviour>,
    told: Vec<Told>,
}

fn case(name: &str, script: Vec<Behaviour>, told: &[Told]) -> Case {
    Case { name: name.to_owned(), script, told: told.to_vec() }
}

fn html(status: u16) -> Reply {
    Reply::Http(status, "<html><h1>Bad Gateway</h1></html>".to_owned())
}

fn refuse(code: &str) -> Behaviour {
    Behaviour::refuse(code, "El campo no es válido.")
}

/// Answers that say nothing, given before the document was stamped and after it.
fn lost() -> Vec<Case> {
    let mut replies = vec![
        Reply::Hang,
        Reply::Reset,
        Reply::Close,
        Reply::Half,
        Reply::Stall,
        Reply::Slow(TIMEOUT * 3 / 2),
        Reply::Header(301, "location", "/v4/cfdi33/stamp/v4".to_owned()),
        Reply::Header(307, "location", "/v4/cfdi33/stamp/v4".to_owned()),
        Reply::Header(308, "location", "/servicios/soap/stamp.wsdl".to_owned()),
    ];
    for status in [200, 204, 302, 500, 502, 503, 504, 520] {
        replies.push(Reply::Http(status, String::new()));
    }
    for status in [200, 400, 500, 502, 503, 504] {
        replies.push(html(status));
    }
    let mut cases = Vec::new();
    for reply in replies {
        for works in [false, true] {
            let when = if works { "after" } else { "before" };
            let name = format!("{reply:?} {when} stamping");
            let script = vec![Behaviour { works, reply: reply.clone() }];
            cases.push(case(&name, script, &[Late, Stamped]));
        }
    }
    cases
}

/// Answers that say something, true or not.
fn told() -> Vec<Case> {
    let cut = || Behaviour::then(Reply::Close);
    let cut_before = || Behaviour::instead(Reply::Close);
    vec![
        case("as documented", vec![], &[Stamped]),
        case("the stamp alone", vec![Behaviour::then(Reply::Alone)], &[Stamped]),
        case("another's stamp", vec![Behaviour::then(Reply::Foreign)], &[Late, Stamped]),
        case("no document", vec![Behaviour::then(Reply::Hidden)], &[Late, Stamped]),
        case("success that is none", vec![Behaviour::instead(Reply::Documented)], &[Late, Stamped]),
        case("9 MiB", vec![Behaviour::then(Reply::Padded(9 << 20))], &[Late, Stamped]),
        case("a refusal", vec![refuse("CFDI40147")], &[Refused]),
        case("307 of what has no stamp", vec![refuse("307")], &[Stamped]),
        case(
            "307 without the stamp",
            vec![cut(), Behaviour::then(Reply::Hidden)],
            &[Late, Stamped],
        ),
        case("a refusal after a stamp", vec![cut(), refuse("CFDI40147")], &[Late, Stamped]),
        case(
            "a refusal after a lost answer",
            vec![cut_before(), refuse("CFDI40147"), refuse("CFDI40147")],
            &[Late, Refused],
        ),
        case("no time after a stamp", vec![cut(), Behaviour::status(429)], &[Late, Late, Stamped]),
        case(
            "three losses",
            vec![cut_before(), Behaviour::instead(Reply::Reset), Behaviour::then(html(500))],
            &[Late, Late, Late, Stamped],
        ),
        case(
            "come again",
            vec![Behaviour::instead(Reply::Header(503, "retry-after", "30".to_owned()))],
            &[Late, Stamped],
        ),
    ]
}

/// Statuses that a gateway may answer with after the provider behind it has stamped.
const OF_GATEWAYS: [u16; 5] = [401, 403, 404, 413, 429];

/// What a provider says of itself, and of no document.
const PROVIDERS_OWN: &str = r#"{"status":"error","message":"El servicio no está disponible.","messageDetail":"","data":null}"#;

/// Every status that may come of a gateway, with every kind of body; of the others as many as are wanted, other ones with
/// each seed.
fn of_gateways() -> Vec<Case> {
    let others = (300..=599).filter(|status| !OF_GATEWAYS.contains(status));
    let others: Vec<u16> = others.collect();
    let at = |turn: u64| others[(turn.wrapping_mul(37) % others.len() as u64) as usize];
    let wanted = statuses().min(others.len() as u64);
    let some = (0..wanted).map(|turn| at(seed().wrapping_mul(wanted).wrapping_add(turn)));
    let mut cases = Vec::new();
    for status in OF_GATEWAYS.into_iter().chain(some) {
        for (kind, body) in [("nothing", ""), ("a page", "<html>"), ("JSON", PROVIDERS_OWN)] {
            let reply = Reply::Http(status, body.to_owned());
            let name = format!("HTTP {status} with {kind} after stamping");
            cases.push(case(&name, vec![Behaviour::then(reply)], &[Late, Stamped]));
        }
    }
    cases
}

/// What only one of them says.
fn own(pac: Pac) -> Vec<Case> {
    let (cut, cut_before) = (Behaviour::then(Reply::Close), Behaviour::instead(Reply::Close));
    let hidden = Behaviour::then(Reply::Hidden);
    match pac {
        Pac::Sw => vec![
            case("an accident", vec![refuse("CO1000")], &[Late, Stamped]),
            case("an invalid token", vec![refuse("AU4000")], &[Late, Stamped]),
            case("hidden twice", vec![cut, hidden.clone(), hidden], &[Late, Late, Stamped]),
            case(
                "a refusal that may have come up since",
                vec![cut_before, refuse("401"), refuse("401")],
                &[Late, Late, Stamped],
            ),
        ],
        Pac::Finkok => vec![
            case("an accident", vec![refuse("604")], &[Late, Stamped]),
            case("a suspended account", vec![refuse("703")], &[NotTaken]),
            case("hidden twice", vec![cut, hidden.clone(), hidden], &[Late, Stamped]),
        ],
    }
}

fn sw_stamps_once(kind: DatabaseKind) {
    run(kind, Pac::Sw);
}

fn finkok_stamps_once(kind: DatabaseKind) {
    run(kind, Pac::Finkok);
}

fn run(kind: DatabaseKind, pac: Pac) {
    let desk = Desk::open(kind, pac);
    let cases = [lost(), told(), own(pac), of_gateways()];
    let cases: Vec<Case> = cases.into_iter().flatten().collect();
    let trial = Tried::at(&desk.pac);
    for (number, case) in cases.iter().enumerate() {
        let turn = usize::try_from(seed()).unwrap_or_default().wrapping_add(number);
        let goes_on = GO_ON[turn % GO_ON.len()];
        eprintln!("{pac:?}, {}, {goes_on:?} goes on", case.name);
        trial.faults(faults_of(&case.script));
        trial.invoices(1);
        tried(&desk, case, goes_on);
    }
    assert_eq!(desk.pac.stamps().len(), cases.len(), "one stamp for each invoice");
}

/// Runs a case to its end, and then to a stamp.
fn tried(desk: &Desk, case: &Case, goes_on: GoesOn) {
    let (stamps, credits) = (desk.pac.stamps().len(), desk.credits().0);
    let id = desk.draft();
    desk.pac.script(Call::Stamp, case.script.clone(), Behaviour::documented());
    let end = *case.told.last().unwrap();
    for (turn, told) in case.told.iter().enumerate() {
        if turn > 0 && goes_on == GoesOn::Nobody {
            desk.leave_alone(&id);
            break;
        }
        let key = match goes_on {
            GoesOn::SameKey => Some(id.clone()),
            GoesOn::OtherKey | GoesOn::Nobody => Some(format!("{id}-{turn}")),
            GoesOn::NoKey => None,
        };
        expect(desk, &id, key.as_deref(), *told);
        if *told == Late {
            assert_eq!(desk.read(&id)["status"], "stamping");
            assert_eq!(desk.credits(), (credits - 10, 10), "set aside");
        }
    }
    if end != Stamped {
        let invoice = desk.read(&id);
        assert_eq!((&invoice["status"], &invoice["uuid"]), (&json!("draft"), &Value::Null));
        let code = if end == Refused { "CFDI40147" } else { "provider_unavailable" };
        assert_eq!(invoice["lastError"]["code"], code, "{invoice}");
        assert_eq!((desk.credits(), desk.charged(&id)), ((credits, 0), (0, 0)));
        assert_eq!((desk.task(&id), desk.pac.stamps().len()), (None, stamps));
        desk.pac.always(Call::Stamp, Behaviour::documented());
        expect(desk, &id, Some(&id), Stamped);
    }
    desk.assert_stamped_once(&id, stamps);
    assert_eq!(desk.credits(), (credits - 10, 0));
    let calls = desk.pac.count(Call::Stamp);
    expect(desk, &id, Some(&id), Stamped);
    expect(desk, &id, None, Stamped);
    assert_eq!(desk.pac.count(Call::Stamp), calls, "what is stamped is not sent again");
}

#[track_caller]
fn expect(desk: &Desk, id: &str, key: Option<&str>, told: Told) {
    let reply = desk.stamp(id, key);
    match told {
        Stamped => assert_eq!(reply.expect(200)["status"], "stamped"),
        Late => drop(reply.refused(504, "provider_timeout")),
        Refused => drop(reply.refused(409, "rejected_by_provider")),
        NotTaken => drop(reply.refused(502, "provider_error")),
    }
}

fn a_session_that_ended_is_begun_anew(kind: DatabaseKind) {
    let desk = Desk::open(kind, Pac::Sw);
    let user = json!({"provider": "sw", "user": FakePac::USER, "password": FakePac::PASSWORD});
    let _ = desk.choose(&user).expect(200);
    for fault in ["none", "ended", "401"] {
        let (id, stamps) = (desk.draft(), desk.pac.stamps().len());
        match fault {
            "ended" => desk.pac.expire_sessions(),
            "401" => {
                desk.pac.script(Call::Stamp, [Behaviour::status(401)], Behaviour::documented());
            }
            _ => {}
        }
        expect(&desk, &id, Some(&id), Stamped);
        desk.assert_stamped_once(&id, stamps);
    }
    // A sign-in that fails after the token was refused: whoever refused it may not have been the provider.
    for reply in [Reply::Hang, Reply::Reset, html(500), Reply::Slow(Duration::from_millis(1_500))] {
        let (id, stamps, credits) = (desk.draft(), desk.pac.stamps().len(), desk.credits());
        desk.pac.expire_sessions();
        desk.pac.script(Call::SignIn, [Behaviour::instead(reply)], Behaviour::documented());
        expect(&desk, &id, Some(&id), Late);
        assert_eq!(desk.credits(), (credits.0 - 10, credits.1 + 10), "set aside");
        expect(&desk, &id, Some(&id), Stamped);
        desk.assert_stamped_once(&id, stamps);
    }
}

/// A gateway that refuses the token may stand behind a provider that has stamped: the invoice waits for another token.
fn a_token_is_replaced_while_it_is_being_stamped(kind: DatabaseKind) {
    let desk = Desk::open(kind, Pac::Sw);
    let _ = desk.choose(&json!({"provider": "sw", "token": "stale"})).expect(200);
    let id = desk.draft();
    expect(&desk, &id, Some(&id), Late);
    let error = &desk.read(&id)["lastError"];
    assert_eq!(error["message"], "the provider rejected the credentials", "{error}");
    let _ = desk.choose(&Pac::Finkok.choice()).refused(409, "in_progress");
    let _ = desk.choose(&Pac::Sw.choice()).expect(200);
    expect(&desk, &id, Some(&id), Stamped);
    desk.assert_stamped_once(&id, 0);
}

fn nothing_listens(kind: DatabaseKind) {
    let desk = Desk::open(kind, Pac::Sw);
    let id = desk.draft();
    // An address of this machine where nothing listens: the fake's, once it is gone.
    let gone = FakePac::start();
    let elsewhere = desk.app.again().pac(&gone).start();
    drop(gone);
    let client = desk.client.at(&elsewhere);
    let credits = desk.credits();
    let path = format!("/invoices/{id}/timbrar");
    let _ = client.act(&path).refused(502, "provider_error");
    assert_eq!((desk.credits(), desk.task(&id)), (credits, None));
    assert_eq!(desk.read(&id)["lastError"]["code"], "provider_unavailable");
    expect(&desk, &id, None, Stamped);
    desk.assert_stamped_once(&id, 0);
}
