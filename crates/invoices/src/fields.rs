//! The fields by which a draft is made and changed: one rule for both.

use cfdi::{
    complements::Complements,
    document::{
        DocumentType, Global, Part, PaymentMethod, Receiver, Relation, ThirdParty, is_generic,
    },
    tax::TaxRate,
};
use kernel::{Amount, Currency, FieldFault, Message, Metadata, Timestamp, message};

use crate::{
    BranchId, CustomerId, Draft, DraftLocalTax, DraftPayment, IssuerId, Known, OrderId, ProductId,
    complements, credit_notes, items, misplaced, paying,
    receivers::{Addressee, make_out, nobody, place_of_issue, receiver_of},
    sales::{self, SoldOrder},
    withheld,
};

/// What is said of a branch that is not there.
pub(crate) const NO_BRANCH: Message = Message::fixed(
    "names no branch of this account",
    "no corresponde a ninguna sucursal de esta cuenta",
);

/// Fields of a draft; what is `None` stays as it is, or as is usual in a new one. `Some(None)` clears.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Fields {
    /// Who issues it.
    pub issuer: Option<IssuerId>,
    /// The branch that it is issued at; place of issue and series follow unless they are given.
    pub branch: Option<Option<BranchId>>,
    /// Its series.
    pub series: Option<String>,
    /// When it is issued.
    pub issued_at: Option<Option<Timestamp>>,
    /// Who buys; the receiver follows unless one is given.
    pub customer: Option<Option<CustomerId>>,
    /// The orders it invoices; items, currency and customer follow unless they are given.
    pub orders: Option<Vec<OrderId>>,
    /// Whom it is made out to.
    pub receiver: Option<Receiver>,
    /// What the receiver uses it for, a code of c_UsoCFDI.
    pub cfdi_use: Option<String>,
    /// What is sold.
    pub items: Option<Vec<ItemFields>>,
    /// Taxes of states and municipalities.
    pub local_taxes: Option<Vec<DraftLocalTax>>,
    /// What was paid.
    pub payments: Option<Vec<DraftPayment>>,
    /// A code of c_FormaPago.
    pub payment_form: Option<Option<String>>,
    /// In one go or in parts.
    pub payment_method: Option<Option<PaymentMethod>>,
    /// Conditions in free text.
    pub payment_terms: Option<Option<String>>,
    /// Its currency.
    pub currency: Option<Currency>,
    /// Pesos for one unit of a foreign currency.
    pub exchange_rate: Option<Option<Amount>>,
    /// A code of c_Exportacion.
    pub export: Option<String>,
    /// Where it is issued.
    pub place_of_issue: Option<Option<String>>,
    /// The code a provider gave for an unusual amount.
    pub confirmation: Option<Option<String>>,
    /// The period of a global invoice.
    pub global: Option<Option<Global>>,
    /// Documents it refers to.
    pub related: Option<Vec<Relation>>,
    /// What it states for the trades that need it.
    pub complements: Option<Complements>,
    /// Printed on the PDF.
    pub notes: Option<Option<String>>,
    /// The caller's own notes.
    pub metadata: Option<Metadata>,
}

/// A line as it is given: what is missing is filled from its product.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ItemFields {
    /// The product to fill it from.
    pub product: Option<ProductId>,
    /// A code of c_ClaveProdServ.
    pub sat_product_key: Option<String>,
    /// The issuer's own number of it.
    pub sku: Option<String>,
    /// A code of c_ClaveUnidad.
    pub sat_unit_key: Option<String>,
    /// The unit in the issuer's words.
    pub unit: Option<String>,
    /// What is sold.
    pub description: Option<String>,
    /// How many units.
    pub quantity: Amount,
    /// The price of one unit.
    pub unit_price: Option<Amount>,
    /// Whether price and discount have the taxes inside.
    pub tax_included: Option<bool>,
    /// What is taken off.
    pub discount: Option<Amount>,
    /// A code of c_ObjetoImp.
    pub tax_object: Option<String>,
    /// Its taxes.
    pub taxes: Option<Vec<TaxRate>>,
    /// Whether these are those that it had, rather than others: then they follow whom the draft is made out to, as those of
    /// items do that are not given.
    pub taxes_follow: bool,
    /// On whose behalf it is sold.
    pub third_party: Option<ThirdParty>,
    /// Customs documents of imported goods.
    pub customs: Vec<String>,
    /// Numbers of property accounts.
    pub property_accounts: Vec<String>,
    /// What it is made up of.
    pub parts: Vec<Part>,
}

/// The key of what has none in the catalog (c_ClaveProdServ `01010101`).
pub(crate) const NO_PRODUCT_KEY: &str = "01010101";
/// A piece (c_ClaveUnidad `H87`).
pub(crate) const PIECE: &str = "H87";

/// A new draft with these fields.
///
/// # Errors
/// The fields that are missing or name nothing.
pub fn create(kind: DocumentType, fields: Fields, known: &Known) -> Result<Draft, Vec<FieldFault>> {
    let empty = Draft {
        kind,
        issuer: None,
        branch: None,
        series: String::new(),
        issued_at: None,
        customer: None,
        orders: Vec::new(),
        receiver: nobody(),
        items: Vec::new(),
        local_taxes: Vec::new(),
        payments: Vec::new(),
        payment_form: None,
        payment_method: None,
        payment_terms: None,
        currency: Currency::MXN,
        exchange_rate: None,
        export: "01".to_owned(),
        place_of_issue: None,
        confirmation: None,
        global: None,
        related: Vec::new(),
        complements: Complements::default(),
        notes: None,
        metadata: Metadata::default(),
        payment: None,
        refund: None,
        goods: None,
        cancelled_order: None,
    };
    let branch = fields.branch.or_else(|| known.branch.as_ref().map(|branch| Some(branch.id)));
    let draft = changed(empty, Fields { branch, ..fields }, known)?;
    let needs_items =
        matches!(kind, DocumentType::Income | DocumentType::Credit | DocumentType::Transfer);
    let mut faults = Vec::new();
    if needs_items && draft.items.is_empty() {
        faults.push(FieldFault::new(
            "items",
            message!(
                "must have at least one item (or name an orderId)",
                "debe tener al menos un concepto (o indique un orderId)"
            ),
        ));
    }
    if kind == DocumentType::Payment && draft.payments.is_empty() {
        faults.push(FieldFault::new(
            "payments",
            message!("must have at least one payment", "debe tener al menos un pago"),
        ));
    }
    if draft.receiver.rfc.is_empty() {
        faults.push(receiver_fault(&draft, known));
    }
    if faults.is_empty() { Ok(draft) } else { Err(faults) }
}

/// Why a draft has no receiver: the customer of its order is known, and something of them is missing.
fn receiver_fault(draft: &Draft, known: &Known) -> FieldFault {
    let customer = draft.customer.filter(|customer| known.customers.contains_key(customer));
    if let Some(Err(fault)) = customer.map(|customer| receiver_of(draft, customer, known)) {
        return fault;
    }
    FieldFault::new(
        "receiver",
        message!(
            "must be given, or a customerId with tax data",
            "es obligatorio, o bien un customerId con datos fiscales"
        ),
    )
}

/// A draft with some fields changed.
///
/// # Errors
/// The fields that name nothing, or contradict each other.
pub fn changed(draft: Draft, fields: Fields, known: &Known) -> Result<Draft, Vec<FieldFault>> {
    let mut after = draft;
    let kind = after.kind;
    let former = after.receiver.rfc.clone();
    let mut faults = misplaced::faults(kind, &fields);
    faults.extend(handed_over(&after, &fields, known));
    let place = place_of_issue(&after, known.former.as_ref().unwrap_or(&known.issuer)).to_owned();
    faults.extend(issue_at(&mut after, &fields, known));
    // The postal code of the public and of foreigners is where the document is issued (Anexo 20).
    let follows = fields.receiver.is_none() && is_generic(&after.receiver.rfc);
    if follows && after.receiver.tax_zip == place {
        after.receiver.tax_zip = place_of_issue(&after, &known.issuer).to_owned();
    }
    set(&mut after.global, fields.global);
    set(&mut after.issued_at, fields.issued_at);
    let takes_orders = fields.orders.is_some();
    let mut taken = Vec::new();
    if let Some(orders) = fields.orders.filter(|orders| *orders != after.orders) {
        match sold(kind, &orders, known) {
            Ok(sold) => {
                let is_untold = fields.payment_form.is_none() && after.payment_form.is_none();
                if let [order] = sold.as_slice()
                    && is_untold
                {
                    sales::take_payment(&mut after, fields.payment_method, order);
                }
                match take_orders(&mut after, orders, &sold, known) {
                    None => taken = sold,
                    fault => faults.extend(fault),
                }
            }
            Err(more) => faults.extend(more),
        }
    }
    let changes_receipt = takes_orders
        || fields.payments.is_some()
        || fields.receiver.is_some()
        || fields.customer.is_some()
        || fields.related.is_some();
    if let Some(payments) = fields.payments {
        after.payments = payments;
    }
    after.related = fields.related.unwrap_or(after.related);
    let addressee = Addressee {
        customer: fields.customer,
        receiver: fields.receiver,
        cfdi_use: fields.cfdi_use,
    };
    let unaddressed = make_out(&mut after, addressee, known);
    // What taxes they state depends on whom the draft is made out to.
    items::take(&mut after, &former, &taken, fields.items, known, &mut faults);
    after.local_taxes = fields.local_taxes.unwrap_or(after.local_taxes);
    faults.extend(misplaced::local_taxes_of_a_period(&after));
    after.complements = fields.complements.unwrap_or(after.complements);
    faults.extend(complements::faults(&after));
    after.series = fields.series.unwrap_or(after.series);
    set(&mut after.payment_form, fields.payment_form);
    set(&mut after.payment_method, fields.payment_method);
    set(&mut after.payment_terms, fields.payment_terms);
    after.currency = fields.currency.unwrap_or(after.currency);
    faults.extend(withheld::unstated(&after, known));
    set(&mut after.exchange_rate, fields.exchange_rate);
    after.export = fields.export.unwrap_or(after.export);
    set(&mut after.confirmation, fields.confirmation);
    set(&mut after.notes, fields.notes);
    after.metadata = fields.metadata.unwrap_or(after.metadata);
    faults.extend(unaddressed);
    complete_payment(&mut after);
    if changes_receipt {
        faults.extend(paying::faults(&after, known));
        faults.extend(credit_notes::receiver_faults(&after, known));
    }
    if faults.is_empty() { Ok(after) } else { Err(faults) }
}

/// States how a draft is paid where that goes without saying: in one go, and in parts by forms that are yet to be known.
fn complete_payment(draft: &mut Draft) {
    let is_sale = matches!(draft.kind, DocumentType::Income | DocumentType::Credit);
    if is_sale && draft.payment_method.is_none() {
        draft.payment_method = Some(PaymentMethod::Pue);
    }
    if draft.payment_method == Some(PaymentMethod::Ppd) && draft.payment_form.is_none() {
        draft.payment_form = Some("99".to_owned());
    }
}

/// Refuses to hand a draft over to an issuer of other usual taxes without telling its items: whether they were meant to
/// have those taxes nobody knows.
fn handed_over(draft: &Draft, fields: &Fields, known: &Known) -> Option<FieldFault> {
    let former = known.former.as_ref()?;
    let usual = &former.default_taxes;
    let charged = sales::charged(usual);
    let stays = fields.items.is_none() && fields.orders.is_none();
    let is_doubtful = stays
        && *usual != known.issuer.default_taxes
        && draft.items.iter().any(|item| [usual, &charged].contains(&&item.taxes));
    is_doubtful.then(|| {
        let field = if fields.issuer.is_some() { "issuerId" } else { "branchId" };
        let id = known.issuer.id;
        let problem = message!(
            "hands the draft over to {id}, which has other default taxes: give items too, with their taxes",
            "pasa el borrador a {id}, que tiene otros impuestos predeterminados: indicar también items con sus impuestos"
        );
        FieldFault::new(field, problem)
    })
}

/// Takes issuer, branch and place of issue. The series is that of the branch, or else of the issuer, and follows whenever
/// they change; so does the place of issue follow the branch, unless another is told.
fn issue_at(draft: &mut Draft, fields: &Fields, known: &Known) -> Option<FieldFault> {
    let before = (draft.issuer, draft.branch);
    draft.issuer = Some(known.issuer.id);
    draft.branch = fields.branch.unwrap_or(draft.branch);
    let found = known.branch.as_ref().filter(|known| draft.branch == Some(known.id));
    if draft.branch != before.1 && draft.branch.is_some() && found.is_none() {
        return Some(FieldFault::new("branchId", NO_BRANCH));
    }
    if draft.branch != before.1 || fields.place_of_issue == Some(None) {
        draft.place_of_issue = found.map(|branch| branch.place_of_issue.clone());
    }
    if let Some(Some(place)) = &fields.place_of_issue {
        draft.place_of_issue = Some(place.clone());
    }
    if (draft.issuer, draft.branch) != before {
        let own = found.and_then(|branch| branch.series.of(draft.kind));
        own.unwrap_or(known.issuer.series.of(draft.kind)).clone_into(&mut draft.series);
    }
    None
}

fn set<T>(field: &mut Option<T>, given: Option<Option<T>>) {
    if let Some(given) = given {
        *field = given;
    }
}

/// The field that names an order of so many.
pub(crate) fn order_field(index: usize, count: usize) -> String {
    if count == 1 { "orderId".to_owned() } else { format!("orderIds[{index}]") }
}

fn sold<'a>(
    kind: DocumentType,
    orders: &[OrderId],
    known: &'a Known,
) -> Result<Vec<&'a SoldOrder>, Vec<FieldFault>> {
    let (mut sold, mut faults) = (Vec::new(), Vec::new());
    for (index, order) in orders.iter().enumerate() {
        let field = order_field(index, orders.len());
        let is_repeated = orders.iter().take(index).any(|before| before == order);
        match known.orders.get(order) {
            Some(_) if is_repeated => {
                faults.push(FieldFault::new(
                    field,
                    message!("names an order that is named before", "repite un pedido ya indicado"),
                ));
            }
            Some(order) => match order.refused(kind) {
                Some(problem) => faults.push(FieldFault::new(field, problem)),
                None => sold.push(order),
            },
            None => faults.push(FieldFault::new(
                field,
                message!(
                    "names no order of this account",
                    "no corresponde a ningún pedido de esta cuenta"
                ),
            )),
        }
    }
    if faults.is_empty() { Ok(sold) } else { Err(faults) }
}

/// Takes currency and customer from orders, unless they cannot be invoiced together.
fn take_orders(
    draft: &mut Draft,
    ids: Vec<OrderId>,
    orders: &[&SoldOrder],
    known: &Known,
) -> Option<FieldFault> {
    let Some(first) = orders.first() else {
        draft.orders = ids;
        return None;
    };
    if orders.iter().any(|order| order.currency != first.currency) {
        let problem =
            message!("must be orders in one currency", "deben ser pedidos en una misma moneda");
        return Some(FieldFault::new("orderIds", problem));
    }
    if orders.len() > 1 && draft.global.is_none() {
        let problem = message!(
            "may name several orders only in a global invoice (with global)",
            "solo puede indicar varios pedidos en una factura global (con global)"
        );
        return Some(FieldFault::new("orderIds", problem));
    }
    draft.currency = first.currency;
    if draft.global.is_none() {
        draft.customer = Some(first.customer);
        if let Ok(receiver) = receiver_of(draft, first.customer, known) {
            draft.receiver = receiver;
        }
    }
    draft.orders = ids;
    None
}
