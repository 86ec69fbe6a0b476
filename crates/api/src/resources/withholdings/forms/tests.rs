//! What is read, and what is refused.

use cfdi::withholding::{ForeignPayment, Receiver};
use kernel::Amount;

use super::*;

const MINIMAL: &str = r#"{"code": "14", "receiver": {"foreign": {"legalName": "Fabrikam, Inc."}},
    "period": {"firstMonth": 1, "lastMonth": 3, "year": 2026}, "totals": {"taxed": 100}}"#;

fn refused(body: &str) -> String {
    CREATE.read_body(body.as_bytes()).unwrap_err().to_string()
}

#[test]
fn a_withholding_needs_little() {
    let read = CREATE.read_body(MINIMAL.as_bytes()).unwrap();
    assert!(!read.is_to_stamp);
    assert!(matches!(read.fields.receiver, Some(Receiver::Foreign(_))));
    let totals = read.fields.totals.unwrap();
    assert_eq!((totals.operation, totals.exempt), (None, Amount::ZERO));
    assert!(read.fields.taxes.is_none() && read.fields.complements.is_none());
    assert_eq!(refused("{}"), "code is required; period is required; totals is required");
}

#[test]
fn what_was_read_can_be_sent_back() {
    let shown = examples::STAMPED.replace(r#""placeOfIssue": "42501","#, "");
    let sent_back = UPDATE.read_body(shown.as_bytes()).unwrap();
    assert_eq!((sent_back.place_of_issue, sent_back.code.as_deref()), (None, Some("01")));
    assert_eq!(sent_back.taxes.unwrap().len(), 2);
}

#[test]
fn what_is_of_two_kinds_is_of_one() {
    for (receiver, problem) in [
        ("{}", "receiver.national is required, or foreign instead"),
        (
            r#"{"national": {"rfc": "EKU9003173C9", "legalName": "A", "taxZip": "06600"}, "foreign": {"legalName": "B"}}"#,
            "receiver.foreign must be absent beside national",
        ),
        (
            r#"{"national": {"rfc": "EKU9003173C9", "legalName": "A"}}"#,
            "receiver.national.taxZip is required",
        ),
        (
            r#"{"foreign": {"legalName": "B", "rfc": "x"}}"#,
            "\"rfc\" is not a field of a receiver abroad",
        ),
    ] {
        let given = r#"{"foreign": {"legalName": "Fabrikam, Inc."}}"#;
        let told = refused(&MINIMAL.replace(given, receiver));
        assert!(told.contains(problem), "{told}");
    }
    let abroad = r#""complements": {"foreignPayment": {"nonBeneficiary": {"taxResidence": "US",
        "payee": "3", "description": "Regalías"}}}, "totals""#;
    let read = CREATE.read_body(MINIMAL.replace(r#""totals""#, abroad).as_bytes()).unwrap();
    let payment = read.fields.complements.unwrap().foreign_payment;
    assert!(matches!(payment, Some(ForeignPayment::NonBeneficiary(_))));
}

#[test]
fn faults_name_their_fields() {
    for (before, after, problem) in [
        (r#""taxed": 100"#, r#""taxed": -1"#, "totals.taxed must be 0 or more"),
        (r#""taxed": 100"#, r#""exempt": 1"#, "totals.taxed is required"),
        (r#""firstMonth": 1"#, r#""firstMonth": 13"#, "period.firstMonth must be"),
        (r#""code": "14""#, r#""code": "X""#, "code must be a code of 2 digits"),
        (
            r#""code": "14""#,
            r#""code": "14", "taxes": [{"amount": 1, "paymentKind": "03", "tax": "ISH"}]"#,
            "taxes[0].tax must be one of ISR, IVA, IEPS",
        ),
        (r#""code": "14""#, r#""code": "14", "complements": {"prizes": {}}"#, "complements"),
        (
            r#""code": "14""#,
            r#""code": "14", "complements": {"interest": {"nominal": 1}}"#,
            "complements.interest.real is required",
        ),
    ] {
        let told = refused(&MINIMAL.replace(before, after));
        assert!(told.contains(problem), "{told}");
    }
}

#[test]
fn lists_are_narrowed() {
    let query = LIST.read_query("status=stamped&code=14&year=2026&rfc=XAXX010101000").unwrap();
    assert_eq!(query.filter.status, Some(Status::Stamped));
    assert_eq!((query.filter.code.as_deref(), query.filter.year), (Some("14"), Some(2026)));
    assert!(LIST.read_query("year=26").is_err());
    assert!(LIST.read_query("series=A").is_err());
}
