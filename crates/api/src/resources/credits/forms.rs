//! What the credits' endpoints read.

use intake::{
    Check, Fields, Form,
    checks::{id, one_of},
    noun,
};
use invoices::{CreditEntryId, CreditKind, InvoiceId, LedgerQuery, withholding::WithholdingId};

use crate::page::page_request_of;

pub(super) const LEDGER: Form<LedgerQuery> = Form::query(read_query);

fn read_query(fields: &mut Fields<'_>) -> Option<LedgerQuery> {
    let kind = one_of(CreditKind::EVERY, CreditKind::name);
    let invoice = id(noun("an invoice", "una factura"), InvoiceId::PREFIX, InvoiceId::parse);
    let noun = noun("a withholding", "una constancia de retenciones");
    let withholding = id(noun, WithholdingId::PREFIX, WithholdingId::parse);
    Some(LedgerQuery {
        kind: fields.change("kind", kind.about("Filter by kind.")),
        invoice: fields.change("invoiceId", invoice.about("Filter by invoice.")),
        withholding: fields.change("withholdingId", withholding.about("Filter by withholding.")),
        page: page_request_of(fields, "-createdAt", CreditEntryId::PREFIX),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ledger_is_narrowed() {
        let id = InvoiceId::from_u128(7);
        let query = LEDGER.read_query(&format!("kind=release&invoiceId={id}&limit=5")).unwrap();
        assert_eq!((query.kind, query.invoice), (Some(CreditKind::Release), Some(id)));
        let refused = LEDGER.read_query("kind=gift").unwrap_err().to_string();
        assert_eq!(refused, "kind must be one of grant, reserve, commit, release");
    }
}
