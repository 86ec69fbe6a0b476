//! Orders: how they are placed and what may become of them.
//!
//! Plain types and rules. [`place()`] checks a [`PlaceOrder`] against what is [offered](Offer);
//! [`update()`] moves an order through its life. Both state an outcome that whoever keeps the orders
//! records as a whole: rows, reserved stock, events.
//!
//! The catalog's words reach this crate as plain values, so that it can be used without the catalog.

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

pub use allocate::{OutOfStock, Taken, allocate};
pub use concessions::Concessions;
pub use left::{Left, LeftLine};
pub use order::{
    CustomerGroupId, CustomerId, Item, ItemSku, Order, OrderId, PriceListId, WarehouseId, id_in,
    number_in, number_text,
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
