//! What is done about several orders of a page at once, with what came of each.

use accounts::{Right, Scope};
use askama::Template;
use kernel::{Ctx, Idempotency, message};
use orders::{NewShipment, Order, OrderId, number_text};

use super::{
    PATH,
    acts::unshipped,
    print::{Slip, slip, tickets},
};
use crate::{
    answer::Answer,
    call::{Call, Member},
    failure::Failure,
    layout::Sheet,
    page::Page,
    parts::{Pill, Tone},
    reply::{answered, carried_out},
    texts::Say,
};

pub(super) const WRITE: Right = Right::write(Scope::Orders);
/// As many as a page has.
const ORDERS_MAX: usize = 100;

/// The pages.
pub(super) fn pages() -> Vec<Page> {
    vec![
        Page::post("orders/selected/ship", WRITE, ship).fleeting(),
        Page::post("orders/selected/tickets", WRITE, print).fleeting(),
    ]
}

#[derive(Template)]
#[template(path = "orders/bulk.html", whitespace = "minimize")]
struct Outcomes {
    say: Say,
    lines: Vec<Line>,
}

struct Line {
    number: String,
    href: String,
    state: Pill,
    reason: Option<String>,
}

/// The orders that were ticked: each has a box of its own, named `id[ord_…]`.
async fn selected(call: &Call<Member>) -> Result<Vec<Order>, Failure> {
    let id = |name: &str| OrderId::parse(name.strip_prefix("id[")?.strip_suffix(']')?);
    let ids: Option<Vec<_>> = call.sent.values().pairs().map(|(name, _)| id(name)).collect();
    let ids = ids.filter(|ids| ids.len() <= ORDERS_MAX).ok_or_else(|| {
        Failure::Malformed(message!(
            "Select at most {ORDERS_MAX} orders.",
            "Selecciona a lo más {ORDERS_MAX} pedidos."
        ))
    })?;
    if ids.is_empty() {
        return Err(Failure::Malformed(message!(
            "Select at least one order.",
            "Selecciona al menos un pedido."
        )));
    }
    let mut orders = Vec::with_capacity(ids.len());
    for id in ids {
        orders.extend(answered(call.services().orders.get(call.account(), id)).await?);
    }
    Ok(orders)
}

async fn ship(call: Call<Member>) -> Result<Answer, Failure> {
    let say = call.say();
    let mut lines = Vec::new();
    for order in selected(&call).await? {
        let ctx = ctx(&call, order.id);
        let shipping = call.services().orders.ship(ctx, order.id, NewShipment::default());
        let faults = carried_out(shipping, |error| unshipped(&error)).await?.err();
        let fault = faults.as_deref().and_then(<[_]>::first);
        lines.push(Line {
            number: number_text(order.number),
            href: format!("{}/{}", call.href(PATH), order.id),
            state: match fault {
                None => Pill::new(Tone::Good, say.status_shipped()),
                Some(_) => Pill::new(Tone::Bad, say.left_as_it_is()),
            },
            reason: fault.map(|fault| fault.problem.in_language(call.language).to_owned()),
        });
    }
    let sheet = Sheet::new(say.ship(), &Outcomes { say, lines });
    Ok(call.page(sheet.back(say.orders(), call.href(PATH))))
}

/// The circumstances of what is done about one of them: the same page sent twice has one effect on each.
fn ctx(call: &Call<Member>, id: OrderId) -> Ctx {
    let ctx = call.ctx();
    let idempotency = ctx.idempotency.map(|of_page| Idempotency {
        key: format!("{} {id}", of_page.key),
        digest: id.to_string(),
        ..of_page
    });
    Ctx { idempotency, ..ctx }
}

async fn print(call: Call<Member>) -> Result<Answer, Failure> {
    let orders = selected(&call).await?;
    let zone = call.zone().await?;
    let slips: Vec<Slip> = orders.iter().map(|order| slip(&call, order, zone)).collect();
    Ok(tickets(&call, slips))
}
