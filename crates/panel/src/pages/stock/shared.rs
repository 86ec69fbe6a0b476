//! What the pages of stock share: the names of things and places, lines that are typed or scanned, and refusals.

use std::{collections::HashMap, sync::Arc};

use accounts::{Right, Scope};
use catalog::{Ean, ProductId, ProductNames, Products, product::checked_sku};
use intake::{
    Check, Faults, Form,
    checks::{id, text},
    noun, typed_number,
};
use inventory::{
    Sku, StockError, Warehouse, WarehouseId,
    adjustment::{LINES_MAX, Named},
};
use kernel::{
    AccountId, Amount, FieldFault, Language, Measure, Message, message, quantity::QUANTITY_MAX,
};

use crate::{
    call::{Call, Member},
    failure::Failure,
    pages::{reading::row_of, refusals::waits_for_upgrade},
    reply::{answered, whole},
    texts::Say,
};

/// To look at stock.
pub(super) const READ: Right = Right::read(Scope::Warehouses);
/// To change it.
pub(super) const WRITE: Right = Right::write(Scope::Warehouses);
/// The field that lines are typed into.
pub(in crate::pages) const ITEMS: &str = "items";

/// A form with nothing to fill in.
pub(in crate::pages) const CONFIRMED: Form<()> =
    Form::body("Confirmed", noun("this form", "este formulario"), |_| Some(()), "");

/// The warehouses of the account.
pub(in crate::pages) struct Places(Vec<Warehouse>);

/// Reads them.
pub(in crate::pages) async fn places(call: &Call<Member>) -> Result<Places, Failure> {
    answered(call.services().inventory.warehouses(call.account())).await.map(Places)
}

impl Places {
    /// The name of one.
    pub(in crate::pages) fn name(&self, id: WarehouseId) -> String {
        let known = self.0.iter().find(|one| one.id == id);
        known.map_or_else(|| id.to_string(), |one| one.name.clone())
    }

    /// All of them.
    pub(in crate::pages) fn all(&self) -> &[Warehouse] {
        &self.0
    }

    /// All of them, by identifier and name.
    pub(in crate::pages) fn choices(&self) -> Vec<(String, String)> {
        self.0.iter().map(|one| (one.id.to_string(), one.name.clone())).collect()
    }

    /// The same behind a choice of none, which has this name.
    pub(in crate::pages) fn choices_or(&self, none: &str) -> Vec<(String, String)> {
        let none = (String::new(), none.to_owned());
        std::iter::once(none).chain(self.choices()).collect()
    }
}

/// So many products are named at once.
const NAMED_AT_ONCE: usize = 100;

/// What products are called, by their numbers.
pub(in crate::pages) struct Goods {
    known: HashMap<u128, ProductNames>,
    /// What those are called that have left the catalog, for who may look at it.
    gone: Option<&'static str>,
}

/// The products that these are of, as far as the member may look at them.
pub(in crate::pages) async fn goods(
    call: &Call<Member>,
    skus: impl IntoIterator<Item = Sku>,
) -> Result<Goods, Failure> {
    goods_among(catalog_of(call), call.account(), call.say(), skus).await
}

/// Where products are looked up, for who may look at them.
pub(super) fn catalog_of(call: &Call<Member>) -> Option<Arc<dyn Products>> {
    let may_look = call.may(Right::read(Scope::Products));
    may_look.then(|| Arc::clone(&call.services().products))
}

/// The same among those of an account, where they are looked up.
pub(super) async fn goods_among(
    products: Option<Arc<dyn Products>>,
    account: AccountId,
    say: Say,
    skus: impl IntoIterator<Item = Sku>,
) -> Result<Goods, Failure> {
    let mut ids: Vec<_> =
        skus.into_iter().map(|sku| ProductId::from_u128(sku.product.to_u128())).collect();
    ids.sort_unstable();
    ids.dedup();
    let mut known = HashMap::new();
    let Some(products) = products else { return Ok(Goods { known, gone: None }) };
    for ids in ids.chunks(NAMED_AT_ONCE) {
        let found = answered(products.names(account, ids.to_vec())).await?;
        known.extend(found.into_iter().map(|product| (product.id.to_u128(), product)));
    }
    Ok(Goods { known, gone: Some(say.deleted_product()) })
}

impl Goods {
    /// Whether something is in the catalog.
    pub(super) fn has(&self, sku: Sku) -> bool {
        self.known.contains_key(&sku.product.to_u128())
    }

    /// The name and the SKU of something; its identifier where that is not known.
    pub(in crate::pages) fn name(&self, sku: Sku) -> (String, String) {
        let Some(product) = self.known.get(&sku.product.to_u128()) else {
            let id = sku.product.to_string();
            return match self.gone {
                Some(gone) => (gone.to_owned(), id),
                None => (id, String::new()),
            };
        };
        let Some(variant) = sku.variant else {
            return (product.name.clone(), product.sku.clone());
        };
        let known = product.variants.iter().find(|one| one.id.to_u128() == variant.to_u128());
        match known {
            Some(known) => (
                format!("{} / {}", product.name, known.name),
                known.sku.clone().unwrap_or_default(),
            ),
            None => (product.name.clone(), variant.to_string()),
        }
    }
}

/// The identifier of a warehouse.
pub(super) fn warehouse() -> impl Check<Value = WarehouseId> {
    id(noun("a warehouse", "un almacén"), WarehouseId::PREFIX, WarehouseId::parse)
}

/// A line that was typed or scanned.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::pages) struct Coded {
    pub(in crate::pages) code: String,
    pub(in crate::pages) numbers: Vec<Amount>,
}

impl Coded {
    /// What its code names: a number that is an article number is one.
    pub(in crate::pages) fn named(&self) -> Named {
        match Ean::parse(&self.code) {
            Ok(ean) => Named::Ean(ean.as_str().to_owned()),
            Err(_) => Named::Code(self.code.clone()),
        }
    }

    /// Its quantity: one where it has none.
    pub(super) fn quantity(&self) -> Result<Measure, Message> {
        let Some(number) = self.numbers.first() else { return Ok(Measure::whole(1)) };
        let measure = Measure::read(*number)?;
        match measure.abs() > Measure::whole(QUANTITY_MAX) {
            true => {
                Err(message!("must be at most {QUANTITY_MAX}", "debe ser a lo más {QUANTITY_MAX}"))
            }
            false => Ok(measure),
        }
    }

    /// The number behind its code, which must be there: what was counted is never guessed.
    pub(super) fn stated(&self) -> Result<Measure, Message> {
        match self.numbers.is_empty() {
            true => Err(message!("must have a number behind it", "debe llevar su cantidad")),
            false => self.quantity(),
        }
    }

    /// Its quantity, more than none.
    pub(super) fn some(&self) -> Result<Measure, Message> {
        match self.quantity()? {
            some if some > Measure::ZERO => Ok(some),
            _ => Err(message!("must be more than 0", "debe ser mayor que 0")),
        }
    }
}

/// Lines of a code and at most so many numbers behind it, as a spreadsheet or a scanner writes them: blanks, tabs or semicolons
/// between them.
pub(in crate::pages) fn coded(numbers: usize) -> impl Check<Value = Vec<Coded>> {
    text(move |given| read_lines(given, numbers))
}

fn read_lines(given: &str, numbers: usize) -> Result<Vec<Coded>, Message> {
    let lines = given.lines().map(str::trim).filter(|line| !line.is_empty());
    let mut lines: Vec<_> = lines.map(|line| read_line(line, numbers)).collect();
    if lines.len() > LINES_MAX {
        return Err(message!(
            "must have at most {LINES_MAX} lines",
            "debe tener a lo más {LINES_MAX} renglones"
        ));
    }
    for (place, line) in (1..).zip(&mut lines) {
        match checked_sku(&line.code) {
            Ok(code) => line.code = code,
            Err(problem) => return Err(of_line(place, &line.code, &problem)),
        }
    }
    Ok(lines)
}

fn read_line(line: &str, numbers: usize) -> Coded {
    let is_parted = line.contains(['\t', ';']);
    let mut parts: Vec<&str> = match is_parted {
        true => line.split(['\t', ';']).map(str::trim).filter(|part| !part.is_empty()).collect(),
        false => line.split_whitespace().collect(),
    };
    let mut behind = Vec::new();
    while parts.len() > 1
        && behind.len() < numbers
        && let Some(number) = parts.last().and_then(|part| Amount::parse(&typed_number(part)).ok())
    {
        behind.push(number);
        parts.pop();
    }
    behind.reverse();
    Coded { code: parts.join(" "), numbers: behind }
}

/// A line of a code and a number as it is read; nothing where it would be read as something else.
pub(super) fn typed(code: &str, number: Measure) -> Option<String> {
    let line = format!("{code}\t{number}");
    let read = read_line(&line, 1);
    let is_same = read.code == code && read.numbers == [number.amount()];
    (is_same && matches!(read.named(), Named::Code(_))).then_some(line)
}

/// A problem of a line, which says which.
pub(super) fn of_line(place: usize, code: &str, problem: &Message) -> Message {
    Message::both(|language| {
        let line = match language {
            Language::English => "line",
            Language::Spanish => "renglón",
        };
        format!("({line} {place}, {code}) {}", problem.in_language(language))
    })
}

/// What each line leads to, or what is wrong with them.
pub(in crate::pages) fn each<T>(
    lines: &[Coded],
    read: impl Fn(&Coded) -> Result<T, Message>,
) -> Result<Vec<T>, Faults> {
    let (mut all, mut faults) = (Vec::new(), Faults::new());
    for (place, line) in (1..).zip(lines) {
        match read(line) {
            Ok(one) => all.push(one),
            Err(problem) => {
                faults.push(FieldFault::new(ITEMS, of_line(place, &line.code, &problem)));
            }
        }
    }
    if faults.is_empty() { Ok(all) } else { Err(faults) }
}

/// Faults of lines that were typed, each with the line that it is of.
pub(in crate::pages) fn of_lines(faults: Faults, lines: &[Coded]) -> Faults {
    let told = |fault: FieldFault| {
        let line = row_of("items", &fault.field)
            .and_then(|(place, _)| lines.get(place).map(|line| (place, line)));
        match line {
            Some((place, line)) => {
                FieldFault::new(ITEMS, of_line(place + 1, &line.code, &fault.problem))
            }
            None => fault,
        }
    };
    faults.into_iter().map(told).collect()
}

/// Why stock stays as it is.
pub(super) fn refused(error: StockError) -> FieldFault {
    match error {
        StockError::BelowZero { field, available, committed } => FieldFault::new(
            field,
            message!(
                "takes more than the {available} that are available ({committed} are promised to orders)",
                "toma más de lo disponible, {available} ({committed} están comprometidos en pedidos)",
                available = available.amount(),
                committed = committed.amount(),
            ),
        ),
        StockError::TooManyWarehouses { max } => whole(message!(
            "The account has {max} warehouses, the maximum.",
            "La cuenta tiene {max} almacenes, el máximo."
        )),
        StockError::UpgradeUnfinished => whole(waits_for_upgrade()),
        StockError::TransferStatus { .. } => whole(message!(
            "A transfer in this state does not allow it. Look at it again.",
            "Un traspaso en este estado no lo permite. Vuelve a verlo."
        )),
        StockError::TooManyArrivals { max } => whole(message!(
            "The transfer has arrived in {max} parts, the most it may: receive all the rest at once, and tick that nothing else will come.",
            "El traspaso ya llegó en {max} partes, el máximo: recibe de una vez todo lo demás y marca que ya no llegará nada más."
        )),
        StockError::CountStatus { .. } => {
            whole(message!("The count is over.", "El conteo ya terminó."))
        }
        StockError::CountMoved { code, counted } => whole(message!(
            "Goods of {code} moved since {counted} were counted: scan all of it again, beginning anew.",
            "Hubo movimiento de {code} desde que se contaron {counted}: vuelve a escanearlo todo desde el principio.",
            counted = counted.amount(),
        )),
        StockError::CountStale { codes, lines } => {
            let codes = codes.join(", ");
            whole(message!(
                "Stock of {lines} lines was corrected since they were counted; count them again: {codes}.",
                "La existencia de {lines} renglones se corrigió después de contarlos; cuéntalos de nuevo: {codes}."
            ))
        }
        StockError::CountOvertaken { code } => whole(message!(
            "More of {code} has left since it was counted than was found. Count it again.",
            "Salió más de {code} de lo que se encontró al contar. Cuéntalo de nuevo."
        )),
        StockError::CountPromised { code, committed, orders, more } => {
            let (orders, and_more) = (orders.join(", "), if more { ", …" } else { "" });
            whole(message!(
                "{committed} of {code} are promised to orders, more than was found: {orders}{and_more}.",
                "Hay {committed} de {code} comprometidos en pedidos, más de lo encontrado: {orders}{and_more}.",
                committed = committed.amount(),
            ))
        }
        StockError::CountTooMany { code } => whole(message!(
            "More of {code} was counted than can be in stock.",
            "Se contó más de {code} de lo que puede haber en existencia."
        )),
        StockError::ReceiptCancelled => {
            whole(message!("The receipt is already cancelled.", "La entrada ya está cancelada."))
        }
        StockError::FirstWarehouse => whole(message!(
            "The account’s first warehouse cannot be deleted.",
            "El primer almacén de la cuenta no se puede eliminar."
        )),
        StockError::DefaultWarehouse => whole(message!(
            "Orders ship from this warehouse unless they name another one: make another the default first.",
            "Los pedidos se surten de este almacén si no indican otro: define antes otro como predeterminado."
        )),
        StockError::WarehouseHoldsStock { on_hand } => whole(message!(
            "There is still stock in this warehouse ({on_hand} on hand), or something is promised from it.",
            "En este almacén aún hay existencia ({on_hand}) o algo comprometido.",
            on_hand = on_hand.amount(),
        )),
        StockError::WarehouseInTransfer => whole(message!(
            "Transfers from or to this warehouse are open: end them first.",
            "Hay traspasos abiertos de o hacia este almacén: termínalos antes."
        )),
        StockError::WarehouseInCount { .. } => whole(message!(
            "This warehouse is being counted: end the count first.",
            "Este almacén se está contando: termina antes el conteo."
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str, numbers: usize) -> (String, Vec<String>) {
        let read = read_line(line, numbers);
        (read.code, read.numbers.iter().map(ToString::to_string).collect())
    }

    #[test]
    fn lines_are_read_as_scanners_and_spreadsheets_write_them() {
        for (line, numbers, code, behind) in [
            ("TAZA", 1, "TAZA", vec![]),
            ("TAZA 3", 1, "TAZA", vec!["3"]),
            ("TAZA AZUL -2.5", 1, "TAZA AZUL", vec!["-2.5"]),
            ("7501031311309", 1, "7501031311309", vec![]),
            ("7501031311309 12", 1, "7501031311309", vec!["12"]),
            ("CAMISA 42\t3", 1, "CAMISA 42", vec!["3"]),
            ("TAZA;3;45.5", 2, "TAZA", vec!["3", "45.5"]),
            ("CAMISA 42 3", 1, "CAMISA 42", vec!["3"]),
        ] {
            let behind: Vec<_> = behind.into_iter().map(str::to_owned).collect();
            assert_eq!(read(line, numbers), (code.to_owned(), behind), "{line}");
        }
    }

    #[test]
    fn lines_are_typed_as_they_are_read() {
        let three = Measure::whole(3);
        assert_eq!(typed("CAMISA 42", three).as_deref(), Some("CAMISA 42\t3"));
        let half = Measure::read(Amount::from_micros(500_000)).unwrap();
        assert_eq!(typed("7501", half).as_deref(), Some("7501\t0.5"));
        for code in ["", "7501031311309", "A;B", "A\tB", " A"] {
            assert_eq!(typed(code, three), None, "{code}");
        }
    }

    #[test]
    fn faults_of_lines_say_which() {
        let lines = read_lines("A 1\n\n  B x\n", 1).unwrap();
        assert_eq!(lines.len(), 2);
        let unknown = FieldFault::new("items[1].sku", message!("is unknown", "no existe"));
        let told = of_lines(vec![unknown], &lines);
        assert_eq!(
            (told[0].field.as_str(), told[0].problem.to_string()),
            (ITEMS, "(line 2, B x) is unknown".to_owned())
        );
        let wrong =
            each(&lines, |line| line.some().and_then(|_| Err::<(), _>(message!("no", "no"))))
                .unwrap_err();
        assert_eq!(wrong.len(), 2);
        let unstated = each(&lines, Coded::stated).unwrap_err();
        assert_eq!(unstated.len(), 1);
        let told = unstated[0].problem.to_string();
        assert_eq!(told, "(line 2, B x) must have a number behind it");
    }
}
