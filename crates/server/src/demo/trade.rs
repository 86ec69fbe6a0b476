//! What has happened in the demo shop: customers, orders in every state, leads, drafts of invoices, a webhook.

use anyhow::Context;
use catalog::Product;
use cfdi::document::DocumentType;
use crm::{
    CustomerFilter, CustomerId, CustomerQuery, Customers, LeadStatus, Leads, NewCustomer, NewLead,
};
use invoices::{Fields, Invoices, NewInvoice};
use kernel::{AccountId, Amount, Ctx, Currency, Measure, Metadata, Timestamp};
use orders::{
    Discount, ItemSku, Order, OrderChanges, OrderFilter, OrderQuery, OrderStatus, Orders,
    PlaceDiscount, PlaceItem, PlaceOrder, PlaceShipping, ReviseOrder, order::ItemProductId,
};
use store::Store;
use webhooks::{NewSubscription, Topics, Webhooks};

use super::{sales, shop::GONE};
use crate::answers::{read, written};

const ORDERS: usize = 60;
/// Fewer pieces are left for whoever tries the demo out.
const STOCK_MIN: i64 = 24;
/// Where nothing is ever sent: the webhook is disabled.
const WEBHOOK_URL: &str = "https://example.com/webhooks/trastienda";

/// Name, email address and telephone number.
const CUSTOMERS: [(&str, &str, &str); 11] = [
    ("Ana López Rivera", "ana.lopez@example.com", "+525555010101"),
    ("Jorge Hernández", "jorge.hernandez@example.com", "+528181020202"),
    ("María Fernanda Cruz", "mafer.cruz@example.com", "+523331030303"),
    ("Luis Ángel Torres", "luis.torres@example.com", "+522221040404"),
    ("Rosa Isela Núñez", "rosa.nunez@example.com", "+529991050505"),
    ("Pedro Páramo", "pedro.paramo@example.com", "+523121060606"),
    ("Sofía Reyes", "sofia.reyes@example.com", "+524421070707"),
    ("Diego Castañeda", "diego.castaneda@example.com", "+526641080808"),
    ("Guadalupe Ortiz", "lupita.ortiz@example.com", "+527771090909"),
    ("Cafetería La Ñ", "compras@lan.example.com", "+522281101010"),
    ("Tiendita Doña Chuy", "chuy@example.com", "+524491111111"),
];

/// Name, company, status and tags.
const LEADS: [(&str, Option<&str>, LeadStatus, &[&str]); 6] = [
    ("Hotel Casa Azul", Some("Casa Azul, S.A. de C.V."), LeadStatus::Qualified, &["mayoreo"]),
    ("Escuela Benito Juárez", None, LeadStatus::Contacted, &["cooperativa"]),
    ("Marisol Vega", None, LeadStatus::New, &["web"]),
    ("Fonda El Portal", Some("El Portal"), LeadStatus::New, &["mayoreo", "centro"]),
    ("Óscar Medina", None, LeadStatus::Lost, &["web"]),
    ("Papelería Lápiz", Some("Lápiz y Papel"), LeadStatus::Contacted, &["feria"]),
];

/// The steps by which an order comes to each state.
const LIVES: [&[OrderStatus]; 6] = [
    &[],
    &[OrderStatus::Paid],
    &[OrderStatus::Paid, OrderStatus::Shipped],
    &[OrderStatus::Paid, OrderStatus::Shipped, OrderStatus::Delivered],
    &[OrderStatus::Cancelled],
    &[OrderStatus::Paid, OrderStatus::Shipped, OrderStatus::Delivered],
];

struct Trade<'a> {
    store: &'a Store,
    account: AccountId,
    now: Timestamp,
}

/// Makes what is missing, unless the last order is there: then all has been, and what is missing was taken away.
pub(super) fn prepare(
    store: &Store,
    account: AccountId,
    customer: CustomerId,
    products: &[Product],
    now: Timestamp,
) -> anyhow::Result<()> {
    let trade = Trade { store, account, now };
    if trade.order(ORDERS)?.is_some() {
        return Ok(());
    }
    let mut customers = vec![customer];
    for (number, details) in CUSTOMERS.iter().enumerate() {
        customers.push(trade.customer(number + 2, details)?);
    }
    let sold: Vec<&Product> =
        products.iter().filter(|product| product.inventory >= Measure::whole(STOCK_MIN)).collect();
    let is_new = trade.order(1)?.is_none();
    for number in 1..=ORDERS {
        if trade.order(number)?.is_none() {
            trade.trade(number, &customers, &sold)?;
        }
    }
    if is_new {
        trade.leads()?;
        sales::prepare(store, account, customer, &sold, now)?;
        trade.webhook()?;
    }
    Ok(())
}

fn external_id(of: &str, number: usize) -> Option<String> {
    Some(format!("demo-{of}-{number:02}"))
}

impl Trade<'_> {
    fn ctx(&self) -> Ctx {
        Ctx::system(self.account, self.now)
    }

    fn order(&self, number: usize) -> anyhow::Result<Option<Order>> {
        let filter =
            OrderFilter { external_id: external_id("pedido", number), ..OrderFilter::default() };
        let query = OrderQuery { filter, ..OrderQuery::default() };
        let orders: &dyn Orders = self.store;
        Ok(read(orders.list(self.account, query))?.items.into_iter().next())
    }

    fn customer(
        &self,
        number: usize,
        (name, email, phone): &(&str, &str, &str),
    ) -> anyhow::Result<CustomerId> {
        let customers: &dyn Customers = self.store;
        let external_id = external_id("cliente", number);
        let filter =
            CustomerFilter { external_id: external_id.clone(), ..CustomerFilter::default() };
        let query = CustomerQuery { filter, ..CustomerQuery::default() };
        let known = read(customers.list(self.account, query))?.items.into_iter().next();
        if let Some(customer) = known {
            return Ok(customer.id);
        }
        let command = NewCustomer {
            external_id,
            name: (*name).to_owned(),
            email: Some((*email).to_owned()),
            phone: Some((*phone).to_owned()),
            rfc: None,
            legal_name: None,
            tax_regime: None,
            tax_zip: None,
            cfdi_use: None,
            tax_residence: None,
            foreign_tax_id: None,
            group: None,
            addresses: Vec::new(),
            metadata: Metadata::default(),
        };
        Ok(written(customers.create(self.ctx(), command), GONE)?.id)
    }

    /// Places an order and takes it through its life; the first delivered ones of the customer with an RFC are to be
    /// invoiced.
    fn trade(
        &self,
        number: usize,
        customers: &[CustomerId],
        sold: &[&Product],
    ) -> anyhow::Result<()> {
        let orders: &dyn Orders = self.store;
        let customer = pick(customers, number)?;
        let customer = orders::CustomerId::from_u128(customer.to_u128());
        let lines = 1 + number % 3;
        let items = (0..lines).map(|line| {
            let product = pick(sold, number * 7 + line * 11)?;
            let product = ItemProductId::from_u128(product.id.to_u128());
            let quantity = 1 + (number + line) as i64 % 3;
            Ok(PlaceItem::new(ItemSku { product, variant: None }, Measure::whole(quantity)))
        });
        let command = PlaceOrder {
            external_id: external_id("pedido", number),
            discount: number.is_multiple_of(6).then(|| PlaceDiscount {
                asked: Discount::Percent(Amount::from_micros(10_000_000)),
                reason: Some("Cliente frecuente".to_owned()),
            }),
            shipping: number.is_multiple_of(4).then(|| PlaceShipping {
                name: "Estafeta Express".to_owned(),
                amount: Amount::from_micros(99_000_000),
                taxes: None,
            }),
            channel: Some(if number.is_multiple_of(3) { "tienda" } else { "web" }.to_owned()),
            notes: number.is_multiple_of(10).then(|| "Entregar por la tarde".to_owned()),
            ..PlaceOrder::new(customer, items.collect::<anyhow::Result<_>>()?)
        };
        let order = written(orders.place(self.ctx(), command), GONE)?;
        let life = pick(&LIVES, number)?;
        for status in *life {
            let shipped = *status == OrderStatus::Shipped;
            let changes = OrderChanges {
                status: Some(*status),
                reason: (*status == OrderStatus::Cancelled)
                    .then(|| "El cliente cambió de opinión".to_owned()),
                carrier: shipped.then(|| Some("Estafeta".to_owned())),
                tracking_number: shipped.then(|| Some(format!("70{number:010}"))),
                ..OrderChanges::default()
            };
            let command = ReviseOrder { id: order.id, version: None, changes };
            written(orders.update(self.ctx(), command), GONE)?;
        }
        if number.is_multiple_of(customers.len()) && life.last() != Some(&OrderStatus::Cancelled) {
            let invoices: &dyn Invoices = self.store;
            let fields = Fields {
                orders: Some(vec![invoices::OrderId::from_u128(order.id.to_u128())]),
                payment_form: Some(Some("01".to_owned())),
                ..Fields::default()
            };
            let command = NewInvoice { kind: DocumentType::Income, fields, is_to_stamp: false };
            written(invoices.create(self.ctx(), command), GONE)?;
        }
        Ok(())
    }

    fn leads(&self) -> anyhow::Result<()> {
        let leads: &dyn Leads = self.store;
        for (name, company, status, tags) in LEADS {
            let command = NewLead {
                external_id: None,
                name: name.to_owned(),
                email: None,
                phone: None,
                company: company.map(str::to_owned),
                source: Some("demo".to_owned()),
                status,
                estimated_value: Amount::parse("15000").ok(),
                currency: Currency::MXN,
                owner: None,
                notes: None,
                tags: tags.iter().map(|tag| (*tag).to_owned()).collect(),
                metadata: Metadata::default(),
            };
            written(leads.create(self.ctx(), command), GONE)?;
        }
        Ok(())
    }

    fn webhook(&self) -> anyhow::Result<()> {
        let webhooks: &dyn Webhooks = self.store;
        let command = NewSubscription {
            url: WEBHOOK_URL.to_owned(),
            events: Topics::all(),
            description: Some("Ejemplo, deshabilitado".to_owned()),
        };
        let issued = written(webhooks.create(self.ctx(), command), GONE)?;
        written(webhooks.disable(self.ctx(), issued.subscription.id), GONE)?;
        Ok(())
    }
}

fn pick<T>(all: &[T], number: usize) -> anyhow::Result<&T> {
    let place = number.checked_rem(all.len()).context("the demo has nothing to choose from")?;
    all.get(place).context("the demo has too little to choose from")
}
