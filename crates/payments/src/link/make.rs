//! Making, changing and closing links.

use kernel::{Amount, Currency, FieldFault, Message, Metadata, Timestamp, message};
use links::Token;

use super::{
    Asks, LINK_METHODS, LinkStatus, PaymentLink, PaymentLinkId, SECONDS, SECONDS_MAX, SECONDS_MIN,
    Stage,
};
use crate::{Capabilities, InvoiceId, Method, OrderId, Owed, ProviderKind, Through};

/// A link to be made; its fields have been checked one by one.
#[derive(Clone, Debug, Default)]
#[allow(missing_docs, reason = "see `PaymentLink`")]
pub struct NewLink {
    pub title: Option<String>,
    pub description: Option<String>,
    pub amount: Option<Amount>,
    pub amount_min: Option<Amount>,
    pub amount_max: Option<Amount>,
    pub currency: Option<Currency>,
    pub order: Option<OrderId>,
    pub invoice: Option<InvoiceId>,
    pub provider: Option<ProviderKind>,
    /// All that the provider can do if empty.
    pub methods: Vec<Method>,
    /// The fewest months first.
    pub installments: Vec<u8>,
    /// Once if absent, without end if `Some(None)`.
    pub payments_max: Option<Option<u32>>,
    pub expires_at: Option<Timestamp>,
    pub success_url: Option<String>,
    pub metadata: Metadata,
}

/// What is to be changed of a link; what is absent stays.
#[derive(Clone, Debug, Default)]
#[allow(missing_docs, reason = "see `PaymentLink`")]
pub struct LinkChanges {
    pub title: Option<String>,
    pub description: Option<Option<String>>,
    pub payments_max: Option<Option<u32>>,
    pub expires_at: Option<Timestamp>,
    pub success_url: Option<Option<String>>,
    pub metadata: Option<Metadata>,
}

/// Why a link is not made or changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LinkRefusal {
    /// Fields that are wrong.
    Invalid(Vec<FieldFault>),
    /// The order is cancelled.
    OrderCancelled,
    /// Nothing is due for the order or invoice.
    NothingDue,
    /// The link is closed.
    Closed(LinkStatus),
}

/// The order or invoice that a link is for.
#[derive(Clone, Debug)]
pub struct Linked {
    /// Its number.
    pub number: String,
    /// The order, or the one that the invoice bills.
    pub order: Option<OrderId>,
    /// What is owed for it.
    pub owed: Owed,
}

/// Makes a link. `able` says what the provider of a method can do in a currency; `cards` is through whom cards are paid.
///
/// # Errors
/// [`LinkRefusal`].
pub fn make(
    new: NewLink,
    (id, token): (PaymentLinkId, Token),
    linked: Option<&Linked>,
    able: impl Fn(Method, Currency) -> Option<Capabilities>,
    cards: Option<&Through>,
    now: Timestamp,
) -> Result<PaymentLink, LinkRefusal> {
    if let Some(Linked { owed, .. }) = linked {
        if owed.is_cancelled {
            return Err(LinkRefusal::OrderCancelled);
        }
        if owed.due == Amount::ZERO {
            return Err(LinkRefusal::NothingDue);
        }
    }
    let mut faults = Faults::default();
    if new.order.is_some() && new.invoice.is_some() {
        faults.add(
            "invoiceId",
            message!(
                "does not go with orderId: send one of them",
                "no va con orderId: enviar solo uno de los dos"
            ),
        );
    }
    let currency = currency(&new, linked, &mut faults);
    let asks = asks(&new, linked, currency, &mut faults);
    let title = new.title.or_else(|| linked.map(|linked| linked.number.clone()));
    if title.is_none() {
        faults.add(
            "title",
            message!(
                "is required without orderId and invoiceId",
                "es obligatorio sin orderId ni invoiceId"
            ),
        );
    }
    let expires_at = new.expires_at.unwrap_or_else(|| now.plus_seconds(SECONDS));
    faults.extend(expiry_fault(expires_at, now));
    if new.provider == Some(ProviderKind::Manual) {
        faults.add(
            "provider",
            message!(
                "must be one that collects the money: a link is not paid in your own hands",
                "debe ser uno que cobre: un enlace no se paga en efectivo ni por su cuenta"
            ),
        );
    }
    let methods = methods(&new.methods, currency, asks, able, linked, &mut faults);
    faults.extend(installments_fault(&new.installments, &methods, currency, (asks, linked), cards));
    let (true, Some(title), Some(asks)) = (faults.0.is_empty(), title, asks) else {
        return Err(LinkRefusal::Invalid(faults.0));
    };
    Ok(PaymentLink {
        id,
        token,
        title,
        description: new.description,
        asks,
        currency,
        order: new.order.or_else(|| linked.and_then(|linked| linked.order)),
        invoice: new.invoice,
        customer: linked.and_then(|linked| linked.owed.customer),
        provider: new.provider,
        methods,
        installments: new.installments,
        payments_max: new.payments_max.unwrap_or(Some(1)),
        taken: 0,
        paid_count: 0,
        expires_at,
        success_url: new.success_url,
        stage: Stage::Active,
        metadata: new.metadata,
        created_at: now,
        updated_at: now,
        version: 1,
    })
}

#[derive(Default)]
struct Faults(Vec<FieldFault>);

impl Faults {
    fn add(&mut self, field: &str, problem: Message) {
        self.0.push(FieldFault::new(field, problem));
    }

    fn extend(&mut self, fault: Option<FieldFault>) {
        self.0.extend(fault);
    }
}

fn currency(new: &NewLink, linked: Option<&Linked>, faults: &mut Faults) -> Currency {
    let owed = linked.map(|linked| linked.owed.currency);
    if let (Some(named), Some(owed)) = (new.currency, owed)
        && named != owed
    {
        faults.add(
            "currency",
            match new.invoice {
                Some(_) => message!(
                    "must be that of the invoice, {owed}",
                    "debe ser la de la factura, {owed}"
                ),
                None => {
                    message!("must be that of the order, {owed}", "debe ser la del pedido, {owed}")
                }
            },
        );
    }
    owed.or(new.currency).unwrap_or(Currency::MXN)
}

/// What the link asks for: one amount, a range, or what is due for its order or invoice.
fn asks(
    new: &NewLink,
    linked: Option<&Linked>,
    currency: Currency,
    faults: &mut Faults,
) -> Option<Asks> {
    let decimals = currency.decimals();
    let named =
        [("amount", new.amount), ("amountMin", new.amount_min), ("amountMax", new.amount_max)];
    for (field, amount) in named {
        let Some(amount) = amount else { continue };
        if linked.is_some() {
            faults.add(
                field,
                match new.invoice {
                    Some(_) => message!(
                        "does not go with invoiceId: the link asks for what is due for the invoice",
                        "no va con invoiceId: el enlace cobra lo que falta por pagar de la factura"
                    ),
                    None => message!(
                        "does not go with orderId: the link asks for what is due for the order",
                        "no va con orderId: el enlace cobra lo que falta por pagar del pedido"
                    ),
                },
            );
        } else if !amount.fits(decimals) {
            faults.add(
                field,
                message!(
                    "must have at most {decimals} decimals in {currency}",
                    "debe tener a lo más {decimals} decimales en {currency}"
                ),
            );
        }
    }
    if linked.is_some() {
        return Some(Asks::Due);
    }
    match (new.amount, new.amount_min, new.amount_max) {
        (Some(amount), None, None) => Some(Asks::Fixed(amount)),
        (None, Some(min), Some(max)) if min < max => Some(Asks::Between { min, max }),
        (None, Some(_), Some(_)) => {
            let problem = message!("must be above amountMin", "debe ser mayor que amountMin");
            faults.add("amountMax", problem);
            None
        }
        (Some(_), ..) => {
            let problem = message!(
                "goes only without amountMin and amountMax: give one or the other",
                "solo aplica sin amountMin ni amountMax: indique uno u otros"
            );
            faults.add("amount", problem);
            None
        }
        _ => {
            let problem = message!(
                "is required: either amount, or amountMin and amountMax, or orderId, or invoiceId",
                "es obligatorio: amount, o bien amountMin y amountMax, o bien orderId o invoiceId"
            );
            faults.add("amount", problem);
            None
        }
    }
}

/// The least and the most that can be paid.
fn bounds(asks: Option<Asks>, order: Option<&Linked>) -> Option<(Amount, Amount)> {
    match (asks, order) {
        (Some(Asks::Fixed(amount)), _) => Some((amount, amount)),
        (Some(Asks::Between { min, max }), _) => Some((min, max)),
        (_, Some(order)) => {
            let asked = order.owed.asked();
            Some((asked, asked))
        }
        (_, None) => None,
    }
}

/// Why installments cannot be offered, if so: they are for cards, and for the largest amount that can be paid.
fn installments_fault(
    wanted: &[u8],
    methods: &[Method],
    currency: Currency,
    (asks, order): (Option<Asks>, Option<&Linked>),
    cards: Option<&Through>,
) -> Option<FieldFault> {
    let (_, most) = bounds(asks, order)?;
    if wanted.is_empty() || methods.contains(&Method::Card) {
        return cards?.fault(wanted, (Method::Card, currency), most);
    }
    let problem = message!(
        "goes only with card among allowedMethods",
        "solo aplica con card en allowedMethods"
    );
    Some(FieldFault::new("installments", problem))
}

/// The methods that are asked for, or all that can be paid so.
fn methods(
    wanted: &[Method],
    currency: Currency,
    asks: Option<Asks>,
    able: impl Fn(Method, Currency) -> Option<Capabilities>,
    linked: Option<&Linked>,
    faults: &mut Faults,
) -> Vec<Method> {
    let Some((least, most)) = bounds(asks, linked) else { return Vec::new() };
    let suits = |method: Method| {
        able(method, currency).is_some_and(|can| least >= can.min && most <= can.max)
    };
    if wanted.is_empty() {
        let all: Vec<_> = LINK_METHODS.iter().copied().filter(|method| suits(*method)).collect();
        if all.is_empty() {
            faults.add(
                "allowedMethods",
                message!(
                    "have none to offer: no payment provider of the account takes this amount; set one up with PUT /payments/providers/{{provider}}, GET /payment-methods lists what can be paid",
                    "no tiene ninguno que ofrecer: ningún proveedor de pagos de la cuenta acepta este importe; configure uno con PUT /payments/providers/{{provider}}, GET /payment-methods muestra las opciones"
                ),
            );
        }
        return all;
    }
    for method in wanted.iter().filter(|method| !suits(**method)) {
        let name = method.name();
        faults.add(
            "allowedMethods",
            message!(
                "cannot contain {name}: the payment provider does not take this amount so; GET /payment-methods lists what can",
                "no puede contener {name}: el proveedor de pagos no acepta este importe de esa forma; GET /payment-methods muestra las opciones"
            ),
        );
    }
    // In the order in which pages show them.
    LINK_METHODS.iter().copied().filter(|method| wanted.contains(method)).collect()
}

fn expiry_fault(expires_at: Timestamp, now: Timestamp) -> Option<FieldFault> {
    let is_right =
        (now.plus_seconds(SECONDS_MIN)..=now.plus_seconds(SECONDS_MAX)).contains(&expires_at);
    let problem = message!(
        "must be from 5 minutes to 365 days from now",
        "debe ser de 5 minutos a 365 días a partir de ahora"
    );
    (!is_right).then(|| FieldFault::new("expiresAt", problem))
}

/// Changes a link. One whose time has passed can be given more.
///
/// # Errors
/// [`LinkRefusal`].
pub fn change(
    link: &PaymentLink,
    changes: LinkChanges,
    now: Timestamp,
) -> Result<PaymentLink, LinkRefusal> {
    if link.stage != Stage::Active {
        return Err(LinkRefusal::Closed(link.status(now)));
    }
    let mut faults = Faults::default();
    if let Some(expires_at) = changes.expires_at.filter(|at| *at != link.expires_at) {
        faults.extend(expiry_fault(expires_at, now));
    }
    let used =
        if link.is_for_due() { link.taken } else { link.taken.saturating_add(link.paid_count) };
    if let Some(Some(max)) = changes.payments_max
        && max < used
    {
        faults.add(
            "maxPayments",
            message!(
                "must be at least {used}: so many have paid or are paying",
                "debe ser al menos {used}: tantos ya pagaron o están pagando"
            ),
        );
    }
    if !faults.0.is_empty() {
        return Err(LinkRefusal::Invalid(faults.0));
    }
    let LinkChanges { title, description, payments_max, expires_at, success_url, metadata } =
        changes;
    let mut after = link.clone();
    after.title = title.unwrap_or(after.title);
    after.description = description.unwrap_or(after.description);
    after.payments_max = payments_max.unwrap_or(after.payments_max);
    after.expires_at = expires_at.unwrap_or(after.expires_at);
    after.success_url = success_url.unwrap_or(after.success_url);
    after.metadata = metadata.unwrap_or(after.metadata);
    if after.is_paid_up() && after.taken == 0 {
        after.stage = Stage::Completed;
    }
    if after != *link {
        after.changed(now);
    }
    Ok(after)
}

/// Switches a link off. Who is paying may go on.
#[must_use]
pub fn deactivate(link: &PaymentLink, now: Timestamp) -> PaymentLink {
    let mut after = link.clone();
    if after.stage == Stage::Active {
        after.stage = Stage::Inactive;
        after.changed(now);
    }
    after
}

#[cfg(test)]
pub(super) mod tests;
