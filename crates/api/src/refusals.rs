//! Every refusal of the domains as an answer: which code, and a sentence that names the fix.

mod api_keys;
mod approvals;
mod categories;
mod deals;
mod imports;
mod invoices;
mod jobs;
mod links;
mod payments;
mod price_lists;
mod quotes;
mod reading;
mod reallocations;
mod returns;
mod shipments;
mod stock;
mod withholdings;

use std::fmt::Display;

use actix_web::http::header::RETRY_AFTER;
use catalog::ProductError;
use crm::{CustomerError, LeadError, LeadStatus};
use intake::{Noun, noun};
use kernel::{Fault, Measure, Refused, message};
use orders::{OrderStatus, PlaceError, UpdateError};
use webhooks::WebhookError;

use crate::error::{ApiError, Code};

pub(crate) use self::approvals::may_not_approve;
pub use self::approvals::told;
#[cfg(test)]
pub(crate) use invoices::findings;
pub(crate) use payments::card_data;
pub(crate) use reading::{unreadable_body, unreadable_query};

impl<E: Into<ApiError>> From<Refused<E>> for ApiError {
    fn from(refused: Refused<E>) -> Self {
        match refused {
            Refused::Rule(rule) => rule.into(),
            Refused::Invalid(faults) => Self::of_faults(&faults),
            Refused::NotFound => crate::reply::not_found(),
            Refused::Stale => crate::reply::stale(),
            Refused::KeyReused => Self::new(
                Code::IdempotencyKeyReused,
                message!(
                    "this Idempotency-Key was used with another request; use a new key for a new request",
                    "esta Idempotency-Key se usó con otra solicitud; use una clave nueva para una \
                     solicitud nueva"
                ),
            ),
            Refused::AnswerUnreadable => Self::new(
                Code::IdempotencyAnswerUnreadable,
                message!(
                    "a request with this Idempotency-Key has already been carried out, but its answer can no longer be read; read the resource instead of sending the request with another key",
                    "ya se atendió una solicitud con esta Idempotency-Key, pero su respuesta ya no se puede leer; consulte el recurso en lugar de enviar la solicitud con otra clave"
                ),
            ),
            Refused::Busy => busy(),
            Refused::Fault(fault) => fault.into(),
        }
    }
}

impl From<Fault> for ApiError {
    fn from(fault: Fault) -> Self {
        match fault {
            Fault::Unavailable(cause) => Self::unavailable(
                message!(
                    "the database cannot be reached or is too busy; try again, a write with the same \
                     Idempotency-Key",
                    "la base de datos no está disponible o está saturada; intente de nuevo, y si es \
                     una escritura, con la misma Idempotency-Key"
                ),
                cause,
            ),
            Fault::Internal(cause) => Self::internal(cause),
        }
    }
}

/// The line of an account that waits for its share of a kind of work is too long, or moves too slowly.
fn busy() -> ApiError {
    let message = message!(
        "too many requests of this kind are under way for this account, and others wait for them; nothing was done: \
         send fewer at once, and try again later",
        "hay demasiadas solicitudes de este tipo en curso para esta cuenta, y otras esperan su turno; no se hizo nada: \
         envíe menos a la vez e intente más tarde"
    );
    ApiError::new(Code::RateLimited, message).with(RETRY_AFTER, 5.into())
}

fn external_id_taken(external_id: &str, noun: Noun, holder: impl Display) -> ApiError {
    let Noun { english, spanish } = noun;
    ApiError::new(
        Code::DuplicateExternalId,
        message!(
            "the externalId {external_id:?} belongs to {english} {holder}",
            "el externalId {external_id:?} ya lo tiene {spanish} {holder}"
        ),
    )
}

impl From<ProductError> for ApiError {
    fn from(error: ProductError) -> Self {
        match error {
            ProductError::DuplicateExternalId { external_id, holder } => {
                external_id_taken(&external_id, noun("product", "el producto"), holder)
            }
            ProductError::DuplicateSku { sku, holder } => Self::new(
                Code::DuplicateSku,
                message!(
                    "the SKU {sku:?} belongs to product {holder}; choose another",
                    "el SKU {sku:?} pertenece al producto {holder}; elija otro"
                ),
            ),
            ProductError::InsufficientStock { field, available } => Self::new(
                Code::InsufficientStock,
                message!(
                    "{field} takes more than the {available} in stock",
                    "{field} quita más de lo que hay: {available} en existencia"
                ),
            ),
            ProductError::VariantHoldsStock { id, on_hand } => Self::new(
                Code::Conflict,
                message!(
                    "variant {id} has {on_hand} in stock, including what is promised to orders, in transit or in quarantine; take \
                     them out of stock first, or remove the variant together with its stock (\"force\": true in a PATCH, \
                     ?force=true in a DELETE)",
                    "la variante {id} tiene {on_hand} en existencia, incluido lo apartado para pedidos, en tránsito o en \
                     cuarentena; primero dele salida, o elimine la variante con todo y existencia (\"force\": true en un \
                     PATCH, ?force=true en un DELETE)"
                ),
            ),
            ProductError::QuantityDecimalsFixed { decimals } => Self::new(
                Code::DecimalsFixed,
                message!(
                    "quantityDecimals stays {decimals}: stock of the product has moved, or a price list, an open transfer or an open count has some of it; create another product",
                    "quantityDecimals se queda en {decimals}: el producto ya tuvo movimientos de existencias, o está en una lista de precios, un traspaso o un conteo abierto; cree otro producto",
                    decimals = decimals.count()
                ),
            ),
            ProductError::UpgradeUnfinished => Self::new(
                Code::Conflict,
                message!(
                    "quantities with decimals have to wait until the upgrade of the service is finished: run `trastienda upgrade finish`",
                    "para tener cantidades con decimales, primero debe terminarse la actualización del servicio: ejecute `trastienda upgrade finish`"
                ),
            ),
            ProductError::HasAverageCost { variant, cost, currency } => {
                let named = |word| variant.map_or_else(String::new, |id| format!(" {word} {id}"));
                let (of_variant, de_variante) = (named("of variant"), named("de la variante"));
                Self::new(
                    Code::Conflict,
                    message!(
                        "the average cost{of_variant} is {cost} {currency} and means nothing in another currency: set it to null with \
                         POST /stock/costs, change the currency, then set the cost again",
                        "el costo promedio{de_variante} es {cost} {currency} y no vale en otra moneda: déjelo en null con \
                         POST /stock/costs, cambie la moneda y vuelva a fijar el costo"
                    ),
                )
            }
        }
    }
}

impl From<PlaceError> for ApiError {
    fn from(error: PlaceError) -> Self {
        match error {
            PlaceError::DuplicateExternalId { external_id, holder } => {
                external_id_taken(&external_id, noun("order", "el pedido"), holder)
            }
            PlaceError::OutOfStock(demand) => {
                let variant = demand.sold.variant;
                let named = |word| variant.map_or_else(String::new, |id| format!(", {word} {id}"));
                let (variant, variante) = (named("variant"), named("variante"));
                let elsewhere = demand.elsewhere;
                let (others, otros) = match elsewhere {
                    Measure::ZERO => (String::new(), String::new()),
                    _ => (
                        format!("; other warehouses have {elsewhere}"),
                        format!("; otros almacenes tienen {elsewhere}"),
                    ),
                };
                Self::new(
                    Code::InsufficientStock,
                    message!(
                        "SKU {sku:?} has {available} in stock, {asked} were asked for (product {product}{variant}){others}",
                        "el SKU {sku:?} tiene {available} en existencia y se pidieron {asked} \
                         (producto {product}{variante}){otros}",
                        sku = demand.sku,
                        available = demand.available,
                        asked = demand.asked,
                        product = demand.sold.product
                    ),
                )
            }
        }
    }
}

impl From<UpdateError> for ApiError {
    fn from(error: UpdateError) -> Self {
        match error {
            UpdateError::DuplicateExternalId { external_id, holder } => {
                external_id_taken(&external_id, noun("order", "el pedido"), holder)
            }
            UpdateError::InvalidTransition { from, to, allowed } => {
                let (from, to, names) = (from.name(), to.name(), names(allowed));
                let message = match allowed {
                    [] => message!(
                        "an order that is {from} cannot become {to}; it stays as it is",
                        "un pedido con estado {from} no puede pasar a {to}; se queda como está"
                    ),
                    _ => message!(
                        "an order that is {from} cannot become {to}; allowed: {names}",
                        "un pedido con estado {from} no puede pasar a {to}; permitidos: {names}"
                    ),
                };
                Self::new(Code::InvalidTransition, message)
            }
            UpdateError::RefundNeeded { paid } => Self::new(
                Code::Conflict,
                message!(
                    "{paid} was paid for the order: cancelling it means refunding that; send \
                     \"refund\": true to do so",
                    "se pagaron {paid} del pedido: al cancelarlo hay que devolverlos; envíe \
                     \"refund\": true para hacerlo"
                ),
            ),
            UpdateError::HasShipments => Self::new(
                Code::HasShipments,
                message!(
                    "goods of the order are on their way: cancel its shipments first, or record what never leaves as a return with \"unshipped\": true",
                    "hay mercancía del pedido en camino: primero cancele sus envíos, o registre lo que ya no saldrá como devolución con \"unshipped\": true"
                ),
            ),
            UpdateError::FulfillmentFollows => Self::new(
                Code::Conflict,
                message!(
                    "fulfillmentStatus follows from the shipments of the order; ship the rest or cancel one of them",
                    "fulfillmentStatus se deriva de los envíos del pedido; envíe el resto o cancele alguno"
                ),
            ),
            UpdateError::FulfillmentContradicts { status, wanted } => Self::new(
                Code::Conflict,
                message!(
                    "the fulfillmentStatus of an order that is {status} cannot become {wanted}",
                    "el fulfillmentStatus de un pedido con estado {status} no puede pasar a {wanted}",
                    status = status.name(),
                    wanted = wanted.name()
                ),
            ),
        }
    }
}

fn names(statuses: &[OrderStatus]) -> String {
    statuses.iter().map(|status| status.name()).collect::<Vec<_>>().join(", ")
}

impl From<CustomerError> for ApiError {
    fn from(error: CustomerError) -> Self {
        match error {
            CustomerError::DuplicateExternalId { external_id, holder } => {
                external_id_taken(&external_id, noun("customer", "el cliente"), holder)
            }
            CustomerError::DuplicateEmail { email, holder } => Self::new(
                Code::DuplicateEmail,
                message!(
                    "the email {email:?} belongs to customer {holder}; change that one",
                    "el correo {email:?} pertenece al cliente {holder}; modifique ese"
                ),
            ),
            CustomerError::Referenced => Self::new(
                Code::Conflict,
                message!(
                    "orders, deals, quotes or invoices name this customer, so it cannot be deleted",
                    "hay pedidos, oportunidades, cotizaciones o facturas de este cliente, por lo que no se puede eliminar"
                ),
            ),
        }
    }
}

impl From<LeadError> for ApiError {
    fn from(error: LeadError) -> Self {
        match error {
            LeadError::DuplicateExternalId { external_id, holder } => {
                external_id_taken(&external_id, noun("lead", "el prospecto"), holder)
            }
            LeadError::InvalidTransition { from, to } => {
                let fix = match (from, to) {
                    (LeadStatus::Converted, _) => noun("it stays converted", "se queda convertido"),
                    (LeadStatus::Lost, LeadStatus::Converted) => noun(
                        "set its status to qualified first",
                        "primero cambie su estado a qualified",
                    ),
                    _ => noun("POST to its /convert instead", "use POST en su /convert"),
                };
                let (from, to) = (from.name(), to.name());
                let Noun { english, spanish } = fix;
                let message = message!(
                    "a lead that is {from} cannot become {to}; {english}",
                    "un prospecto con estado {from} no puede pasar a {to}; {spanish}"
                );
                Self::new(Code::InvalidTransition, message)
            }
            LeadError::Merged { lead, into } => Self::new(
                Code::Conflict,
                message!(
                    "the lead {lead} has become part of the lead {into}; go on with that one",
                    "el prospecto {lead} ya es parte del prospecto {into}; continúe con ese"
                ),
            ),
            LeadError::SeveralConverted { leads } => {
                let leads = leads.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
                let message = message!(
                    "several of the leads were converted, each to a deal of its own: {leads}; merge at most one such lead",
                    "varios de los prospectos ya se convirtieron, cada uno en su oportunidad: {leads}; combine a lo más uno así"
                );
                Self::new(Code::Conflict, message)
            }
            LeadError::CustomerDeleted { deal, customer } => Self::new(
                Code::Conflict,
                message!(
                    "the lead was converted to the deal {deal}, whose customer {customer} has been deleted",
                    "el prospecto se convirtió en la oportunidad {deal}, cuyo cliente {customer} ya fue eliminado"
                ),
            ),
        }
    }
}

impl From<WebhookError> for ApiError {
    fn from(error: WebhookError) -> Self {
        match error {
            WebhookError::TooMany { max } => Self::new(
                Code::Conflict,
                message!(
                    "the account has {max} webhooks, the most it may have; delete one",
                    "la cuenta tiene {max} webhooks, el máximo permitido; elimine uno"
                ),
            ),
            WebhookError::Disabled => Self::new(
                Code::WebhookDisabled,
                message!(
                    "the webhook is disabled; POST to its /enable first",
                    "el webhook está deshabilitado; primero use POST en su /enable"
                ),
            ),
            WebhookError::InProgress => Self::new(
                Code::Conflict,
                message!(
                    "an attempt of the delivery is under way; wait for its outcome",
                    "hay un intento de la entrega en curso; espere su resultado"
                ),
            ),
            WebhookError::EventGone => Self::new(
                Code::EventGone,
                message!(
                    "the event is too old to be delivered again: its body is not kept any more",
                    "el evento es demasiado antiguo para entregarse de nuevo: su contenido ya no se \
                     conserva"
                ),
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use kernel::{FieldFault, Language, Message};

    use super::*;

    #[test]
    fn sentences_name_the_fix() {
        let refused = UpdateError::InvalidTransition {
            from: OrderStatus::Shipped,
            to: OrderStatus::Cancelled,
            allowed: OrderStatus::Shipped.allowed(false),
        };
        let error = ApiError::from(Refused::Rule(refused));
        assert_eq!(
            (error.code, error.message.to_string().as_str()),
            (
                Code::InvalidTransition,
                "an order that is shipped cannot become cancelled; allowed: paid, delivered"
            )
        );
    }

    #[test]
    fn causes_stay_inside() {
        let error = ApiError::from(Fault::Internal("a secret of the database".to_owned()));
        let body = error.to_json(Language::Spanish);
        assert!(!String::from_utf8_lossy(&body).contains("secret"));
        assert_eq!(error.cause.as_deref(), Some("a secret of the database"));
    }

    #[test]
    fn faults_of_the_domain_are_named() {
        let refused = Refused::<PlaceError>::Invalid(vec![FieldFault::new(
            "customerId",
            message!("names nobody", "no corresponde a nadie"),
        )]);
        let message = ApiError::from(refused).message;
        assert_eq!(
            message,
            Message::fixed("customerId names nobody", "customerId no corresponde a nadie")
        );
    }
}
