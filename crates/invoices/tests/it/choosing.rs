//! The provider and the certificate of an account.

use cfdi::csd::Certificate;
use invoices::{
    CertificateId, ChooseProvider, InvoiceError, IssuerCertificate, ProviderChoice,
    issuer::{
        CERTIFICATES_MAX, CredentialsChange, Simulate, SimulatedStamping, activated, added, choose,
        in_mode, responsible,
    },
    provider::{Credentials, ProviderKind},
};
use kernel::{Mode, Refused};

use super::{fields_of, now, samples::later};

const COMPANY: &[u8] = include_bytes!("../../../cfdi/fixtures/csd/EKU9003173C9.cer");

fn chosen(kind: ProviderKind, user: Option<&str>) -> ProviderChoice {
    let kind = Some(kind);
    ProviderChoice { kind, user: user.map(str::to_owned), ..ProviderChoice::default() }
}

fn user(name: &str) -> Credentials {
    Credentials::User { user: name.to_owned(), password: "secret".to_owned() }
}

fn command(kind: ProviderKind, credentials: Option<Credentials>) -> ChooseProvider {
    ChooseProvider { kind, credentials, simulate: Simulate::default() }
}

#[test]
fn every_choice_of_a_provider() {
    use ProviderKind::{Finkok, Sw};
    let nobody = || (ProviderChoice::default(), false);
    let sw = || (chosen(Sw, Some("ana")), true);
    // Before, the choice, what becomes of the credentials, and whether it is refused while something is stamped.
    let cases = [
        (nobody(), command(Sw, None), "refused", true),
        (nobody(), command(Sw, Some(user("ana"))), "replace", true),
        (sw(), command(Sw, None), "keep", false),
        (sw(), command(Sw, Some(user("ana"))), "replace", false),
        (sw(), command(Sw, Some(user("eva"))), "replace", true),
        (sw(), command(Sw, Some(Credentials::Token("t".to_owned()))), "replace", true),
        (sw(), command(Finkok, None), "refused", true),
    ];
    for ((before, has_credentials), command, expected, is_locked) in cases {
        let outcome = choose(Mode::Live, &before, has_credentials, &command, false, now());
        let said = match &outcome {
            Ok((_, CredentialsChange::Keep)) => "keep",
            Ok((_, CredentialsChange::Replace(_))) => "replace",
            Ok((_, CredentialsChange::Remove)) => "remove",
            Err(Refused::Invalid(faults)) => {
                assert_eq!(fields_of(faults), ["user"]);
                "refused"
            }
            Err(other) => panic!("{other:?}"),
        };
        assert_eq!(said, expected, "{command:?}");
        let busy = choose(Mode::Live, &before, has_credentials, &command, true, now());
        match (outcome, is_locked) {
            (Ok(_), true) => assert_eq!(busy, Err(Refused::Rule(InvoiceError::ProviderInUse))),
            (outcome, _) => assert_eq!(busy, outcome, "{command:?}"),
        }
    }
}

#[test]
fn the_sandbox_is_for_test_accounts_alone() {
    use ProviderKind::{Finkok, Sandbox, Sw};
    let refused = |mode, command: &ChooseProvider| {
        let nobody = ProviderChoice::default();
        match choose(mode, &nobody, false, command, false, now()) {
            Ok((choice, _)) => {
                assert_eq!(choice.kind, Some(command.kind));
                None
            }
            Err(Refused::Invalid(faults)) => Some(fields_of(&faults).join(" ")),
            Err(other) => panic!("{other:?}"),
        }
    };
    let fails = Simulate { stamping: SimulatedStamping::Timeout, ..Simulate::default() };
    let simulating =
        |kind, credentials| ChooseProvider { simulate: fails, ..command(kind, credentials) };
    let ana = || Some(user("ana"));
    for (mode, command, field) in [
        (Mode::Test, command(Sandbox, None), None),
        (Mode::Test, simulating(Sandbox, None), None),
        (Mode::Test, command(Sw, ana()), Some("provider")),
        (Mode::Live, command(Sandbox, None), Some("provider")),
        (Mode::Live, command(Finkok, ana()), None),
        (Mode::Live, simulating(Finkok, ana()), Some("simulate")),
    ] {
        assert_eq!(refused(mode, &command).as_deref(), field, "{mode:?} {command:?}");
    }
}

#[test]
fn what_an_earlier_release_let_choose_counts_no_more() {
    use ProviderKind::{Sandbox, Sw};
    let at = Some(now());
    for (mode, kind, expected) in [
        (Mode::Test, None, Some(Sandbox)),
        (Mode::Test, Some(Sandbox), Some(Sandbox)),
        (Mode::Live, None, None),
        (Mode::Live, Some(Sandbox), None),
        (Mode::Live, Some(Sw), Some(Sw)),
    ] {
        let choice = ProviderChoice { kind, updated_at: at, ..ProviderChoice::default() };
        let seen = in_mode(mode, choice);
        assert_eq!((seen.kind, seen.updated_at), (expected, at), "{mode:?} {kind:?}");
    }
}

#[test]
fn what_the_sandbox_stamped_stays_the_sandboxes() {
    use ProviderKind::{Finkok, Sandbox, Sw};
    let cases = [
        (Sw, None, (Sw, true)),
        (Sw, Some(Finkok), (Sw, true)),
        (Sw, Some(Sandbox), (Sandbox, false)),
        (Sandbox, Some(Sw), (Sw, false)),
        (Sandbox, Some(Sandbox), (Sandbox, true)),
    ];
    for (chosen, stamped_by, expected) in cases {
        let (kind, credentials) = responsible((chosen, Some(user("ana"))), stamped_by);
        assert_eq!((kind, credentials.is_some()), expected);
    }
}

fn certificate(number: u128) -> IssuerCertificate {
    let read = Certificate::parse(COMPANY).unwrap();
    let own = added(&[], &read, CertificateId::from_u128(number), now()).unwrap();
    IssuerCertificate { number: format!("{number:020}"), ..own }
}

#[test]
fn a_certificate_seals_unless_a_valid_one_does() {
    let read = Certificate::parse(COMPANY).unwrap();
    let id = CertificateId::from_u128(9);
    let active = |known: &[IssuerCertificate]| added(known, &read, id, now()).unwrap().is_active;
    assert!(active(&[]));
    assert!(!active(&[certificate(1)]));
    assert!(active(&[IssuerCertificate { is_active: false, ..certificate(1) }]));
    assert!(active(&[IssuerCertificate { rfc: "CACX7605101P8".to_owned(), ..certificate(1) }]));
    assert!(active(&[IssuerCertificate { valid_until: now(), ..certificate(1) }]));
    let known = IssuerCertificate { number: read.number().to_owned(), ..certificate(1) };
    let again = added(std::slice::from_ref(&known), &read, id, now());
    assert_eq!(again, Err(Refused::Rule(InvoiceError::KnownCertificate { id: known.id })));
    let full: Vec<_> = (0..CERTIFICATES_MAX as u128).map(certificate).collect();
    let more = added(&full, &read, id, later());
    assert_eq!(more, Err(Refused::Rule(InvoiceError::TooManyCertificates)));
}

#[test]
fn only_a_known_certificate_is_activated() {
    let idle = IssuerCertificate { is_active: false, ..certificate(1) };
    let known = [idle.clone(), certificate(2)];
    assert!(activated(&known, idle.id).unwrap().is_active);
    assert_eq!(activated(&known, CertificateId::from_u128(7)), Err(Refused::NotFound));
}
