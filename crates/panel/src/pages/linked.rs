//! Ways from one thing to those that belong to it, and what people call them.

use std::collections::HashMap;

use accounts::{Right, Scope};
use kernel::{Message, PageRequest, id, message, page::Count, search::Words};
use orders::{OrderFilter, OrderId, OrderQuery, number_in, number_text};

use super::search;
use crate::{
    call::{Call, Member},
    failure::Failure,
    parts::Empty,
    reply::answered,
};

/// The page of what an identifier of ours names, if there is one that the member may open.
pub(super) fn page_of(call: &Call<Member>, id: &str) -> Option<String> {
    let path = search::place(id)?;
    search::opens(call, &path).then(|| call.href(&path))
}

/// The same of many identifiers: which of the pages the member may open is looked up once.
pub(super) struct Ways<'a> {
    call: &'a Call<Member>,
    open: Vec<(&'static str, &'static str)>,
}

impl<'a> Ways<'a> {
    /// For the member of a call.
    pub(super) fn of(call: &'a Call<Member>) -> Self {
        let places = search::PLACES.iter().copied();
        let open = places.filter(|(_, path)| search::opens(call, &format!("{path}/_")));
        Self { call, open: open.collect() }
    }

    /// The page of what an identifier names.
    pub(super) fn page_of(&self, id: &str) -> Option<String> {
        let (_, path) = self.open.iter().find(|(prefix, _)| id::parse(prefix, id).is_some())?;
        Some(format!("{}/{id}", self.call.href(path)))
    }
}

/// The numbers of orders, by one question; none for who may not look at them.
pub(super) async fn order_numbers(
    call: &Call<Member>,
    ids: impl IntoIterator<Item = u128>,
) -> Result<HashMap<u128, String>, Failure> {
    let mut ids: Vec<_> = ids.into_iter().map(OrderId::from_u128).collect();
    if ids.is_empty() || !call.may(Right::read(Scope::Orders)) {
        return Ok(HashMap::new());
    }
    ids.sort_unstable();
    ids.dedup();
    let found = answered(call.services().orders.numbers(call.account(), ids)).await?;
    Ok(found.into_iter().map(|(id, number)| (id.to_u128(), number_text(number))).collect())
}

/// The order that a number names, or its identifier.
pub(super) async fn order_meant(
    call: &Call<Member>,
    text: &str,
) -> Result<Result<OrderId, Message>, Failure> {
    if let Some(id) = OrderId::parse(text) {
        return Ok(Ok(id));
    }
    let words = number_in(text).and_then(|_| Words::parse(text).ok());
    let found = match words.filter(|_| call.may(Right::read(Scope::Orders))) {
        Some(words) => {
            let search = Some(words.or_numbers(number_in));
            let filter = OrderFilter { search, ..OrderFilter::default() };
            let page = PageRequest { count: Count::Nothing, ..PageRequest::default() };
            let query = OrderQuery { filter, page, ..OrderQuery::default() };
            answered(call.services().orders.list(call.account(), query)).await?.items
        }
        None => Vec::new(),
    };
    let found = found.into_iter().find(|order| Some(order.number) == number_in(text));
    Ok(found.map(|order| order.id).ok_or_else(|| {
        message!(
            "is not known: give its number, such as ORD-000123",
            "no existe: indica su número, como ORD-000123"
        )
    }))
}

/// A list that has nothing in it yet, with the way to begin, for who may.
pub(super) fn nothing_yet(
    call: &Call<Member>,
    text: &'static str,
    (label, path): (&'static str, &str),
) -> Empty {
    let nothing = Empty::new(text);
    match search::opens(call, path) {
        true => nothing.action(label, call.href(path)),
        false => nothing,
    }
}
