//! What invoices say of payments.

use ::payments::OrderId;
use diesel::prelude::*;
use kernel::AccountId;

use super::rows;
use crate::db::Db;

/// How the largest payment of an order was made, a code of c_FormaPago; of equal ones the first.
pub(crate) fn form_of_order(
    db: &mut Db,
    account: AccountId,
    order: ::orders::OrderId,
) -> QueryResult<Option<String>> {
    let payments = rows::of_order(db, account, OrderId::from_u128(order.to_u128()))?;
    Ok(::payments::payment::largest_form(&payments).map(str::to_owned))
}
