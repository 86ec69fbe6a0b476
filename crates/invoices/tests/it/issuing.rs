//! Several issuers of an account, and its branches.

use cfdi::document::DocumentType;
use invoices::{
    Branch, BranchChanges, BranchId, BranchSeries, Draft, Fields, InvoiceError, InvoiceId, Issuer,
    IssuerFields, IssuerId, Known, NewBranch, NewInvoice, Series, Status,
    branch::{self, BRANCHES_MAX},
    drafting, fields,
    issuer::{ISSUERS_MAX, changed, deletable, issuer_added, named, of_draft},
};
use kernel::{AccountId, Refused};

use super::{
    issuer, known, now,
    samples::{later, sale, sale_fields},
};

const ACCOUNT: u128 = 40;

fn wanted(rfc: &str, tax_regime: &str, is_default: Option<bool>) -> IssuerFields {
    IssuerFields {
        rfc: rfc.to_owned(),
        legal_name: "OTRA".to_owned(),
        tax_regime: tax_regime.to_owned(),
        tax_zip: "64000".to_owned(),
        series: None,
        default_taxes: None,
        is_default,
    }
}

fn add(known: &[Issuer], fields: IssuerFields) -> Result<Issuer, Refused<InvoiceError>> {
    issuer_added(known, AccountId::from_u128(ACCOUNT), 41, fields, now())
}

fn other(number: u128) -> Issuer {
    let (id, rfc) = (IssuerId::from_u128(number), "CACX7605101P8".to_owned());
    let series = Series { income: "X".to_owned(), ..Series::default() };
    Issuer { id, rfc, is_default: false, series, ..issuer() }
}

fn branch_of(number: u128, issuer: Option<u128>) -> Branch {
    let command = NewBranch {
        name: "Centro".to_owned(),
        issuer: issuer.map(IssuerId::from_u128),
        place_of_issue: "64000".to_owned(),
        series: BranchSeries { income: Some("C".to_owned()), ..BranchSeries::default() },
        address: Vec::new(),
        phone: None,
    };
    branch::create(command, BranchId::from_u128(number), 0, now()).unwrap()
}

#[test]
fn the_first_issuer_is_the_default_one_and_has_the_identifier_of_the_account() {
    let first = add(&[], wanted("EKU9003173C9", "601", Some(false))).unwrap();
    assert_eq!((first.id.to_u128(), first.is_default, first.version), (ACCOUNT, true, 1));
    let second = add(&[first], wanted("CACX7605101P8", "612", None)).unwrap();
    assert_eq!((second.id.to_u128(), second.is_default), (41, false));
}

#[test]
fn an_rfc_has_one_issuer_for_each_regime() {
    let known = [issuer(), other(2)];
    let again = Refused::Rule(InvoiceError::KnownIssuer { id: issuer().id });
    assert_eq!(add(&known, wanted("EKU9003173C9", "601", None)), Err(again.clone()));
    assert!(add(&known, wanted("EKU9003173C9", "626", None)).is_ok());
    let same = wanted("EKU9003173C9", "601", None);
    assert_eq!(changed(&known, &other(2), same.clone(), now()), Err(again));
    assert!(changed(&known, &issuer(), same.clone(), now()).is_ok());
    let full: Vec<_> = (0..ISSUERS_MAX as u128).map(other).collect();
    assert_eq!(add(&full, same), Err(Refused::Rule(InvoiceError::TooManyIssuers)));
}

#[test]
fn there_is_always_a_default_issuer() {
    let known = [issuer(), other(2)];
    let not = wanted("EKU9003173C9", "601", Some(false));
    let Err(Refused::Invalid(faults)) = changed(&known, &issuer(), not, later()) else { panic!() };
    assert_eq!(faults[0].field, "isDefault");
    let taking = changed(&known, &other(2), wanted("CACX7605101P8", "612", Some(true)), later());
    assert!(taking.unwrap().is_default);
    let refused = |error| Err(Refused::Rule(error));
    assert_eq!(deletable(&issuer(), false), refused(InvoiceError::DefaultIssuer));
    assert_eq!(deletable(&other(2), true), refused(InvoiceError::IssuerInUse));
    assert_eq!(deletable(&other(2), false), Ok(()));
    assert_eq!(named(&known, None).unwrap().id, issuer().id);
    assert_eq!(named(&known, Some(IssuerId::from_u128(2))).unwrap().id, other(2).id);
    assert!(named(&known, Some(IssuerId::from_u128(3))).is_none());
}

#[test]
fn a_draft_is_of_the_issuer_that_is_named_nearest() {
    let issuers = [issuer(), other(2), other(3), other(4)];
    let mut paid = sale(9, Status::Stamped);
    paid.draft.issuer = Some(IssuerId::from_u128(4));
    let draft = Draft { issuer: Some(IssuerId::from_u128(3)), ..sale(1, Status::Draft).draft };
    let (own, nobodys) = (branch_of(5, Some(2)), branch_of(6, None));
    let of = |issuer: Option<u128>, branch: Option<&Branch>, draft, paid: &[_]| {
        let fields = Fields {
            issuer: issuer.map(IssuerId::from_u128),
            branch: branch.map(|branch| Some(branch.id)),
            ..Fields::default()
        };
        of_draft(&issuers, &fields, (draft, branch), paid.iter()).map(|one| one.id.to_u128())
    };
    let paid = [paid];
    for (issuer, branch, draft, paid, expected) in [
        (Some(2), None, Some(&draft), &paid[..], 2),
        (Some(2), Some(&own), None, &[], 2),
        (Some(4), Some(&nobodys), None, &[], 4),
        (None, Some(&own), Some(&draft), &paid, 2),
        (None, Some(&nobodys), Some(&draft), &paid, 3),
        (None, None, Some(&draft), &paid, 3),
        (None, None, None, &paid, 4),
        (None, None, None, &[], 7),
    ] {
        assert_eq!(of(issuer, branch, draft, paid), Ok(expected), "{issuer:?} {expected}");
    }
    for (issuer, branch, field) in [(9, None, "issuerId"), (4, Some(&own), "branchId")] {
        let Err(Refused::Invalid(faults)) = of(Some(issuer), branch, None, &[]) else { panic!() };
        assert_eq!(faults[0].field, field);
    }
    let nobody = of_draft(&[], &Fields::default(), (None, None), [].iter());
    assert_eq!(nobody, Err(Refused::Rule(InvoiceError::NoIssuer)));
}

#[test]
fn series_and_place_of_issue_follow_issuer_and_branch() {
    let known = |issuer: Issuer, branch: Option<&Branch>| Known {
        issuer,
        branch: branch.cloned(),
        ..known()
    };
    let centro = branch_of(5, None);
    let at = |branch: Option<&Branch>| Fields {
        branch: Some(branch.map(|branch| branch.id)),
        ..Fields::default()
    };
    let made = fields::create(DocumentType::Income, sale_fields(), &known(other(2), None)).unwrap();
    assert_eq!((made.series.as_str(), &made.place_of_issue), ("X", &None));
    let there = known(other(2), Some(&centro));
    let moved = fields::changed(made.clone(), at(Some(&centro)), &there).unwrap();
    assert_eq!((moved.series.as_str(), moved.place_of_issue.as_deref()), ("C", Some("64000")));
    let told = Fields { series: Some("Z".to_owned()), ..at(Some(&centro)) };
    let told = Fields { place_of_issue: Some(Some("42501".to_owned())), ..told };
    let told = fields::changed(made.clone(), told, &there).unwrap();
    assert_eq!((told.series.as_str(), told.place_of_issue.as_deref()), ("Z", Some("42501")));
    let left = fields::changed(moved, at(None), &known(other(2), None)).unwrap();
    assert_eq!((left.series.as_str(), &left.place_of_issue), ("X", &None));
    let handed = fields::changed(told.clone(), Fields::default(), &known(issuer(), Some(&centro)));
    let handed = handed.unwrap();
    assert_eq!((handed.series.as_str(), handed.place_of_issue), ("C", told.place_of_issue));
    let nowhere = fields::changed(made, at(Some(&centro)), &known(other(2), None)).unwrap_err();
    assert_eq!(nowhere[0].field, "branchId");
}

#[test]
fn what_is_settled_is_of_the_same_issuer() {
    let mut known = known();
    let mut sold = sale(3, Status::Stamped);
    sold.document.issuer.rfc = "CACX7605101P8".to_owned();
    let uuid = sold.uuid().unwrap().to_owned();
    known.related.insert(uuid.clone(), sold);
    for (relation, is_refused) in [("01", true), ("04", true), ("02", false)] {
        let uuids = vec![uuid.clone()];
        let related = vec![cfdi::document::Relation { relation: relation.to_owned(), uuids }];
        let wanted = Fields { related: Some(related), ..sale_fields() };
        let note = NewInvoice { kind: DocumentType::Credit, fields: wanted, is_to_stamp: false };
        let made = drafting::create(&note, InvoiceId::from_u128(8), &known, now());
        let is_named =
            matches!(made, Err(Refused::Invalid(faults)) if faults[0].field == "related");
        assert_eq!(is_named, is_refused, "{relation}");
    }
}

#[test]
fn a_branch_changes_by_its_fields() {
    let before = branch_of(5, Some(2));
    let changes = BranchChanges {
        issuer: Some(None),
        phone: Some(Some("+525512345678".to_owned())),
        ..BranchChanges::default()
    };
    let after = branch::update(before.clone(), changes, later());
    assert_eq!((after.issuer, after.version, after.updated_at), (None, 2, later()));
    assert_eq!((&after.name, &after.series), (&before.name, &before.series));
    let more = NewBranch {
        name: "Norte".to_owned(),
        issuer: None,
        place_of_issue: "64000".to_owned(),
        series: BranchSeries::default(),
        address: Vec::new(),
        phone: None,
    };
    let refused = branch::create(more, BranchId::from_u128(6), BRANCHES_MAX, now());
    assert_eq!(refused, Err(Refused::Rule(InvoiceError::TooManyBranches)));
}
