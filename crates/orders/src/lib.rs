//! Orders: how they are placed and what may become of them.
//!
//! Plain types and rules. [`place()`] checks a [`PlaceOrder`] against what is [offered](Offer);
//! [`update()`] moves an order through its life. Both state an outcome that whoever keeps the orders
//! records as a whole: rows, reserved stock, events.
//!
//! What is known of the catalog reaches this crate as plain values, so that it can be used without the catalog:
//!
//! ```
//! use kernel::{Amount, Currency, Decimals, Measure, Timestamp};
//! use orders::{
//!     CustomerId, ItemSku, Offer, OrderId, PlaceItem, PlaceOrder, PriceBook, Sources, WarehouseId,
//!     order::ItemProductId, place, totals::usual_taxes,
//! };
//!
//! let coffee = ItemSku { product: ItemProductId::from_u128(1), variant: None };
//! let offer = Offer {
//!     sold: coffee,
//!     name: "Café de olla 250 g".to_owned(),
//!     sku: "CAFE-250".to_owned(),
//!     price: Amount::parse("89.90")?,
//!     listed: Vec::new(),
//!     currency: Currency::MXN,
//!     tax_included: true,
//!     taxes: Vec::new(),
//!     decimals: Decimals::Zero,
//!     available: 10,
//!     elsewhere: 0,
//!     others: Vec::new(),
//!     unit_cost: None,
//!     threshold: 5,
//!     on_sale: true,
//! };
//! let shelf = WarehouseId::from_u128(1);
//! let sources = Sources { first: shelf, from: &[shelf] };
//! let taxes = usual_taxes(None);
//! let order = |pieces: i64| {
//!     let items = vec![PlaceItem::new(coffee, Measure::whole(pieces))];
//!     let command = PlaceOrder::new(CustomerId::from_u128(1), items);
//!     let offered = |wanted: ItemSku| (wanted == coffee).then_some(&offer);
//!     let (id, now) = (OrderId::from_u128(1), Timestamp::from_micros(0));
//!     place(&command, offered, sources, PriceBook::default(), (&taxes, None), (id, 1), now)
//! };
//!
//! let placed = order(3).expect("there are ten");
//! assert_eq!(placed.order.total, Amount::parse("269.70")?);
//! assert!(order(12).is_err());
//! # Ok::<(), kernel::Message>(())
//! ```

pub mod allocate;
mod concessions;
pub mod events;
pub mod left;
pub mod order;
pub mod packing;
pub mod paying;
pub mod place;
pub mod reallocate;
pub mod returns;
pub mod service;
pub mod shipments;
pub mod status;
pub mod terms;
pub mod timeline;
pub mod totals;
pub mod update;
pub mod withheld;

pub use allocate::{OutOfStock, Taken, allocate};
pub use concessions::Concessions;
pub use left::{Left, LeftLine};
pub use order::{
    CustomerGroupId, CustomerId, InvoiceId, Item, ItemSku, Order, OrderId, PriceListId,
    WarehouseId, id_in, number_in, number_text,
};
pub use paying::{PaymentStatus, Received};
pub use place::{
    Agreed, Demand, LowStock, Offer, PlaceDiscount, PlaceError, PlaceItem, PlaceOrder,
    PlaceShipping, Placed, PriceBook, PriceList, Reservation, Sources, place,
};
pub use pricing::lists::{ListTerms, ListedPrice};
pub use reallocate::{ReallocateError, Reallocation};
pub use returns::{
    NewReturn, Return, ReturnError, ReturnId, ReturnItems, ReturnLine, Returned, ReturnedGoods,
};
pub use service::{OrderFilter, OrderQuery, Orders, Portion, ReviseOrder};
pub use shipments::{NewShipment, ReviseShipment, Shipment, ShipmentError, ShipmentId};
pub use status::{FulfillmentStatus, OrderStatus};
pub use terms::{Discount, Discounted, OrderDiscount, Shipping, ShippingAddress};
pub use update::{OrderChanges, UpdateError, Updated, update};
pub use withheld::WithheldStated;
