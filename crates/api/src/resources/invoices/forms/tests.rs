//! What drafts are made of, by each type.

use invoices::PaidInvoice;
use kernel::{Amount, Timestamp};

use super::*;
use crate::{
    answer::Resource,
    resources::invoices::body::{
        InvoiceBody,
        tests::{draft_of, stamped},
    },
};

fn created(body: &str) -> Wanted {
    CREATE.read_body(body.as_bytes()).unwrap()
}

fn refused(body: &str) -> String {
    CREATE.read_body(body.as_bytes()).unwrap_err().to_string()
}

fn amount(text: &str) -> Amount {
    Amount::parse(text).unwrap()
}

#[test]
fn examples_are_read_and_what_was_read_can_be_sent_back() {
    for example in [examples::CREATE, examples::DRAFT] {
        assert!(CREATE.read_body(example.as_bytes()).is_ok());
    }
    for example in [examples::UPDATE, examples::DRAFT, examples::STAMPED, examples::CANCELLED] {
        assert!(UPDATE.read_body(example.as_bytes()).is_ok());
    }
}

#[test]
fn an_order_is_enough_for_a_sale() {
    let id = OrderId::from_u128(7);
    let new = created(&format!(r#"{{"orderId": "{id}", "paymentForm": "03"}}"#));
    assert_eq!((new.kind, new.fields.orders), (DocumentType::Income, Some(vec![id])));
    assert_eq!(new.fields.payment_form, Some(Some("03".to_owned())));
    assert_eq!(new.fields.items, None);
}

#[test]
fn orders_of_the_public_go_into_one_invoice() {
    let ids = [OrderId::from_u128(7), OrderId::from_u128(8)];
    let new = created(&format!(
        r#"{{"orderIds": ["{}", "{}"], "global": {{"periodicity": "04", "months": "01", "year": 2026}}}}"#,
        ids[0], ids[1]
    ));
    assert_eq!(new.fields.orders.unwrap(), ids);
    assert_eq!(new.fields.global.flatten().unwrap().year, 2026);
}

#[test]
fn items_are_taken_as_they_are_given() {
    let new = created(
        r#"{
        "type": "E",
        "receiver": {"rfc": "xiqb891116qe4", "legalName": "BERENICE XIMO QUEZADA", "taxZip": "39206", "taxRegime": "605"},
        "items": [{"description": "Devolución", "satProductKey": "84111506", "satUnitKey": "ACT",
            "quantity": 1.5, "unitPrice": 19.999999, "taxIncluded": false, "discount": 0.5,
            "taxes": [{"tax": "IVA", "factor": "Tasa", "rate": 0.16, "base": 7, "amount": 1.12}]}],
        "related": [{"relation": "01", "uuids": ["6e1ce7a8-7e2f-4f5e-9b4e-1d2c3b4a5f60"]}]
    }"#,
    );
    assert_eq!(new.kind, DocumentType::Credit);
    let receiver = new.fields.receiver.unwrap();
    assert_eq!((receiver.rfc.as_str(), receiver.cfdi_use.as_str()), ("XIQB891116QE4", ""));
    let item = &new.fields.items.unwrap()[0];
    assert_eq!((item.quantity, item.unit_price), (amount("1.5"), Some(amount("19.999999"))));
    assert_eq!(item.taxes.as_deref(), Some(&[cfdi::tax::TaxRate::iva(160_000)][..]));
    assert_eq!((item.tax_included, item.discount), (Some(false), Some(amount("0.5"))));
    let related = &new.fields.related.unwrap()[0];
    assert_eq!(related.uuids, ["6E1CE7A8-7E2F-4F5E-9B4E-1D2C3B4A5F60"]);
}

#[test]
fn payments_name_own_invoices_or_tell_those_of_elsewhere() {
    let id = invoices::InvoiceId::from_u128(7);
    let body = |documents: &str| {
        format!(
            r#"{{"type": "P", "payments": [{{"paidAt": "2026-01-31T18:00:00Z", "paymentForm": "03",
            "amount": 100, "payerAccount": {{"number": "012345678901234567"}}, "documents": [{documents}]}}]}}"#
        )
    };
    let own = format!(r#"{{"invoiceId": "{id}", "amount": 60, "external": null}}"#);
    let external = r#"{"external": {"uuid": "6e1ce7a8-7e2f-4f5e-9b4e-1d2c3b4a5f60", "total": 116,
        "balance": 40, "taxes": [{"tax": "IVA", "factor": "Tasa", "rate": 0.16, "base": 100}]},
        "amount": 40}"#;
    let new = created(&body(&format!("{own}, {external}")));
    assert_eq!(new.kind, DocumentType::Payment);
    let payment = &new.fields.payments.unwrap()[0];
    assert_eq!(payment.paid_at, Timestamp::parse("2026-01-31T18:00:00Z").unwrap());
    assert_eq!(payment.documents[0].invoice, PaidInvoice::Own(id));
    let PaidInvoice::External(owed) = &payment.documents[1].invoice else { panic!() };
    assert_eq!((owed.balance, owed.installments), (amount("40"), 0));
    assert_eq!(owed.taxes[0].amount, amount("16"), "follows from the base");
    for (documents, problem) in [
        ("", "payments[0].documents must not be empty"),
        (
            r#"{"amount": 1}"#,
            "payments[0].documents[0].invoiceId is required, or external for an invoice of elsewhere",
        ),
        (
            r#"{"amount": 1, "invoiceId": "ord_1"}"#,
            "payments[0].documents[0].invoiceId must be the id of an invoice",
        ),
        (
            r#"{"amount": 0, "external": {}}"#,
            "payments[0].documents[0].external.uuid is required; \
             payments[0].documents[0].external.total is required; \
             payments[0].documents[0].external.balance is required; \
             payments[0].documents[0].amount must be more than 0",
        ),
    ] {
        assert_eq!(refused(&body(documents)), problem);
    }
}

#[test]
fn goods_on_the_move_are_listed() {
    let new = created(
        r#"{"type": "T", "receiver": {"rfc": "EKU9003173C9", "legalName": "ESCUELA KEMPER URGATE",
        "taxZip": "42501", "taxRegime": "601"}, "items": [{"description": "Tazas", "quantity": 100, "unitPrice": 0}]}"#,
    );
    assert_eq!(new.kind, DocumentType::Transfer);
    assert_eq!(new.fields.receiver.unwrap().cfdi_use, "", "it follows from the type");
}

#[test]
fn every_fault_is_named() {
    let order = OrderId::from_u128(7);
    for (body, problem) in [
        (r#"{"type": "N"}"#, "type must be one of I, E, P, T"),
        (
            &format!(r#"{{"orderId": "{order}", "orderIds": []}}"#),
            "orderId must not be given beside other orderIds",
        ),
        (
            r#"{"items": [{"quantity": 0, "unitPrice": -1, "taxs": []}]}"#,
            "items[0].quantity must be more than 0; items[0].unitPrice must not be negative; \
             items[0].\"taxs\" is not a field of an item (did you mean \"taxes\"?)",
        ),
        (
            r#"{"receiver": {"rfc": "X", "taxZip": "1"}}"#,
            "receiver.rfc must be an RFC such as \"XAXX010101000\"; receiver.legalName is required; \
             receiver.taxZip must be a postal code of 5 digits; receiver.taxRegime is required",
        ),
        (
            r#"{"receiver": "me", "paymentMethod": "pue", "paymentForm": "3", "global": {"year": 1}}"#,
            "receiver must be an object; paymentForm must be a code of 2 digits; paymentMethod must \
             be one of PUE, PPD; global.periodicity is required; global.months is required; \
             global.year must be a whole number from 2000 to 9999",
        ),
    ] {
        assert_eq!(refused(body), problem);
    }
}

#[test]
fn what_was_read_is_what_the_draft_says() {
    for kind in
        [DocumentType::Income, DocumentType::Credit, DocumentType::Payment, DocumentType::Transfer]
    {
        let invoice = draft_of(kind);
        let shown = serde_json::to_string(&InvoiceBody::from(invoice.clone())).unwrap();
        let read = UPDATE.read_body(shown.as_bytes()).unwrap();
        let draft = invoice.draft;
        assert_eq!(read.series.as_ref(), Some(&draft.series));
        assert_eq!((read.customer, read.orders), (Some(draft.customer), Some(draft.orders)));
        assert_eq!(read.receiver.as_ref(), Some(&draft.receiver));
        assert_eq!(read.payments.as_ref(), Some(&draft.payments));
        assert_eq!(read.payment_method, Some(draft.payment_method));
        assert_eq!(read.global, Some(draft.global));
        assert_eq!(read.related, Some(draft.related));
        assert_eq!((read.notes, read.metadata), (Some(draft.notes), Some(draft.metadata)));
        for (read, item) in read.items.unwrap().iter().zip(&draft.items) {
            assert_eq!(read.unit_price, Some(item.unit_price));
            assert_eq!(
                (read.discount, read.tax_included),
                (item.discount, Some(item.tax_included))
            );
            assert_eq!(read.taxes.as_ref(), Some(&item.taxes));
            assert_eq!((&read.customs, &read.third_party), (&item.customs, &item.third_party));
        }
    }
}

#[test]
fn a_change_cannot_clear_what_a_draft_always_has() {
    let body = r#"{"items": null, "currency": null, "customerId": null, "notes": null}"#;
    assert_eq!(
        UPDATE.read_body(body.as_bytes()).unwrap_err().to_string(),
        "items must not be null; currency must not be null"
    );
    assert!(CREATE.read_body(body.as_bytes()).is_ok());
}

#[test]
fn lists_are_narrowed() {
    let customer = CustomerId::from_u128(7);
    let query = format!(
        "status=stamped&type=P&customerId={customer}&uuid=6e1ce7a8-7e2f-4f5e-9b4e-1d2c3b4a5f60\
         &series=F&rfc=xaxx010101000&createdFrom=2026-01-01T00:00:00Z"
    );
    let filter = LIST.read_query(&query).unwrap().filter;
    assert_eq!((filter.status, filter.kind), (Some(Status::Stamped), Some(DocumentType::Payment)));
    assert_eq!((filter.customer, filter.rfc.as_deref()), (Some(customer), Some("XAXX010101000")));
    assert_eq!(filter.uuid.as_deref(), Some("6E1CE7A8-7E2F-4F5E-9B4E-1D2C3B4A5F60"));
    assert!(LIST.read_query("uuid=1&type=X").is_err());
}

#[test]
fn tags_follow_what_is_shown() {
    let tag = |invoice| InvoiceBody::from(invoice).etag().to_string();
    let invoice = stamped();
    let paid = invoices::Invoice { balance: Some(Amount::ZERO), ..invoice.clone() };
    assert_eq!(tag(invoice.clone()), tag(invoice.clone()));
    assert_ne!(tag(invoice), tag(paid));
}
