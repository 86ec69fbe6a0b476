//! What people call the fields of a document who have not sent them: of documents that are drafted by themselves.

use kernel::{Language, Message, message};

/// A field, and what it is called in English and Spanish.
type Name = (&'static str, &'static str, &'static str);

const DOCUMENT: &[Name] = &[
    ("certificate", "the certificate (CSD)", "el certificado (CSD)"),
    ("currency", "the currency", "la moneda"),
    ("customerId", "the customer", "el cliente"),
    ("exchangeRate", "the exchange rate", "el tipo de cambio"),
    ("export", "the export code", "la clave de exportación"),
    ("folio", "the folio", "el folio"),
    ("issuedAt", "the date of issue", "la fecha de expedición"),
    ("items", "the items", "los conceptos"),
    ("orderId", "the order", "el pedido"),
    ("paymentForm", "the payment form", "la forma de pago"),
    ("paymentMethod", "the payment method", "el método de pago"),
    ("payments", "the payments", "los pagos"),
    ("placeOfIssue", "the place of issue", "el lugar de expedición"),
    ("related", "the list of related documents", "el listado de comprobantes relacionados"),
    ("series", "the series", "la serie"),
];
const PARTY: &[Name] = &[
    ("rfc", "the RFC", "el RFC"),
    ("legalName", "the name", "el nombre"),
    ("taxZip", "the postal code", "el código postal"),
    ("taxRegime", "the tax regime", "el régimen fiscal"),
    ("cfdiUse", "the CFDI use", "el uso del CFDI"),
    ("taxResidence", "the country of residence", "el país de residencia"),
    ("foreignTaxId", "the foreign tax ID", "el registro tributario en el extranjero"),
];
const ITEM: &[Name] = &[
    ("amount", "the amount", "el importe"),
    ("description", "the description", "la descripción"),
    ("discount", "the discount", "el descuento"),
    ("quantity", "the quantity", "la cantidad"),
    ("satProductKey", "the product key", "la clave de producto"),
    ("satUnitKey", "the unit key", "la clave de unidad"),
    ("sku", "the identification number", "el número de identificación"),
    ("taxObject", "the tax object", "el objeto de impuesto"),
    ("taxes", "the taxes", "los impuestos"),
    ("unitPrice", "the unit price", "el valor unitario"),
];
const TAX: &[Name] = &[
    ("amount", "the amount", "el importe"),
    ("base", "the base", "la base"),
    ("factor", "the factor", "el factor"),
    ("rate", "the rate", "la tasa o cuota"),
    ("tax", "the name", "el nombre"),
];
const PAYMENT: &[Name] = &[
    ("amount", "the amount of the payment", "el importe del pago"),
    ("currency", "the currency of the payment", "la moneda del pago"),
    ("exchangeRate", "the exchange rate of the payment", "el tipo de cambio del pago"),
    ("operation", "the operation number of the payment", "el número de operación del pago"),
    ("paidAt", "the day of the payment", "la fecha del pago"),
    ("paymentForm", "the payment form", "la forma de pago"),
];
const PAID: &[Name] = &[
    ("amount", "the amount applied to the invoice", "el importe que se aplica a la factura"),
    ("balanceBefore", "what was owed of the invoice before", "el saldo anterior de la factura"),
    ("currency", "the currency of the invoice", "la moneda de la factura"),
    ("equivalence", "the rate between both currencies", "la equivalencia entre ambas monedas"),
    ("installment", "the number of the installment", "el número de parcialidad"),
    ("invoiceId", "the payment", "el pago"),
    ("taxObject", "the tax object of the invoice", "el objeto de impuesto de la factura"),
    ("uuid", "the fiscal folio of the invoice", "el folio fiscal de la factura"),
];

/// A clause about a field, as it is told to who has not sent the field: of what that is called, if it has such a name.
#[must_use]
pub fn told(field: &str, clause: &str, language: Language) -> String {
    match called(field) {
        Some(called) => format!("{} {clause}", called.in_language(language)),
        None if field.is_empty() => clause.to_owned(),
        None => format!("{field} {clause}"),
    }
}

/// What a field is called, if people have a name for it: `payments[0].paymentForm` is the payment form.
pub(super) fn called(field: &str) -> Option<Message> {
    let steps: Vec<(&str, Option<usize>)> = field.split('.').map(step).collect();
    match *steps.as_slice() {
        [(name, None)] => plain(DOCUMENT, name),
        [("receiver", None), (name, None)] => of(PARTY, name, ["the receiver", "receptor"]),
        [("issuer", None), (name, None)] => of(PARTY, name, ["the issuer", "emisor"]),
        [("related", Some(_)), ("relation", None)] => Some(message!("the relation", "la relación")),
        [("related", Some(_)), ("uuids", _)] => {
            Some(message!("the related document", "el comprobante relacionado"))
        }
        [("items", Some(item)), ref rest @ ..] => {
            let number = item + 1;
            let item = [format!("item {number}"), format!("concepto {number}")];
            match *rest {
                [] => Some(message!("item {number}", "el concepto {number}")),
                [(name, None)] => of(ITEM, name, item.each_ref().map(String::as_str)),
                [("taxes", Some(tax)), (name, None)] => of_tax(tax, name, &item),
                _ => None,
            }
        }
        [("payments", Some(_)), (name, None)] => plain(PAYMENT, name),
        [("payments", Some(_)), ("documents", Some(_)), (name, None)] => plain(PAID, name),
        [("payments", Some(_)), ("documents", Some(_)), ("taxes", Some(tax)), (name, None)] => {
            of_tax(tax, name, &["the payment".to_owned(), "pago".to_owned()])
        }
        _ => None,
    }
}

/// A step of a path, with its place in a list.
fn step(text: &str) -> (&str, Option<usize>) {
    match text.strip_suffix(']').and_then(|text| text.split_once('[')) {
        Some((name, place)) => (name, place.parse().ok()),
        None => (text, None),
    }
}

fn named(names: &[Name], field: &str) -> Option<(&'static str, &'static str)> {
    let &(_, english, spanish) = names.iter().find(|(name, ..)| *name == field)?;
    Some((english, spanish))
}

fn plain(names: &[Name], field: &str) -> Option<Message> {
    named(names, field).map(|(english, spanish)| Message::fixed(english, spanish))
}

/// A part of something.
fn of(names: &[Name], field: &str, [of, de]: [&str; 2]) -> Option<Message> {
    let (english, spanish) = named(names, field)?;
    Some(message!("{english} of {of}", "{spanish} del {de}"))
}

fn of_tax(tax: usize, field: &str, [of, de]: &[String; 2]) -> Option<Message> {
    let number = tax + 1;
    let (of, de) = (format!("tax {number} of {of}"), format!("impuesto {number} del {de}"));
    self::of(TAX, field, [&of, &de])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_have_names() {
        for (field, english, spanish) in [
            ("payments[0].paymentForm", "the payment form is", "la forma de pago es"),
            (
                "payments[0].documents[0].amount",
                "the amount applied to the invoice is",
                "el importe que se aplica a la factura es",
            ),
            (
                "payments[0].documents[0].taxes[1].rate",
                "the rate of tax 2 of the payment is",
                "la tasa o cuota del impuesto 2 del pago es",
            ),
            (
                "receiver.taxZip",
                "the postal code of the receiver is",
                "el código postal del receptor es",
            ),
            ("items[2].quantity", "the quantity of item 3 is", "la cantidad del concepto 3 es"),
            (
                "items[0].taxes[0].base",
                "the base of tax 1 of item 1 is",
                "la base del impuesto 1 del concepto 1 es",
            ),
            ("items[1]", "item 2 is", "el concepto 2 es"),
            ("related[0].uuids[1]", "the related document is", "el comprobante relacionado es"),
            (
                "complements.foreignTrade",
                "complements.foreignTrade is",
                "complements.foreignTrade es",
            ),
            ("", "is", "es"),
        ] {
            let said = [("is", Language::English), ("es", Language::Spanish)]
                .map(|(clause, language)| told(field, clause, language));
            assert_eq!(said, [english, spanish], "{field}");
        }
    }
}
