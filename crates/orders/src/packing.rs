//! Packing slips: what goes into the parcel with the goods.

use kernel::Language;

use crate::{Order, Shipment};

/// What a packing slip is printed from.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct Packing {
    pub order: Order,
    pub shipment: Shipment,
    /// The name of the customer, who it is for if the order names nobody else.
    pub customer: Option<String>,
    /// Name and address of the warehouse that it left, line by line.
    pub from: Vec<String>,
}

impl Packing {
    /// Who it is for and where, line by line.
    #[must_use]
    pub fn to(&self) -> Vec<String> {
        let Some(address) = &self.order.shipping_address else {
            return self.customer.clone().into_iter().collect();
        };
        let name = address.recipient.clone().or_else(|| self.customer.clone());
        let place = [&address.zip, &address.city, &address.state].into_iter().flatten();
        let place = place.map(String::as_str).collect::<Vec<_>>().join(", ");
        [
            name,
            Some(address.street.clone()),
            address.neighborhood.clone(),
            Some(place).filter(|place| !place.is_empty()),
            Some(address.country.clone()),
            address.phone.clone(),
        ]
        .into_iter()
        .flatten()
        .collect()
    }
}

/// Prints packing slips.
pub trait PackingPrinter: Send + Sync {
    /// The slip as PDF.
    ///
    /// # Errors
    /// What is wrong with this program: no shipment is a reason.
    fn packing_slip(&self, packing: &Packing, language: Language) -> Result<Vec<u8>, String>;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        OrderId, ShippingAddress, WarehouseId,
        shipments::{ShipmentId, ShipmentStatus},
        update::tests::order,
    };
    use kernel::Timestamp;

    #[test]
    fn a_parcel_is_for_whom_the_order_names_or_for_the_customer() {
        let now = Timestamp::from_micros(7);
        let shipment = Shipment {
            id: ShipmentId::from_u128(1),
            order: OrderId::from_u128(1),
            warehouse: WarehouseId::from_u128(1),
            status: ShipmentStatus::Shipped,
            lines: Vec::new(),
            carrier: None,
            tracking_number: None,
            tracking_url: None,
            created_at: now,
            updated_at: now,
            delivered_at: None,
            cancelled_at: None,
            version: 1,
        };
        let customer = Some("Ana Torres".to_owned());
        let mut packing = Packing { order: order(), shipment, customer, from: Vec::new() };
        assert_eq!(packing.to(), ["Ana Torres"]);
        let address = ShippingAddress {
            recipient: Some("Luis".to_owned()),
            phone: None,
            street: "Reforma 1".to_owned(),
            neighborhood: None,
            city: Some("CDMX".to_owned()),
            state: None,
            zip: Some("06600".to_owned()),
            country: "MX".to_owned(),
        };
        packing.order.shipping_address = Some(address);
        assert_eq!(packing.to(), ["Luis", "Reforma 1", "06600, CDMX", "MX"]);
    }
}
