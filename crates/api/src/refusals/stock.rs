//! Refusals of warehouses and stock.

use inventory::StockError;
use kernel::{Language, Measure, Message, message};

use crate::error::{ApiError, Code};

impl From<StockError> for ApiError {
    fn from(error: StockError) -> Self {
        match error {
            StockError::TooManyWarehouses { max } => Self::new(
                Code::Conflict,
                message!(
                    "the account has {max} warehouses, the most it may have; delete one",
                    "la cuenta tiene {max} almacenes, el máximo permitido; elimine uno"
                ),
            ),
            StockError::UpgradeUnfinished => Self::new(
                Code::Conflict,
                message!(
                    "further warehouses and counts have to wait until the upgrade of the service is finished: run `trastienda upgrade finish`",
                    "para tener más almacenes y hacer conteos, primero debe terminarse la actualización del servicio: ejecute `trastienda upgrade finish`"
                ),
            ),
            StockError::FirstWarehouse => Self::new(
                Code::Conflict,
                message!(
                    "the first warehouse of an account cannot be deleted; give it another name instead",
                    "el primer almacén de una cuenta no se puede eliminar; mejor cámbiele el nombre"
                ),
            ),
            StockError::DefaultWarehouse => Self::new(
                Code::Conflict,
                message!(
                    "this is the default warehouse; name another one with PUT /stock/settings first",
                    "este es el almacén predeterminado; primero elija otro con PUT /stock/settings"
                ),
            ),
            StockError::WarehouseHoldsStock { on_hand } => Self::new(
                Code::Conflict,
                message!(
                    "there is stock on hand in the warehouse ({on_hand}); move it to another one first",
                    "hay existencias en el almacén ({on_hand}); primero llévelas a otro"
                ),
            ),
            StockError::TransferStatus { status, wanted } => {
                let status = status.name();
                let wanted = wanted.iter().map(|status| status.name()).collect::<Vec<_>>();
                let text = Message::both(|language| match language {
                    Language::English => {
                        let wanted = wanted.join(" or ");
                        format!(
                            "the transfer is {status}; this is only possible while it is {wanted}"
                        )
                    }
                    Language::Spanish => {
                        let wanted = wanted.join(" o ");
                        format!(
                            "el traspaso está en estado {status}; esto solo es posible en estado {wanted}"
                        )
                    }
                });
                Self::new(Code::InvalidTransition, text)
            }
            StockError::TooManyArrivals { max } => Self::new(
                Code::Conflict,
                message!(
                    "the transfer has arrived in {max} parts, the most that it may; receive the rest with \"final\": true",
                    "el traspaso ya llegó en {max} partes, el máximo permitido; reciba el resto con \"final\": true"
                ),
            ),
            StockError::WarehouseInTransfer => Self::new(
                Code::Conflict,
                message!(
                    "transfers from or to the warehouse are open; receive or cancel them first",
                    "hay traspasos abiertos desde o hacia el almacén; primero recíbalos o cancélelos"
                ),
            ),
            StockError::WarehouseInCount { count } => Self::new(
                Code::Conflict,
                message!(
                    "the warehouse is being counted: post or cancel {count} first",
                    "el almacén se está contando: primero aplique o cancele {count}"
                ),
            ),
            StockError::CountMoved { code, counted } => Self::new(
                Code::StockMoved,
                message!(
                    "{code} has moved since {counted} were counted, and nobody can tell whether what moved was among them; scan all of it again, the first time with \"restart\": true, or set it with PUT /stock/counts/{{id}}/lines",
                    "hubo movimientos de {code} desde que se contaron {counted}, y no se puede saber si estaban entre lo contado; vuelva a leer todo, la primera vez con \"restart\": true, o fíjelo con PUT /stock/counts/{{id}}/lines"
                ),
            ),
            StockError::CountStatus { status } => {
                let status = status.name();
                Self::new(
                    Code::InvalidTransition,
                    message!(
                        "the count is {status}; open another one",
                        "el conteo está en estado {status}; abra otro"
                    ),
                )
            }
            StockError::CountStale { codes, lines } => {
                let codes = codes.join(", ");
                Self::new(
                    Code::Conflict,
                    message!(
                        "stock was corrected after it was counted (lines: {lines}; {codes}); count that again",
                        "hubo correcciones de existencias después de contarlas (partidas: {lines}; {codes}); cuéntelas de nuevo"
                    ),
                )
            }
            StockError::CountOvertaken { code } => Self::new(
                Code::StockMoved,
                message!(
                    "more of {code} has left since it was counted than was found; count it again",
                    "desde que se contó {code} salió más de lo que se encontró; cuéntelo de nuevo"
                ),
            ),
            StockError::CountPromised { code, committed, orders, more } => {
                let named = |others: &str| {
                    let more = more.then(|| others.to_owned());
                    orders.iter().cloned().chain(more).collect::<Vec<_>>().join(", ")
                };
                // Only the newest are looked through.
                let (orders, pedidos) = match orders.is_empty() {
                    true => (named("older ones"), named("anteriores")),
                    false => (named("and others"), named("y otros")),
                };
                Self::new(
                    Code::InsufficientStock,
                    message!(
                        "{committed} of {code} are promised to orders ({orders}), more than were counted; cancel or move some of them, or post the other lines with items",
                        "hay {committed} de {code} apartadas para pedidos ({pedidos}), más de las contadas; cancele o mueva alguno, o aplique las demás partidas con items"
                    ),
                )
            }
            StockError::CountTooMany { code } => Self::new(
                Code::Conflict,
                message!(
                    "what was counted of {code} leads to more than can be in stock",
                    "lo contado de {code} lleva a más de lo que puede haber en existencia"
                ),
            ),
            StockError::ReceiptCancelled => Self::new(
                Code::InvalidTransition,
                message!("the receipt is cancelled already", "la entrada ya está cancelada"),
            ),
            StockError::BelowZero { field, available, committed: Measure::ZERO } => Self::new(
                Code::InsufficientStock,
                message!(
                    "{field} takes more than the {available} that are available there",
                    "{field} quita más de lo disponible ahí: {available}"
                ),
            ),
            StockError::BelowZero { field, available, committed } => Self::new(
                Code::InsufficientStock,
                message!(
                    "{field} takes more than the {available} that are available there; {committed} more are promised to orders",
                    "{field} quita más de lo disponible ahí: {available}; otras {committed} están apartadas para pedidos"
                ),
            ),
        }
    }
}
