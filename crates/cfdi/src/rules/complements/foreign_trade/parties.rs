//! Who sends, owns and receives exported goods.

use crate::{
    catalogs::countries,
    complements::{ForeignTrade, Owner, Recipient, TradeReceiver},
    document::DocumentType,
    rules::{
        case::{Case, Person},
        curp,
        finding::{At, Findings, Shown},
        items, listed, pattern, text,
    },
};

use super::{GUIDE, OF_OTHERS, address, text_between};

pub(super) fn check(case: &Case<'_>, trade: &ForeignTrade, at: &At<'_>, found: &mut Findings) {
    let issuer = at.field("issuer");
    issuer_curp(case, trade.issuer.curp.as_deref(), &issuer.field("curp"), found);
    address::of_issuer(case, &trade.issuer.address, &issuer.field("address"), found);
    owners(case, trade, &at.field("owners"), found);
    receiver(case, trade.receiver.as_ref(), &at.field("receiver"), found);
    recipients(case, &trade.recipients, &at.field("recipients"), found);
}

/// Of natural persons, and only of them; in its form (301).
fn issuer_curp(case: &Case<'_>, curp: Option<&str>, at: &At<'_>, found: &mut Findings) {
    match (Person::of(&case.document.issuer.rfc), curp) {
        (Some(Person::Natural), None) => found.add(
            GUIDE,
            at,
            format_args!("is missing: an export states the CURP of an issuer that is a person"),
            format_args!("falta: en una exportación se indica la CURP del emisor persona física"),
        ),
        (Some(Person::Legal), Some(_)) => found.add(
            GUIDE,
            at,
            format_args!("must be left out, because the issuer is a legal entity"),
            format_args!("debe omitirse, porque el emisor es una persona moral"),
        ),
        (_, Some(curp)) => curp::check(curp, at, found),
        _ => {}
    }
}

/// Of transfers of goods that belong to others, and only of them.
fn owners(case: &Case<'_>, trade: &ForeignTrade, at: &At<'_>, found: &mut Findings) {
    let of_others = case.document.kind == DocumentType::Transfer
        && trade.transfer_reason.as_deref() == Some(OF_OTHERS);
    match (of_others, trade.owners.is_empty()) {
        (true, true) => found.add(
            GUIDE,
            at,
            format_args!("is empty, but transferReason is 05: name the owners of the goods"),
            format_args!(
                "está vacío, pero transferReason es 05: indicar los propietarios de la mercancía",
            ),
        ),
        (false, false) => found.add(
            GUIDE,
            at,
            format_args!(
                "must be empty: only transfers (type T) with transferReason 05 name owners"
            ),
            format_args!(
                "debe estar vacío: solo los traslados (tipo T) con transferReason 05 llevan \
                 propietarios",
            ),
        ),
        _ => {}
    }
    if items::is_too_many(trade.owners.len(), at, found) {
        return;
    }
    for (index, each) in trade.owners.iter().enumerate() {
        owner(case, each, &at.index(index), found);
    }
}

fn owner(case: &Case<'_>, owner: &Owner, at: &At<'_>, found: &mut Findings) {
    let code = owner.tax_residence.as_str();
    let error = ("301", &at.field("taxResidence"));
    let key = (code, countries::find(code));
    listed::check(key, &listed::COUNTRIES, case.day(), error, found);
    tax_id(Some(&owner.foreign_tax_id), Some(code), &at.field("foreignTaxId"), found);
}

/// Whoever buys has an address.
fn receiver(case: &Case<'_>, receiver: Option<&TradeReceiver>, at: &At<'_>, found: &mut Findings) {
    let address = receiver.and_then(|receiver| receiver.address.as_ref());
    match address {
        Some(address) => address::check(case, address, &at.field("address"), found),
        None if case.is_of_value() => found.add(
            GUIDE,
            &at.field("address"),
            format_args!("is missing: an export states the address of the customer"),
            format_args!("falta: en una exportación se indica el domicilio del cliente"),
        ),
        None => {}
    }
    let id = receiver.and_then(|receiver| receiver.foreign_tax_id.as_deref());
    let country = address.map(|address| address.country.as_str());
    tax_id(id, country, &at.field("foreignTaxId"), found);
}

/// One at most of a transfer.
fn recipients(case: &Case<'_>, recipients: &[Recipient], at: &At<'_>, found: &mut Findings) {
    if case.document.kind == DocumentType::Transfer && recipients.len() > 1 {
        found.add(
            GUIDE,
            at,
            format_args!("must have one entry at most in a transfer: make one for each recipient"),
            format_args!(
                "debe tener un solo registro en un traslado: emitir uno para cada destinatario"
            ),
        );
    }
    if items::is_too_many(recipients.len(), at, found) {
        return;
    }
    for (index, each) in recipients.iter().enumerate() {
        recipient(case, each, &at.index(index), found);
    }
}

fn recipient(case: &Case<'_>, recipient: &Recipient, at: &At<'_>, found: &mut Findings) {
    let country = recipient.addresses.first().map(|address| address.country.as_str());
    tax_id(recipient.foreign_tax_id.as_deref(), country, &at.field("foreignTaxId"), found);
    text::optional(recipient.name.as_deref(), 300, &at.field("name"), found);
    let at = at.field("addresses");
    if recipient.addresses.is_empty() {
        found.add(
            "301",
            &at,
            format_args!("is empty: state where the goods are sent to"),
            format_args!("está vacío: indicar a dónde se envía la mercancía"),
        );
    }
    if items::is_too_many(recipient.addresses.len(), &at, found) {
        return;
    }
    for (index, each) in recipient.addresses.iter().enumerate() {
        address::check(case, each, &at.index(index), found);
    }
}

/// Of 6 to 40 characters (301), in the form of its country.
fn tax_id(id: Option<&str>, country: Option<&str>, at: &At<'_>, found: &mut Findings) {
    let Some(id) = id else { return };
    text_between(id, (6, 40), at, found);
    let Some(country) = country.and_then(countries::find) else { return };
    let value = Shown(id);
    if country.code == countries::MEXICO {
        text::rfc(id, at, found);
    } else if !country.accepts_tax_id(id) {
        let (english, spanish) = pattern::in_words(country.tax_id_pattern.unwrap_or_default());
        let country = country.code;
        found.add(
            GUIDE,
            at,
            format_args!(
                "is {value}, which is not a tax ID of {country}: write its {english}, without \
                 hyphens or spaces",
            ),
            format_args!(
                "es {value}, que no es un número de identidad tributaria de {country}: escribir sus \
                 {spanish}, sin guiones ni espacios",
            ),
        );
    }
}
