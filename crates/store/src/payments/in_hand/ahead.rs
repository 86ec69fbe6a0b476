//! What the payments of a batch depend on, read at once.

use std::collections::{BTreeSet, HashMap, HashSet};

use ::orders::Order;
use ::payments::{NewPayment, OrderId, Payment, PaymentSettings};
use diesel::{prelude::*, sql_types::Text};
use kernel::AccountId;

use super::{Found, InHandJob};
use crate::{
    db::Db,
    ordering::money,
    payments::{money::Known, rows, settings},
    rows::read,
    statement::{Bound, Column, Statement},
    tx::Tx,
};

/// Orders, which are locked, with their payments, and the settings of accounts.
#[derive(Default)]
pub(super) struct Ahead {
    /// By account, too: one may name an order of another.
    orders: HashMap<(String, OrderId), Order>,
    payments: HashMap<OrderId, Vec<Payment>>,
    linked: HashSet<OrderId>,
    invoiced: HashSet<OrderId>,
    settings: HashMap<String, PaymentSettings>,
}

impl Ahead {
    /// Reads what the jobs depend on, on PostgreSQL.
    pub(super) fn read(tx: &mut Tx<'_>, jobs: &[&mut InHandJob]) -> QueryResult<Self> {
        let accounts: BTreeSet<String> =
            jobs.iter().map(|job| job.ctx.account.to_string()).collect();
        let accounts = Vec::from_iter(accounts);
        let named: BTreeSet<(AccountId, OrderId)> =
            jobs.iter().filter_map(|job| Some((job.ctx.account, job.new.order?))).collect();
        let (of, ids): (Vec<String>, Vec<String>) =
            named.iter().map(|(account, id)| (account.to_string(), id.to_string())).unzip();
        let mut ahead = Self::default();
        if !ids.is_empty() {
            let orders = money::all_locked(tx.db, &accounts, &ids)?.into_iter();
            ahead.orders = orders
                .map(|((account, _), order)| {
                    ((account, OrderId::from_u128(order.id.to_u128())), order)
                })
                .collect();
        }
        let Db::Postgres(conn) = tx.db else { return Ok(ahead) };
        ahead.settings = settings::kept_of(conn, &accounts)?;
        if ahead.orders.is_empty() {
            return Ok(ahead);
        }
        ahead.payments = rows::of_orders(conn, &accounts, &ids)?;
        let wanted = || Bound::from(vec![Column::Texts(of.clone()), Column::Texts(ids.clone())]);
        let facts: Vec<(String, String)> = Statement::<(Text, Text)>::new(
            "SELECT 'link', l.order_id FROM ? AS w (account, id) JOIN payment_links l \
             ON l.account_id = w.account AND l.order_id = w.id AND l.stage = 'active' \
             UNION ALL SELECT 'invoice', i.order_id FROM ? AS w (account, id) JOIN invoice_orders i \
             ON i.account_id = w.account AND i.order_id = w.id",
            [wanted(), wanted()],
        )
        .load(conn)?;
        for (fact, order) in facts {
            let order = read(&order, OrderId::parse)?;
            match fact.as_str() {
                "link" => ahead.linked.insert(order),
                _ => ahead.invoiced.insert(order),
            };
        }
        Ok(ahead)
    }

    /// What a payment depends on, after those before it.
    pub(super) fn found(&self, account: AccountId, new: &NewPayment) -> QueryResult<Found> {
        let order = new.order;
        let is_in = |known: &HashSet<OrderId>| order.is_some_and(|id| known.contains(&id));
        let others = order.and_then(|id| self.payments.get(&id)).cloned();
        let kept = || self.settings.get(&account.to_string()).cloned().unwrap_or_default();
        Ok(Found {
            order: order.and_then(|id| self.orders.get(&(account.to_string(), id))).cloned(),
            others: others.unwrap_or_default(),
            sat_form: settings::form_of(new, || Ok(kept()))?,
            known: Some(Known {
                is_linked: is_in(&self.linked),
                is_invoiced: is_in(&self.invoiced),
            }),
        })
    }

    /// Takes in what a payment has left.
    pub(super) fn recorded(&mut self, account: AccountId, order: Option<Order>, payment: &Payment) {
        let Some((id, order)) = payment.order.zip(order) else { return };
        self.orders.insert((account.to_string(), id), order);
        self.payments.entry(id).or_default().push(payment.clone());
    }
}
