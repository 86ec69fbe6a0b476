//! Asking for a payment: what may be asked for, and what is then on record.

use kernel::{Amount, Currency, FieldFault, Message, Metadata, NewEvent, Timestamp, message};

use crate::{
    Capabilities, CustomerId, InvoiceId, Method, OrderId, Payer, Payment, PaymentId, PaymentLinkId,
    ProviderKind, Status, Through, events,
    payment::{less, plus},
};

/// A payment to be asked for; its fields have been checked one by one.
#[derive(Clone, Debug)]
#[allow(missing_docs, reason = "see `Payment`")]
pub struct NewPayment {
    pub order: Option<OrderId>,
    pub invoice: Option<InvoiceId>,
    /// What is asked for; of an order or invoice all that is owed if absent.
    pub amount: Option<Amount>,
    /// The currency; that of the order or invoice if absent.
    pub currency: Option<Currency>,
    pub provider: Option<ProviderKind>,
    pub method: Method,
    /// The numbers of monthly installments that the payer may choose from, the fewest first.
    pub installments: Vec<u8>,
    pub is_captured_at_once: bool,
    /// Whether more may be asked for than is due.
    pub allows_overpayment: bool,
    pub payer: Payer,
    pub description: Option<String>,
    pub reference: Option<String>,
    pub return_url: Option<String>,
    pub expires_at: Option<Timestamp>,
    pub sat_payment_form: Option<String>,
    /// Pesos for one unit of the currency today.
    pub exchange_rate: Option<Amount>,
    pub metadata: Metadata,
    /// The link that it is begun by.
    pub link: Option<PaymentLinkId>,
}

impl NewPayment {
    /// All that is owed for an order, taken in hand: no provider is asked for it.
    #[must_use]
    pub fn in_hand(order: OrderId, method: Method) -> Self {
        Self {
            order: Some(order),
            invoice: None,
            amount: None,
            currency: None,
            provider: Some(ProviderKind::Manual),
            method,
            installments: Vec::new(),
            is_captured_at_once: true,
            allows_overpayment: false,
            payer: Payer::default(),
            description: None,
            reference: None,
            return_url: None,
            expires_at: None,
            sat_payment_form: None,
            exchange_rate: None,
            metadata: Metadata::default(),
            link: None,
        }
    }
}

/// What is owed where the payment is for something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Owed {
    /// Its currency.
    pub currency: Currency,
    /// What is still to be paid, and may be.
    pub due: Amount,
    /// What of that is owed, and asked for where no amount is named: without the taxes that its customer withholds.
    pub usual: Amount,
    /// What of that other payments are about to pay: authorized or processing.
    pub in_progress: Amount,
    /// Whether nothing is to be paid any more, since it is cancelled.
    pub is_cancelled: bool,
    /// Who owes it.
    pub customer: Option<CustomerId>,
}

impl Owed {
    /// What is asked for where no amount is named.
    #[must_use]
    pub fn asked(&self) -> Amount {
        less(self.usual, self.in_progress)
    }

    /// What is owed of an invoice of what this is owed for, of which by itself so much is to be paid: goods that came back may
    /// not have been credited yet.
    #[must_use]
    pub fn of_invoice(self, due: Amount) -> Self {
        Self { due: due.min(self.due), usual: due.min(self.usual), ..self }
    }
}

/// What comes of asking for a payment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opened {
    /// The payment.
    pub payment: Payment,
    /// Whether its provider has to be called.
    pub is_to_be_called: bool,
    /// What was received, where nobody has to be called.
    pub received: Option<Amount>,
    /// What is told.
    pub events: Vec<NewEvent>,
}

/// Why a payment is not asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OpenRefusal {
    /// Fields that are wrong.
    Invalid(Vec<FieldFault>),
    /// The order or invoice is cancelled.
    Cancelled,
    /// More is asked for than is due.
    ExceedsDue {
        /// What may be asked for.
        left: Amount,
    },
}

/// Asks for a payment through a provider, of what is `owed` if it is for an order or invoice.
///
/// # Errors
/// [`OpenRefusal`]; nothing is on record then.
pub fn open(
    new: &NewPayment,
    id: PaymentId,
    through: impl Into<Through>,
    owed: Option<&Owed>,
    now: Timestamp,
) -> Result<Opened, OpenRefusal> {
    let through = through.into();
    let provider = through.kind;
    let currency = currency(new, owed)?;
    let capabilities = provider.capabilities(new.method, currency);
    let Some(capabilities) = capabilities else {
        return Err(one("method", unsupported(provider, new.method, currency)));
    };
    let amount = amount(new, owed, currency)?;
    let mut faults = faults(new, amount, &capabilities, now);
    faults.extend(rate_fault(new, provider, currency));
    // A link offers what suits the amount that came of it.
    let installments = match new.link {
        Some(_) => through.offered(&new.installments, amount),
        None => {
            faults.extend(through.fault(&new.installments, (new.method, currency), amount));
            new.installments.clone()
        }
    };
    if !faults.is_empty() {
        return Err(OpenRefusal::Invalid(faults));
    }
    let is_manual = provider == ProviderKind::Manual;
    let captured = if is_manual { amount } else { Amount::ZERO };
    let seconds = capabilities.expiry_seconds.map(|seconds| now.plus_seconds(seconds));
    let payment = Payment {
        id,
        order: new.order,
        invoice: new.invoice,
        customer: owed.and_then(|owed| owed.customer),
        link: new.link,
        provider,
        method: new.method,
        status: if is_manual { Status::Paid } else { Status::Pending },
        amount,
        currency,
        received: captured,
        authorized: captured,
        captured,
        refunded: Amount::ZERO,
        refund_pending: Amount::ZERO,
        is_captured_at_once: new.is_captured_at_once,
        allows_overpayment: new.allows_overpayment,
        provider_ref: None,
        instructions: None,
        failure: None,
        card: None,
        installments,
        installments_chosen: None,
        tracking_key: None,
        fee: None,
        flags: Vec::new(),
        conflict: None,
        payer: new.payer.clone(),
        description: new.description.clone(),
        reference: new.reference.clone(),
        return_url: new.return_url.clone(),
        sat_payment_form: new.sat_payment_form.clone(),
        exchange_rate: new.exchange_rate,
        receipt: None,
        receipt_problem: None,
        metadata: new.metadata.clone(),
        is_outcome_unknown: false,
        paid_at: is_manual.then_some(now),
        expires_at: new.expires_at.or(seconds),
        created_at: now,
        updated_at: now,
        version: 1,
    };
    let events = if is_manual { vec![events::received(&payment)] } else { Vec::new() };
    let received = is_manual.then_some(amount);
    Ok(Opened { payment, is_to_be_called: !is_manual, received, events })
}

/// The payment that marking an order as paid is: of what was owed, in a way that nobody has named.
#[must_use]
pub fn marked(id: PaymentId, order: OrderId, owed: &Owed, now: Timestamp) -> Option<Opened> {
    let in_hand = NewPayment::in_hand(order, Method::Other);
    let new = NewPayment { allows_overpayment: true, ..in_hand };
    open(&new, id, ProviderKind::Manual, Some(owed), now).ok()
}

fn one(field: &str, problem: Message) -> OpenRefusal {
    OpenRefusal::Invalid(vec![FieldFault::new(field, problem)])
}

fn unsupported(provider: ProviderKind, method: Method, currency: Currency) -> Message {
    let (provider, method) = (provider.name(), method.name());
    message!(
        "cannot be {method} through the provider {provider} in {currency}; GET /payment-methods lists what can",
        "no puede ser {method} con el proveedor {provider} en {currency}; GET /payment-methods muestra las opciones"
    )
}

fn currency(new: &NewPayment, owed: Option<&Owed>) -> Result<Currency, OpenRefusal> {
    match (new.currency, owed) {
        (Some(named), Some(owed)) if named != owed.currency => {
            let of_order = owed.currency;
            Err(one(
                "currency",
                match new.order {
                    Some(_) => message!(
                        "must be that of the order, {of_order}",
                        "debe ser la del pedido, {of_order}"
                    ),
                    None => message!(
                        "must be that of the invoice, {of_order}",
                        "debe ser la de la factura, {of_order}"
                    ),
                },
            ))
        }
        (_, Some(owed)) => Ok(owed.currency),
        (Some(named), None) => Ok(named),
        (None, None) => Err(one(
            "currency",
            message!(
                "is required without orderId and invoiceId",
                "es obligatorio sin orderId ni invoiceId"
            ),
        )),
    }
}

fn amount(
    new: &NewPayment,
    owed: Option<&Owed>,
    currency: Currency,
) -> Result<Amount, OpenRefusal> {
    let left = owed.map(|owed| less(owed.due, owed.in_progress));
    if owed.is_some_and(|owed| owed.is_cancelled) {
        return Err(OpenRefusal::Cancelled);
    }
    let usual = owed.map(Owed::asked).filter(|usual| *usual > Amount::ZERO);
    let Some(amount) = new.amount.or(usual) else {
        return Err(match owed {
            Some(_) => OpenRefusal::ExceedsDue { left: Amount::ZERO },
            None => one(
                "amount",
                message!(
                    "is required without orderId and invoiceId",
                    "es obligatorio sin orderId ni invoiceId"
                ),
            ),
        });
    };
    if !amount.fits(currency.decimals()) {
        let decimals = currency.decimals();
        return Err(one(
            "amount",
            message!(
                "must have at most {decimals} decimals in {currency}",
                "debe tener a lo más {decimals} decimales en {currency}"
            ),
        ));
    }
    match left {
        Some(left) if amount > left && !new.allows_overpayment => {
            Err(OpenRefusal::ExceedsDue { left })
        }
        _ => Ok(amount),
    }
}

fn faults(
    new: &NewPayment,
    amount: Amount,
    capabilities: &Capabilities,
    now: Timestamp,
) -> Vec<FieldFault> {
    let mut faults = Vec::new();
    let Capabilities { min, max, .. } = *capabilities;
    if amount < min || amount > max {
        let problem = message!("must be from {min} to {max}", "debe ser de {min} a {max}");
        faults.push(FieldFault::new("amount", problem));
    }
    if !new.is_captured_at_once && !capabilities.captures_later {
        let method = new.method.name();
        let problem = message!(
            "must be true: a payment by {method} is captured at once",
            "debe ser true: un pago con {method} se captura al momento"
        );
        faults.push(FieldFault::new("capture", problem));
    }
    if let Some(expires_at) = new.expires_at {
        // By a link, whoever pays by card has to be quick.
        if capabilities.expiry_seconds.is_none() && new.link.is_none() {
            let problem = message!(
                "does not apply to this method, whose payments do not expire",
                "no aplica a este método, cuyos pagos no vencen"
            );
            faults.push(FieldFault::new("expiresAt", problem));
        } else if expires_at <= now {
            let problem = message!("must be in the future", "debe ser posterior a este momento");
            faults.push(FieldFault::new("expiresAt", problem));
        }
    }
    faults
}

/// The rate is that of the day on which the money comes, which is known only of money that is there.
fn rate_fault(new: &NewPayment, provider: ProviderKind, currency: Currency) -> Option<FieldFault> {
    let _ = new.exchange_rate?;
    let problem = if currency == Currency::MXN {
        message!(
            "goes only with other currencies: this payment is in MXN",
            "solo aplica a otras monedas: este pago es en MXN"
        )
    } else if provider != ProviderKind::Manual {
        message!(
            "goes only with money that you have taken yourself (provider manual): it is that of the day on which the \
             money comes, so state it in the receipt",
            "solo aplica al dinero que usted mismo recibió (provider manual): es el del día en que llega el dinero, así que \
             se indica en el recibo"
        )
    } else {
        return None;
    };
    Some(FieldFault::new("exchangeRate", problem))
}

/// What is still to be paid of an invoice paid in parts: what is owed of it, less what was paid and has no stamped receipt
/// yet, which would have lowered that.
#[must_use]
pub fn due_of_invoice(
    balance: Amount,
    payments: &[Payment],
    is_receipted: impl Fn(&Payment) -> bool,
) -> Amount {
    let unreceipted = payments.iter().filter(|payment| !is_receipted(payment));
    // What was given back is credited, and leaves as much owed as there was.
    let paid = unreceipted.map(|payment| payment.captured);
    less(balance, paid.fold(Amount::ZERO, plus))
}

/// What other payments of an order are about to pay of it.
#[must_use]
pub fn in_progress<'a>(payments: impl IntoIterator<Item = &'a Payment>) -> Amount {
    payments.into_iter().fold(Amount::ZERO, |sum, payment| plus(sum, payment.in_progress()))
}

/// What is asked for where no amount is named and so much is owed, without what these other payments are about to pay of it.
#[must_use]
pub fn asked<'a>(owed: Amount, payments: impl IntoIterator<Item = &'a Payment>) -> Amount {
    less(owed, in_progress(payments))
}

#[cfg(test)]
pub(crate) mod tests;
