//! Several issuers of an account, and its branches.

use cfdi::document::DocumentType;
use invoices::{
    Branch, BranchChanges, BranchId, BranchSeries, Fields, InvoiceError, InvoiceId, Issuer,
    IssuerFields, IssuerId, Known, NewBranch, NewInvoice, Series, Status,
    branch::{self, BRANCHES_MAX},
    drafting, fields,
    issuer::{ISSUERS_MAX, changed, deletable, issuer_added, named, no_longer_default, of_draft},
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
        shipping_taxes: None,
        stamps_receipts: None,
        stamps_credit_notes: None,
        is_default,
    }
}

/// The same with a name of its own for every series.
fn of_series(fields: IssuerFields, name: &str) -> IssuerFields {
    let of = |kind: &str| format!("{name}{kind}");
    let series = Series { income: of("I"), credit: of("E"), payment: of("P"), transfer: of("T") };
    IssuerFields { series: Some(series), ..fields }
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
    branch::create(command, &[], BranchId::from_u128(number), now()).unwrap()
}

#[test]
fn the_first_issuer_is_the_default_one_and_has_the_identifier_of_the_account() {
    let first = add(&[], wanted("EKU9003173C9", "601", None)).unwrap();
    assert_eq!((first.id.to_u128(), first.is_default, first.version), (ACCOUNT, true, 1));
    let second = add(&[first], wanted("CACX7605101P8", "612", None)).unwrap();
    assert_eq!((second.id.to_u128(), second.is_default), (41, false));
}

#[test]
fn an_rfc_has_one_issuer_for_each_regime() {
    let known = [issuer(), other(2)];
    let again = Refused::Rule(InvoiceError::KnownIssuer { id: issuer().id });
    assert_eq!(add(&known, wanted("EKU9003173C9", "601", None)), Err(again.clone()));
    assert!(add(&known, of_series(wanted("EKU9003173C9", "626", None), "G")).is_ok());
    let same = wanted("EKU9003173C9", "601", None);
    assert_eq!(changed(&known, &other(2), same.clone(), now()), Err(again));
    assert!(changed(&known, &issuer(), same.clone(), now()).is_ok());
    let full: Vec<_> = (0..ISSUERS_MAX as u128).map(other).collect();
    assert_eq!(add(&full, same), Err(Refused::Rule(InvoiceError::TooManyIssuers)));
}

#[test]
fn an_issuer_is_in_a_regime_of_its_kind_of_person() {
    for (rfc, regime) in [("EKU9003173C9", "612"), ("CACX7605101P8", "601")] {
        let wanted = wanted(rfc, regime, None);
        for made in [add(&[], wanted.clone()), changed(&[issuer()], &issuer(), wanted, later())] {
            let Err(Refused::Invalid(faults)) = made else { panic!("{rfc} {regime}: {made:?}") };
            assert_eq!(super::fields_of(&faults), ["taxRegime"]);
        }
    }
}

/// Each issuer counts its own folios.
#[test]
fn issuers_of_one_rfc_have_series_of_their_own() {
    let same_rfc = wanted("EKU9003173C9", "626", None);
    let is_refused = |made: Result<Issuer, Refused<InvoiceError>>| {
        let Err(Refused::Rule(InvoiceError::SharedSeries { id, .. })) = made else { return false };
        id == issuer().id
    };
    assert!(is_refused(add(&[issuer()], same_rfc.clone())));
    let mut partly = of_series(same_rfc.clone(), "G");
    partly.series.as_mut().unwrap().payment.clone_from(&issuer().series.payment);
    assert!(is_refused(add(&[issuer()], partly)));
    let second = add(&[issuer()], of_series(same_rfc.clone(), "G")).unwrap();
    let known = [issuer(), second.clone()];
    assert!(is_refused(changed(&known, &second, same_rfc, later())));
    // Other RFCs may name theirs alike.
    assert!(add(&known, wanted("CACX7605101P8", "612", None)).is_ok());
}

#[test]
fn there_is_always_a_default_issuer() {
    let known = [issuer(), other(2)];
    let alone = add(&[], wanted("EKU9003173C9", "601", Some(false)));
    assert!(matches!(alone, Err(Refused::Invalid(faults)) if faults[0].field == "isDefault"));
    let before = no_longer_default(issuer(), later());
    assert!(!before.is_default && before.version == issuer().version + 1);
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
    let mut draft = sale(1, Status::Draft);
    draft.draft.issuer = Some(IssuerId::from_u128(3));
    let mut at_own = draft.clone();
    at_own.draft.branch = Some(BranchId::from_u128(5));
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
        // It stays whose it is where it is named again, whoever the branch is of by now.
        (None, Some(&own), Some(&at_own), &[], 3),
        (Some(3), Some(&own), Some(&at_own), &[], 3),
        (Some(2), Some(&own), Some(&at_own), &[], 2),
        (None, None, Some(&draft), &paid, 3),
        (None, None, None, &paid, 4),
        (None, None, None, &[], 7),
    ] {
        assert_eq!(of(issuer, branch, draft, paid), Ok(expected), "{issuer:?} {expected}");
    }
    for (issuer, branch, draft, field) in [
        (9, None, None, "issuerId"),
        (4, Some(&own), None, "branchId"),
        (4, Some(&own), Some(&at_own), "branchId"),
        (3, Some(&own), Some(&draft), "branchId"),
    ] {
        let Err(Refused::Invalid(faults)) = of(Some(issuer), branch, draft, &[]) else { panic!() };
        assert_eq!(faults[0].field, field);
    }
    let nobody = of_draft(&[], &Fields::default(), (None, None), [].iter());
    assert_eq!(nobody, Err(Refused::Rule(InvoiceError::NoIssuer)));
}

/// Of one that was deleted since: another of its RFC, or else the default one.
#[test]
fn a_copy_is_of_the_taxpayer_that_issued_the_original() {
    let again = Issuer { tax_regime: "626".to_owned(), ..other(5) };
    let mut original = sale(1, Status::Stamped);
    original.draft.issuer = Some(IssuerId::from_u128(2));
    original.document.issuer.rfc = other(2).rfc;
    let of = |issuers: &[Issuer]| {
        let found = of_draft(issuers, &Fields::default(), (Some(&original), None), [].iter());
        found.unwrap().id
    };
    assert_eq!(of(&[issuer(), again.clone(), other(2)]), other(2).id);
    assert_eq!(of(&[issuer(), again.clone()]), again.id);
    assert_eq!(of(&[issuer()]), issuer().id);
}

#[test]
fn what_depends_on_the_issuer_is_not_left_from_the_former() {
    let mut reduced = other(2);
    reduced.default_taxes = vec![cfdi::tax::TaxRate::iva(80_000)];
    let made = fields::create(DocumentType::Income, sale_fields(), &known()).unwrap();
    let handed = |fields: Fields, to: &Issuer| {
        let known = Known { former: Some(issuer()), issuer: to.clone(), ..known() };
        fields::changed(made.clone(), fields, &known)
    };
    let to = || Fields { issuer: Some(IssuerId::from_u128(2)), ..Fields::default() };
    assert_eq!(handed(to(), &reduced).unwrap_err()[0].field, "issuerId");
    let told = handed(Fields { items: sale_fields().items, ..to() }, &reduced).unwrap();
    assert_eq!(told.items[0].taxes, reduced.default_taxes);
    assert!(handed(to(), &other(2)).is_ok());
}

/// A draft that is made out to who withholds nothing has the usual taxes without those that are withheld.
#[test]
fn usual_taxes_are_known_without_what_is_withheld() {
    let iva = cfdi::tax::TaxRate::iva(160_000);
    let withheld = cfdi::tax::TaxRate { withheld: true, ..cfdi::tax::TaxRate::iva(40_000) };
    let former = Issuer { default_taxes: vec![iva, withheld], ..issuer() };
    let theirs = Known { issuer: former.clone(), ..known() };
    let made = fields::create(DocumentType::Income, sale_fields(), &theirs).unwrap();
    assert_eq!(made.items[0].taxes, [iva]);
    let known = Known { former: Some(former), issuer: other(2), ..known() };
    let to = Fields { issuer: Some(IssuerId::from_u128(2)), ..Fields::default() };
    assert_eq!(fields::changed(made, to, &known).unwrap_err()[0].field, "issuerId");
}

#[test]
fn the_public_lives_where_a_document_is_issued() {
    let public = cfdi::document::Receiver {
        rfc: "XAXX010101000".to_owned(),
        legal_name: "PUBLICO EN GENERAL".to_owned(),
        tax_zip: issuer().tax_zip,
        tax_regime: "616".to_owned(),
        cfdi_use: "S01".to_owned(),
        tax_residence: None,
        foreign_tax_id: None,
    };
    let wanted = |receiver| Fields { receiver: Some(receiver), customer: None, ..sale_fields() };
    let made = fields::create(DocumentType::Income, wanted(public.clone()), &known()).unwrap();
    // What follows need not be told.
    let untold = cfdi::document::Receiver {
        tax_zip: String::new(),
        tax_regime: String::new(),
        cfdi_use: String::new(),
        ..public.clone()
    };
    let untold = fields::create(DocumentType::Income, wanted(untold), &known()).unwrap();
    assert_eq!(untold.receiver, public);
    let centro = branch_of(5, None);
    let there = Known { branch: Some(centro.clone()), ..known() };
    let at = Fields { branch: Some(Some(centro.id)), ..Fields::default() };
    let moved = fields::changed(made.clone(), at.clone(), &there).unwrap();
    assert_eq!(moved.receiver.tax_zip, "64000");
    // A place that is cleared is that of the branch again.
    let told = Fields { place_of_issue: Some(Some("42501".to_owned())), ..Fields::default() };
    let told = fields::changed(moved, told, &there).unwrap();
    assert_eq!(told.receiver.tax_zip, "42501");
    let cleared = Fields { place_of_issue: Some(None), ..Fields::default() };
    let cleared = fields::changed(told, cleared, &there).unwrap();
    assert_eq!(
        (cleared.place_of_issue.as_deref(), cleared.receiver.tax_zip.as_str()),
        (Some("64000"), "64000")
    );
    let mut buyer = made;
    buyer.receiver.rfc = "CACX7605101P8".to_owned();
    let stayed = fields::changed(buyer.clone(), at, &there).unwrap();
    assert_eq!(stayed.receiver.tax_zip, buyer.receiver.tax_zip);
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
    let after = branch::update(before.clone(), &[], changes, later()).unwrap();
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
    let many = vec![before; BRANCHES_MAX];
    let refused = branch::create(more, &many, BranchId::from_u128(6), now());
    assert_eq!(refused, Err(Refused::Rule(InvoiceError::TooManyBranches)));
}

#[test]
fn two_branches_have_two_names() {
    let [first, twin, other] = [(5, "Centro"), (6, "CENTRÓ"), (7, "Norte")]
        .map(|(number, name)| Branch { name: name.to_owned(), ..branch_of(number, None) });
    let known = [first.clone(), twin.clone(), other.clone()];
    let taken = Err(Refused::Rule(InvoiceError::DuplicateBranch { holder: first.id }));
    let renamed = |name: &str| BranchChanges { name: Some(name.to_owned()), ..Default::default() };
    assert_eq!(branch::update(other.clone(), &known, renamed("centro"), later()), taken);
    let new = NewBranch {
        name: "centro".to_owned(),
        issuer: None,
        place_of_issue: "64000".to_owned(),
        series: BranchSeries::default(),
        address: Vec::new(),
        phone: None,
    };
    assert_eq!(branch::create(new, &known, BranchId::from_u128(8), now()), taken);
    // Those that have shared a name since before may keep it, and write it otherwise.
    for name in ["Centró", "Centro", "Sur"] {
        assert_eq!(
            branch::update(twin.clone(), &known, renamed(name), later()).unwrap().name,
            name
        );
    }
    assert!(branch::update(other, &known, renamed("NORTE"), later()).is_ok());
}
