//! What the endpoints of refunds read.

use intake::{
    Check, Fields, Form,
    checks::{id, one_of},
    noun,
};
use kernel::PageRequest;
use payments::{PaymentId, RefundFilter, RefundId, RefundQuery, RefundStatus};

use crate::{page::page_request_of, resources::payments::order};

pub(super) const LIST: Form<RefundQuery> = Form::query(read_query);
pub(in crate::resources) const OF_PAYMENT: Form<PageRequest> = Form::query(read_page);

const ORDER: &str = "-createdAt";

fn read_query(fields: &mut Fields<'_>) -> Option<RefundQuery> {
    let payment = id(noun("a payment", "un pago"), PaymentId::PREFIX, PaymentId::parse);
    let status = one_of(RefundStatus::EVERY, RefundStatus::name);
    let filter = RefundFilter {
        payment: fields.change("paymentId", payment.about("Filter by payment.")),
        order: fields.change("orderId", order().about("Filter by order.")),
        status: fields.change("status", status.about("Filter by status.")),
    };
    Some(RefundQuery { filter, page: page_request_of(fields, ORDER, RefundId::PREFIX) })
}

fn read_page(fields: &mut Fields<'_>) -> Option<PageRequest> {
    Some(page_request_of(fields, ORDER, RefundId::PREFIX))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_narrowed() {
        let id = PaymentId::from_u128(7);
        let query = LIST.read_query(&format!("status=failed&paymentId={id}&limit=5")).unwrap();
        assert_eq!(query.filter.payment, Some(id));
        assert_eq!((query.filter.status, query.page.limit), (Some(RefundStatus::Failed), 5));
        assert!(OF_PAYMENT.read_query("status=failed").is_err());
    }
}
