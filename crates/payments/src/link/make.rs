//! Making, changing and closing links.

use kernel::{Amount, Currency, FieldFault, Message, Metadata, Timestamp, message};
use links::Token;

use super::{
    Asks, LINK_METHODS, LinkStatus, PaymentLink, PaymentLinkId, SECONDS, SECONDS_MAX, SECONDS_MIN,
    Stage,
};
use crate::{Capabilities, InvoiceId, Method, OrderId, Owed, ProviderKind, Through};

/// A link to be made; its fields have been checked one by one.
#[derive(Clone, Debug)]
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
pub(super) mod tests {
    use super::*;
    use crate::sandbox;

    pub(in crate::link) fn amount(units: i64) -> Amount {
        Amount::from_micros(units * 1_000_000)
    }

    fn at(seconds: i64) -> Timestamp {
        Timestamp::from_micros(seconds * 1_000_000)
    }

    fn new() -> NewLink {
        NewLink {
            title: Some("A cup".to_owned()),
            description: None,
            amount: Some(amount(100)),
            amount_min: None,
            amount_max: None,
            currency: None,
            order: None,
            invoice: None,
            provider: None,
            methods: Vec::new(),
            installments: Vec::new(),
            payments_max: None,
            expires_at: None,
            success_url: None,
            metadata: Metadata::default(),
        }
    }

    fn made(new: NewLink, order: Option<&Linked>) -> Result<PaymentLink, LinkRefusal> {
        let ids = (PaymentLinkId::from_u128(1), Token::from_random([7; 18]));
        let cards = Through::from(ProviderKind::Sandbox);
        make(new, ids, order, sandbox::capabilities, Some(&cards), at(0))
    }

    pub(in crate::link) fn link(asks: Asks) -> PaymentLink {
        PaymentLink { asks, ..made(new(), None).unwrap() }
    }

    fn order(due: i64, is_cancelled: bool) -> Linked {
        let owed = Owed {
            currency: Currency::MXN,
            due: amount(due),
            usual: amount(due),
            in_progress: Amount::ZERO,
            is_cancelled,
            customer: None,
        };
        Linked { number: "ORD-000123".to_owned(), order: None, owed }
    }

    #[test]
    fn a_link_has_what_a_payer_expects() {
        let link = made(new(), None).unwrap();
        assert_eq!(link.methods, [Method::Card, Method::Spei, Method::Oxxo]);
        assert_eq!((link.payments_max, link.expires_at), (Some(1), at(SECONDS)));
        let of_order = NewLink { title: None, amount: None, ..new() };
        let link = made(of_order, Some(&order(5, false))).unwrap();
        // A slip at the counter takes 10 pesos at least.
        assert_eq!(link.methods, [Method::Card, Method::Spei]);
        assert_eq!((link.asks, link.title.as_str()), (Asks::Due, "ORD-000123"));
    }

    #[test]
    fn a_link_for_an_invoice_is_one_for_the_order_that_it_bills() {
        let (order, invoice) = (OrderId::from_u128(2), InvoiceId::from_u128(3));
        let linked = Linked { order: Some(order), ..self::order(80, false) };
        let for_invoice = NewLink { title: None, amount: None, invoice: Some(invoice), ..new() };
        let link = made(for_invoice.clone(), Some(&linked)).unwrap();
        assert_eq!((link.order, link.invoice), (Some(order), Some(invoice)));
        assert_eq!(link.asks, Asks::Due);
        let alone = made(for_invoice.clone(), Some(&self::order(80, false))).unwrap();
        assert_eq!((alone.order, alone.invoice), (None, Some(invoice)));
        // What is due is paid until nothing is: no payment closes it.
        let paid = PaymentLink { paid_count: 1, ..alone };
        assert!(paid.has_slot() && !paid.is_paid_up());
        let both = NewLink { order: Some(order), ..for_invoice };
        let Err(LinkRefusal::Invalid(faults)) = made(both, Some(&linked)) else {
            panic!("both were taken")
        };
        assert_eq!(faults.iter().map(|fault| &*fault.field).collect::<Vec<_>>(), ["invoiceId"]);
    }

    #[test]
    fn what_is_wrong_is_named() {
        let fields = |new, order: Option<&Linked>| match made(new, order) {
            Err(LinkRefusal::Invalid(faults)) => faults.into_iter().map(|f| f.field).collect(),
            other => vec![format!("{other:?}")],
        };
        let bounds = |min, max| NewLink {
            amount: None,
            amount_min: Some(amount(min)),
            amount_max: Some(amount(max)),
            ..new()
        };
        assert_eq!(fields(bounds(20, 10), None), ["amountMax"]);
        assert_eq!(fields(NewLink { amount: None, ..new() }, None), ["amount"]);
        assert_eq!(fields(NewLink { amount_min: Some(amount(1)), ..new() }, None), ["amount"]);
        assert_eq!(fields(NewLink { title: None, ..new() }, None), ["title"]);
        assert_eq!(fields(new(), Some(&order(9, false))), ["amount"]);
        let fine = NewLink { amount: Some(Amount::from_micros(1_001_000)), ..new() };
        assert_eq!(fields(fine, None), ["amount"]);
        for seconds in [SECONDS_MIN - 1, SECONDS_MAX + 1] {
            let late = NewLink { expires_at: Some(at(seconds)), ..new() };
            assert_eq!(fields(late, None), ["expiresAt"]);
        }
        let dear = NewLink { amount: Some(amount(10_001)), methods: vec![Method::Oxxo], ..new() };
        assert_eq!(fields(dear, None), ["allowedMethods"]);
        let none = NewLink { amount: None, ..new() };
        assert_eq!(
            made(none.clone(), Some(&order(0, true))).unwrap_err(),
            LinkRefusal::OrderCancelled
        );
        assert_eq!(made(none, Some(&order(0, false))).unwrap_err(), LinkRefusal::NothingDue);
    }

    #[test]
    fn a_link_is_changed_and_closed() {
        let link = PaymentLink { taken: 1, paid_count: 1, payments_max: None, ..link(Asks::Due) };
        let limited = |max| LinkChanges { payments_max: Some(Some(max)), ..LinkChanges::default() };
        assert!(matches!(change(&link, limited(1), at(1)), Err(LinkRefusal::Invalid(_))));
        let after = change(&link, limited(2), at(1)).unwrap();
        assert_eq!((after.payments_max, after.version), (Some(2), 2));
        let same = change(&link, LinkChanges::default(), at(1)).unwrap();
        assert_eq!(same, link);
        let off = deactivate(&link, at(1));
        assert_eq!((off.stage, off.version), (Stage::Inactive, 2));
        assert_eq!(deactivate(&off, at(2)), off);
        let closed = LinkRefusal::Closed(LinkStatus::Inactive);
        assert_eq!(change(&off, limited(9), at(2)).unwrap_err(), closed);
    }

    #[test]
    fn time_closes_and_opens_a_link() {
        let link = link(Asks::Fixed(amount(1)));
        assert_eq!(link.status(at(SECONDS - 1)), LinkStatus::Active);
        assert_eq!(link.status(at(SECONDS)), LinkStatus::Expired);
        let more = LinkChanges { expires_at: Some(at(2 * SECONDS)), ..LinkChanges::default() };
        let link = change(&link, more, at(SECONDS)).unwrap();
        assert_eq!(link.status(at(SECONDS)), LinkStatus::Active);
    }
}
