//! Connections that are not made, break, or carry something else: what may have been stamped is never told
//! as not taken, and what was not sent is.

use std::time::{Duration, Instant};

use invoices::provider::{ProviderKind, StampOutcome};
use kernel::reason::Reason;
use outbound::pac::ANSWER_BYTES_MAX;
use testkit::pac::{Behaviour, Call, FakePac, Reply};

use super::support::{BOTH, SHORT, account, account_at, document, hasty, stamped, stamping, told};
use crate::tls::{Authority, Leaf};

const PAGE: &str = "<!DOCTYPE html><html><head><title>502 Bad Gateway</title></head></html>";

fn page(status: u16) -> Reply {
    Reply::Http(status, PAGE.to_owned())
}

/// Endings that do not tell what was done.
fn silent() -> Vec<Reply> {
    let mut endings = vec![
        Reply::Hang,
        Reply::Close,
        Reply::Reset,
        Reply::Half,
        Reply::Stall,
        Reply::Slow(3 * SHORT),
        Reply::Padded(ANSWER_BYTES_MAX),
        Reply::Http(200, String::new()),
        Reply::Http(200, "{\"status\":\"success\"}".to_owned()),
        Reply::Http(200, "{\"status\":\"success\",\"data\":{\"cfdi\":\"<a/>\"}}".to_owned()),
        Reply::Http(200, "{\"status\":\"error\"}".to_owned()),
        Reply::Http(400, "{\"status\":\"error\",\"message\":null}".to_owned()),
        Reply::Http(400, "{\"status\":\"success\",\"data\":{}}".to_owned()),
        Reply::Http(500, "{\"status\":\"error\",\"message\":\"301 - XML\"}".to_owned()),
        Reply::Http(200, "[1, 2".to_owned()),
        Reply::Http(200, "\u{0}\u{1}".to_owned()),
        Reply::Http(200, "<a>".to_owned()),
        Reply::Header(503, "x-azure-ref", "1".to_owned()),
        Reply::Header(500, "retry-after", "1".to_owned()),
    ];
    endings.extend([200, 400, 408, 409, 418, 500, 502, 503, 504, 522].map(page));
    endings.extend([500, 502, 503, 504].map(|status| Reply::Http(status, String::new())));
    endings
}

#[tokio::test]
async fn an_ending_that_tells_nothing_is_unknown_and_the_stamp_is_found_again() {
    for kind in BOTH {
        for reply in silent() {
            let pac = FakePac::start();
            pac.script(Call::Stamp, [Behaviour::then(reply.clone())], Behaviour::documented());
            let account = hasty(&pac, kind);
            let outcome = account.stamp(document(1)).await;
            assert_eq!(told(&outcome), "unknown", "{kind:?} {reply:?}: {outcome:?}");
            let stamps = pac.stamps();
            assert_eq!(stamps.len(), 1);
            let again = stamped(account.stamp(document(1)).await);
            assert_eq!((again, pac.stamps().len()), (stamps[0].xml.clone(), 1));
        }
    }
}

#[tokio::test]
async fn an_ending_that_tells_nothing_is_unknown_even_if_nothing_was_done() {
    for kind in BOTH {
        for reply in silent() {
            let pac = stamping(Behaviour::instead(reply.clone()));
            let outcome = hasty(&pac, kind).stamp(document(1)).await;
            assert_eq!(told(&outcome), "unknown", "{kind:?} {reply:?}: {outcome:?}");
        }
    }
}

#[tokio::test]
async fn a_gateway_does_not_know_what_the_provider_has_done() {
    for kind in BOTH {
        for status in [401, 403, 404, 405, 413, 429] {
            for reply in [page(status), Reply::Http(status, String::new())] {
                let pac = stamping(Behaviour::then(reply));
                let outcome = account(&pac, kind).stamp(document(1)).await;
                assert_eq!(told(&outcome), "unknown", "{kind:?} {status}: {outcome:?}");
            }
        }
        let busy = Behaviour::instead(Reply::Header(503, "retry-after", "30".to_owned()));
        // A gateway may say so after the provider behind it has stamped.
        let outcome = account(&stamping(busy), kind).stamp(document(1)).await;
        let reason = Reason::HttpStatus.kept(503);
        assert_eq!(outcome, StampOutcome::Unknown { reason });
    }
}

#[tokio::test]
async fn a_redirect_is_not_followed() {
    for kind in BOTH {
        for status in [301, 302, 303, 307, 308] {
            let elsewhere = FakePac::start();
            let location = format!("{}/v4/cfdi33/stamp/v4", elsewhere.url());
            let pac = stamping(Behaviour::then(Reply::Header(status, "location", location)));
            let outcome = account(&pac, kind).stamp(document(1)).await;
            let reason = Reason::HttpStatus.kept(status);
            assert_eq!(outcome, StampOutcome::Unknown { reason });
            assert_eq!((elsewhere.received().len(), pac.count(Call::Stamp)), (0, 1));
        }
    }
}

#[tokio::test]
async fn an_answer_is_read_up_to_its_limit() {
    for kind in BOTH {
        let pac = stamping(Behaviour::then(Reply::Padded(ANSWER_BYTES_MAX - 16_384)));
        assert_eq!(stamped(account(&pac, kind).stamp(document(1)).await), pac.stamps()[0].xml);
        let pac = stamping(Behaviour::then(Reply::Padded(4 * ANSWER_BYTES_MAX)));
        let reason = Reason::ResponseTooLarge.kept(8);
        let outcome = account(&pac, kind).stamp(document(1)).await;
        assert_eq!(outcome, StampOutcome::Unknown { reason });
    }
}

#[tokio::test]
async fn an_answer_of_hostile_depth_or_with_entities_is_unknown() {
    let bomb = "<!DOCTYPE a [<!ENTITY b \"&c;&c;\"><!ENTITY c \"ccc\">]><a>&b;</a>".to_owned();
    let open = "<a>".repeat(1 << 20);
    let nested = open.clone() + &"</a>".repeat(1 << 20);
    let in_json = |xml: &str| format!("{{\"status\":\"success\",\"data\":{{\"cfdi\":\"{xml}\"}}}}");
    let list = "[".repeat(1 << 22);
    for body in [in_json(&nested), nested, open, bomb, list] {
        for kind in BOTH {
            let pac = stamping(Behaviour::instead(Reply::Http(200, body.clone())));
            let outcome = account(&pac, kind).stamp(document(1)).await;
            assert_eq!(told(&outcome), "unknown", "{kind:?}");
        }
    }
}

#[tokio::test]
async fn a_use_ends_within_its_time() {
    for kind in BOTH {
        for call in [Call::SignIn, Call::Stamp] {
            let pac = FakePac::start();
            pac.always(call, Behaviour::then(Reply::Hang));
            let begun = Instant::now();
            let outcome = hasty(&pac, kind).stamp(document(1)).await;
            assert!(begun.elapsed() < 10 * SHORT, "{kind:?} {call:?}: {outcome:?}");
        }
    }
    let pac = stamping(Behaviour::then(Reply::Hang));
    let outcome = hasty(&pac, ProviderKind::Finkok).stamp(document(1)).await;
    assert_eq!(outcome, StampOutcome::Unknown { reason: Reason::TimedOut.kept("400 ms") });
}

#[tokio::test]
async fn without_a_connection_nothing_is_taken() {
    let port = FakePac::start().url();
    let authority = Authority::new();
    let stranger = authority.serve(&Leaf::default()).await;
    let closing = crate::support::Server::start(|stream| async move {
        drop(stream);
        Ok(())
    })
    .await;
    for kind in BOTH {
        for (url, reason) in [
            (port.clone(), Reason::ConnectionRefused.code()),
            (format!("https://{}", stranger.address), Reason::CertificateUnknownIssuer.code()),
            (format!("https://{}", closing.address), ""),
            ("https://pac.invalid".to_owned(), ""),
        ] {
            let account = account_at(&url, kind, Duration::from_secs(20));
            let outcome = account.stamp(document(1)).await;
            let StampOutcome::NotTaken { reason: found } = &outcome else { panic!("{outcome:?}") };
            assert!(found.starts_with(reason), "{url}: {found}");
        }
    }
}

#[tokio::test]
async fn a_handshake_that_takes_too_long_has_taken_nothing() {
    // Waits for the end of a request that is none.
    let pac = FakePac::start();
    let url = pac.url().replace("http://", "https://");
    for kind in BOTH {
        let outcome = account_at(&url, kind, 2 * SHORT).stamp(document(1)).await;
        assert_eq!(told(&outcome), "not taken", "{outcome:?}");
    }
    assert_eq!(pac.received().len(), 0);
}

#[tokio::test]
async fn a_provider_that_is_gone_between_two_calls_is_not_reached() {
    for kind in BOTH {
        let pac = FakePac::start();
        let account = account(&pac, kind);
        stamped(account.stamp(document(1)).await);
        drop(pac);
        tokio::time::sleep(Duration::from_millis(50)).await;
        assert_eq!(told(&account.stamp(document(2)).await), "not taken");
    }
}
