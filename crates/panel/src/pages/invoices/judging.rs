//! What a form would make of a draft, before anything is made or changed; and where what is wrong with it is corrected.

use accounts::{Right, Scope};
use askama::{Template, filters::HtmlSafe};
use intake::Faults;
use invoices::{Draft, DraftItem, Invoice, InvoiceError, Issuer, Judged, Proposed};
use kernel::FieldFault;

use super::{
    detail::sums,
    make::as_in_the_form,
    names::{paid, told_amount},
    told::{NO_CERTIFICATE, NO_CREDITS, NO_ISSUER, NO_PROVIDER, finding, placed},
};
use crate::{
    around::{CREDITS, available},
    call::{Call, Member},
    failure::Failure,
    format::signed,
    pages::reading::row_of,
    parts::Elsewhere,
    reply::{answered, refusal},
    texts::Say,
};

/// Who may set up what invoices are issued with.
const SETTINGS: Right = Right::approve(Scope::Invoices);

/// What a form would make of a draft.
#[derive(Default)]
pub(super) struct Verdict {
    /// The draft, if it would be one.
    pub(super) draft: Option<Box<Invoice>>,
    /// What it would be refused for.
    pub(super) findings: Faults,
    /// What is nearly always a mistake.
    pub(super) warnings: Faults,
    /// The row of a form that each item has come from, as its faults have it; none where rows and items are the same.
    pub(super) rows: Vec<usize>,
    /// The issuers of the account, as far as they were read with it.
    pub(super) issuers: Vec<Issuer>,
}

impl Verdict {
    /// It would not be a draft.
    pub(super) fn refused(findings: Faults) -> Self {
        Self { findings, ..Self::default() }
    }

    /// The same with each fault at the field of a form whose items have come from these rows.
    pub(super) fn placed(self, rows: Vec<usize>) -> Self {
        let place = |fault| as_in_the_form(fault, &rows);
        let findings = self.findings.into_iter().map(place).collect();
        let warnings = self.warnings.into_iter().map(place).collect();
        Self { findings, warnings, rows, ..self }
    }

    /// The draft that it would be, with the rows of its items.
    pub(super) fn would_be(&self) -> Option<Rowed<'_>> {
        let draft = self.draft.as_deref()?;
        Some(Rowed { draft: &draft.draft, rows: &self.rows })
    }
}

/// A draft, with the row that each of its items has come from.
#[derive(Clone, Copy)]
pub(super) struct Rowed<'a> {
    draft: &'a Draft,
    rows: &'a [usize],
}

impl<'a> Rowed<'a> {
    /// One whose items are counted as they are.
    pub(super) const fn as_it_is(draft: &'a Draft) -> Self {
        Self { draft, rows: &[] }
    }

    /// The item of a row.
    fn item(&self, row: usize) -> Option<&'a DraftItem> {
        let index = match self.rows {
            [] => row,
            rows => rows.iter().position(|known| *known == row)?,
        };
        self.draft.items.get(index)
    }
}

/// What a draft comes to, beside its form.
#[derive(Template)]
#[template(path = "invoices/sums.html", whitespace = "minimize")]
pub(super) struct SumsCard {
    say: Say,
    sums: Vec<(&'static str, String)>,
    total: Option<String>,
    /// How it would say that it is paid.
    paid: Vec<(&'static str, String)>,
    credits: String,
}

impl HtmlSafe for SumsCard {}

impl SumsCard {
    /// Of a draft, if it would be one, and of the credits that there are.
    pub(super) async fn of(call: &Call<Member>, draft: Option<&Invoice>) -> Result<Self, Failure> {
        let say = call.say();
        let available = available(call).await?;
        Ok(Self {
            say,
            sums: draft.map(|draft| sums(say, draft)).unwrap_or_default(),
            total: draft.map(|draft| told_amount(draft, draft.amount())),
            paid: draft.map(|draft| paid(say, draft)).unwrap_or_default(),
            credits: say.credits_left(&signed(available)),
        })
    }
}

/// Judges what is proposed; nothing is written.
pub(super) async fn judged(call: &Call<Member>, proposed: Proposed) -> Result<Verdict, Failure> {
    let judging = call.services().invoices.judge(call.account(), proposed, call.now());
    let Judged { invoice, validation, provider, issuers } = match answered(judging).await? {
        Ok(judged) => judged,
        Err(refused) => return Ok(Verdict::refused(refusal(refused, |error| placed(&error))?)),
    };
    let mut findings: Faults = validation.findings.iter().map(finding).collect();
    if provider.is_none() {
        findings.extend(placed(&InvoiceError::NoProvider));
    }
    let warnings = validation.warnings.iter().map(finding).collect();
    Ok(Verdict { draft: Some(Box::new(invoice)), findings, warnings, rows: Vec::new(), issuers })
}

/// What a fault is of that the form of an invoice has no field for, and where it is corrected. `back` names the draft or
/// the order whose invoice that leads back to.
pub(super) fn elsewhere(
    call: &Call<Member>,
    draft: Option<Rowed<'_>>,
    back: Option<&str>,
    fault: &FieldFault,
) -> Option<Elsewhere> {
    let say = call.say();
    let field = fault.field.trim_matches('"');
    let place = |path: &str| {
        let place = call.href(path);
        back.map_or_else(|| place.clone(), |id| format!("{place}?back={id}"))
    };
    let of_settings = |path: &str| call.may(SETTINGS).then(|| place(&format!("settings/{path}")));
    let sentence = |href| Some(Elsewhere { label: String::new(), href });
    match field {
        NO_ISSUER => return sentence(of_settings("invoicing/issuers/new")),
        NO_CERTIFICATE => return sentence(of_settings("invoicing/certificates/new")),
        NO_PROVIDER => return sentence(of_settings("invoicing/provider")),
        NO_CREDITS => return sentence(Some(call.href(CREDITS))),
        "certificate" => {
            let href = of_settings("invoicing/certificates/new");
            return Some(Elsewhere { label: say.certificate().to_owned(), href });
        }
        _ => {}
    }
    if let Some(rest) = field.strip_prefix("issuer.") {
        let id = draft.and_then(|of| of.draft.issuer);
        let path = id.map(|id| format!("invoicing/issuers/{id}"));
        let href = of_settings(path.as_deref().unwrap_or("invoicing"));
        let label = part_name(say, rest).unwrap_or(rest);
        return Some(Elsewhere { label: format!("{}: {label}", say.issuer()), href });
    }
    if let Some((index, rest)) = item_part(field) {
        let item = draft.and_then(|of| of.item(index));
        let product = item.and_then(|item| item.product);
        let may_edit = call.may(Right::write(Scope::Products));
        let href = product.filter(|_| may_edit).map(|id| place(&format!("products/{id}/edit")));
        let of = item.map_or_else(|| say.item(index + 1), |item| item.description.clone());
        let label = part_name(say, rest).unwrap_or(rest);
        return Some(Elsewhere { label: format!("{of}: {label}"), href });
    }
    let label = part_name(say, field.rsplit('.').next().unwrap_or(field))?;
    Some(Elsewhere { label: label.to_owned(), href: None })
}

/// The place of an item, counted from 0, and the part of it: `items[2].satProductKey`.
fn item_part(field: &str) -> Option<(usize, &str)> {
    let (place, part) = row_of("items", field)?;
    Some((place, part.strip_prefix('.')?))
}

/// A sentence of the API, with the fields of an invoice called as pages call them.
pub(in crate::pages) fn with_fields_named(say: Say, sentence: &str) -> String {
    let named = |word: &str| {
        let field = word.trim_matches(|c: char| !c.is_alphanumeric() && c != ']');
        match field_name(say, field) {
            Some(name) => word.replacen(field, &name, 1),
            None => word.to_owned(),
        }
    };
    sentence.split(' ').map(named).collect::<Vec<_>>().join(" ")
}

/// What people call a field of an invoice, by its path or a name that is no word.
fn field_name(say: Say, field: &str) -> Option<String> {
    if let Some((index, part)) = item_part(field) {
        return Some(format!("{}: {}", say.item(index + 1), part_name(say, part)?));
    }
    let is_no_word = || field.contains(char::is_uppercase) && field.starts_with(char::is_lowercase);
    match field.split_once('.') {
        Some(("issuer", part)) => Some(format!("{}: {}", say.issuer(), part_name(say, part)?)),
        Some(("receiver", part)) => part_name(say, part).map(str::to_owned),
        _ if is_no_word() => {
            part_name(say, field).or_else(|| whole_name(say, field)).map(str::to_owned)
        }
        _ => None,
    }
}

/// What people call what all of an invoice is about.
fn whole_name(say: Say, field: &str) -> Option<&'static str> {
    Some(match field.split('[').next().unwrap_or(field) {
        "orderId" | "orderIds" => say.the_order(),
        "customerId" => say.customer(),
        "branchId" => say.branch(),
        "issuerId" => say.issuer(),
        "exchangeRate" => say.exchange_rate(),
        "localTaxes" => say.local_taxes(),
        "paymentTerms" => say.payment_terms(),
        "placeOfIssue" => say.place_of_issue(),
        "allowOverpayment" => say.overpayment_allowed(),
        _ => return None,
    })
}

/// What people call a part of an invoice.
fn part_name(say: Say, part: &str) -> Option<&'static str> {
    Some(match part.split(['[', '.']).next().unwrap_or(part) {
        "rfc" => say.rfc(),
        "legalName" => say.legal_name(),
        "taxZip" => say.tax_zip(),
        "taxRegime" => say.tax_regime(),
        "cfdiUse" => say.cfdi_use(),
        "taxResidence" => say.tax_residence(),
        "foreignTaxId" => say.foreign_tax_id(),
        "satProductKey" => say.sat_product_key(),
        "satUnitKey" => say.sat_unit_key(),
        "description" => say.description(),
        "quantity" => say.quantity(),
        "unitPrice" => say.unit_price(),
        "discount" => say.discount(),
        "taxes" | "taxObject" => say.taxes(),
        "paymentForm" => say.payment_form(),
        "paymentMethod" => say.payment_method(),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faults_of_items_tell_which_and_of_what() {
        for (field, wanted) in [
            ("items[2].satProductKey", Some((2, "satProductKey"))),
            ("items[0].taxes[0].rate", Some((0, "taxes[0].rate"))),
            ("items", None),
            ("items[x].sku", None),
            ("receiver.rfc", None),
        ] {
            assert_eq!(item_part(field), wanted, "{field}");
        }
        let say = Say(kernel::Language::English);
        assert_eq!(part_name(say, "taxes[0].rate"), Some(say.taxes()));
        assert_eq!(part_name(say, "customs"), None);
    }

    #[test]
    fn a_sentence_of_the_api_names_fields_as_pages_do() {
        let say = Say(kernel::Language::Spanish);
        let told = with_fields_named(
            say,
            "CFDI40147: receiver.taxZip debe ser otro. 301: items[1].satProductKey falta: indicar paymentForm, por discount.",
        );
        let (zip, item, key) = (say.tax_zip(), say.item(2), say.sat_product_key());
        let form = say.payment_form();
        let wanted = format!(
            "CFDI40147: {zip} debe ser otro. 301: {item}: {key} falta: indicar {form}, por discount."
        );
        assert_eq!(told, wanted);
        for (sentence, wanted) in [
            ("orderIds[1] repite un pedido", "El pedido repite un pedido"),
            ("el pago, con allowOverpayment", "el pago, con sobrepago permitido"),
        ] {
            assert_eq!(with_fields_named(say, sentence), wanted);
        }
        for field in ["customerId", "exchangeRate", "localTaxes[0].rate", "placeOfIssue"] {
            assert_ne!(with_fields_named(say, field), field);
        }
    }
}
