//! The catalogs of withholdings (*Retenciones e información de pagos* 2.0) and of their complements, of catRetenciones.xsd
//! and CatPlataformasTecnologicas.xsd.
//!
//! Months (c_Periodo) and fiscal years (c_Ejercicio) are numbers, see
//! [`Period`](crate::withholding::Period); taxes are those of [invoices](super::taxes).

pub mod countries;
pub mod dividends;
pub mod kinds;
pub mod payees;
pub mod payment_kinds;
pub mod periodicities;
pub mod service_payments;
pub mod service_subtypes;
pub mod services;
pub mod states;
