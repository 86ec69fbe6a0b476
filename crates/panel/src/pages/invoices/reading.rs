//! What the forms of invoices say, of new ones and of drafts that are changed.

use catalog::product::{checked_price, checked_sat_product_key, checked_sat_unit_key};
use cfdi::{
    catalogs::payment_forms,
    document::{PaymentMethod, Receiver},
};
use crm::{customer::FOREIGN_ID_CHARS_MAX, tax};
use intake::{
    Fields,
    checks::{above_zero, flag, id, line, number, one_of, text, whole},
    noun,
};
use invoices::{BranchId, IssuerId, ItemFields, draft::ITEMS_MAX, issuer::LEGAL_NAME_CHARS_MAX};
use kernel::{Amount, Message};

use super::{
    rows::{ROWS, Row},
    taxes::{self, ItemTaxes},
};
use crate::pages::reading::not_in_catalog;

/// Maximum characters of a description and of the issuer's own number (cfdv40).
const DESCRIPTION_CHARS_MAX: usize = 1_000;
const SKU_CHARS_MAX: usize = 100;
/// One unit of what is sold, where no quantity is told.
pub(super) const ONE: Amount = Amount::from_micros(1_000_000);
const METHODS: &[PaymentMethod] = &[PaymentMethod::Pue, PaymentMethod::Ppd];

/// What a row says of an item.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Told {
    /// The place of its row: rows may be left out.
    pub(super) place: usize,
    /// Which item of the draft it is, counted from 0; none of one that is new.
    pub(super) of: Option<usize>,
    pub(super) is_left_out: bool,
    pub(super) sku: Option<String>,
    pub(super) description: Option<String>,
    pub(super) quantity: Option<Amount>,
    pub(super) unit_price: Option<Amount>,
    pub(super) discount: Option<Amount>,
    pub(super) sat_product_key: Option<String>,
    pub(super) sat_unit_key: Option<String>,
    pub(super) taxes: Option<ItemTaxes>,
}

/// What the forms of new invoices and of drafts have in common.
pub(super) struct Common {
    pub(super) issuer: Option<IssuerId>,
    pub(super) branch: Option<BranchId>,
    pub(super) items: Vec<Told>,
    pub(super) tax_included: bool,
    pub(super) payment_method: Option<PaymentMethod>,
    pub(super) payment_form: Option<String>,
    /// Whether it is only to be judged.
    pub(super) is_to_check: bool,
}

/// Reads what the forms have in common.
pub(super) fn read_common(fields: &mut Fields<'_>) -> Common {
    let issuer = id(noun("an issuer", "un emisor"), IssuerId::PREFIX, IssuerId::parse);
    let issuer = fields.optional("issuerId", issuer);
    let branch = id(noun("a branch", "una sucursal"), BranchId::PREFIX, BranchId::parse);
    let branch = fields.optional("branchId", branch);
    let tax_included = fields.optional("taxIncluded", flag()).unwrap_or_default();
    let rows = ROWS.iter().enumerate();
    let items = rows.filter_map(|(place, row)| read_row(fields, place, row)).collect();
    let payment_method = fields.optional("paymentMethod", one_of(METHODS, |method| method.code()));
    let payment_form = fields.optional("paymentForm", text(known_form));
    let is_to_check = fields.optional("check", flag()).unwrap_or_default();
    Common { issuer, branch, items, tax_included, payment_method, payment_form, is_to_check }
}

fn read_row(fields: &mut Fields<'_>, place: usize, row: &Row) -> Option<Told> {
    let of = fields.optional(row.of, whole(1..=i64::try_from(ITEMS_MAX).unwrap_or(i64::MAX)));
    let of = of.and_then(|number| usize::try_from(number).ok()?.checked_sub(1));
    let told = Told {
        place,
        of,
        is_left_out: fields.optional(row.left_out, flag()).unwrap_or_default(),
        sku: fields.optional(row.sku, line(SKU_CHARS_MAX)),
        description: fields.optional(row.description, line(DESCRIPTION_CHARS_MAX)),
        quantity: fields.optional(row.quantity, above_zero()),
        unit_price: fields.optional(row.unit_price, number(Some(0), checked_price)),
        discount: fields.optional(row.discount, number(Some(0), checked_price)),
        sat_product_key: fields.optional(row.sat_product_key, text(checked_sat_product_key)),
        sat_unit_key: fields.optional(row.sat_unit_key, text(checked_sat_unit_key)),
        taxes: fields.optional(row.taxes, one_of(ItemTaxes::EVERY, ItemTaxes::code)),
    };
    let empty = Told { place, ..Told::default() };
    (told != empty).then_some(told)
}

impl Told {
    /// An item that is new.
    pub(super) fn item(&self, tax_included: bool) -> ItemFields {
        // A product says itself whether its price has them inside.
        let is_stated = self.sku.is_none() || self.unit_price.is_some();
        let mut item = ItemFields {
            description: self.description.clone(),
            quantity: self.quantity.unwrap_or(ONE),
            unit_price: self.unit_price,
            discount: self.discount,
            sat_product_key: self.sat_product_key.clone(),
            sat_unit_key: self.sat_unit_key.clone(),
            tax_included: is_stated.then_some(tax_included),
            ..ItemFields::default()
        };
        if let Some(told) = self.taxes {
            taxes::set(&mut item, told);
        }
        item
    }
}

/// Whom it is made out to; who leaves that out has it follow from the customer, but for what it is used for.
pub(super) fn read_receiver(fields: &mut Fields<'_>) -> (Option<Receiver>, Option<String>) {
    let rfc = fields.optional("receiver.rfc", text(tax::rfc));
    let legal_name = fields.optional("receiver.legalName", line(LEGAL_NAME_CHARS_MAX));
    let tax_zip = fields.optional("receiver.taxZip", text(tax::zip));
    let tax_regime = fields.optional("receiver.taxRegime", text(tax::regime));
    let cfdi_use = fields.optional("receiver.cfdiUse", text(tax::cfdi_use));
    let (tax_residence, foreign_tax_id) = read_abroad(fields);
    let is_given = [&rfc, &legal_name, &tax_zip, &tax_regime].into_iter().any(Option::is_some);
    if !is_given {
        return (None, cfdi_use);
    }
    let receiver = Receiver {
        rfc: rfc.unwrap_or_default(),
        legal_name: legal_name.unwrap_or_default(),
        tax_zip: tax_zip.unwrap_or_default(),
        tax_regime: tax_regime.unwrap_or_default(),
        cfdi_use: cfdi_use.unwrap_or_default(),
        tax_residence,
        foreign_tax_id,
    };
    (Some(receiver), None)
}

/// Where a receiver abroad resides, and the tax identifier there.
pub(super) fn read_abroad(fields: &mut Fields<'_>) -> (Option<String>, Option<String>) {
    let tax_residence = fields.optional("receiver.taxResidence", text(tax::residence));
    let foreign_tax_id = fields.optional("receiver.foreignTaxId", line(FOREIGN_ID_CHARS_MAX));
    (tax_residence, foreign_tax_id)
}

fn known_form(code: &str) -> Result<String, Message> {
    match payment_forms::find(code) {
        Some(form) => Ok(form.code.to_owned()),
        None => Err(not_in_catalog()),
    }
}
