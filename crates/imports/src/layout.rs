//! Which column of a table holds what.

use std::collections::{BTreeMap, HashMap};

use kernel::{Message, message, text::letters_and_digits};

use crate::{
    Cell, Column, Dialect, ImportKind, Mode, as_it_came,
    corrected::{CODES, is_of_refused},
};

/// What a request says of columns by their names: what they hold, or `None` that they are to be left alone.
pub type Mapping = BTreeMap<String, Option<Column>>;

/// Which column of a table holds what.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    /// What rows are about.
    pub kind: ImportKind,
    /// Whose columns they are.
    pub dialect: Dialect,
    header: Vec<String>,
    places: HashMap<Column, usize>,
    unused: Vec<String>,
}

/// What is wrong with the columns of a table, or with what a request says of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LayoutFault {
    /// A mapping names a column that the table does not have.
    NoSuchColumn {
        /// The name.
        name: String,
        /// Those that it has.
        header: Vec<String>,
    },
    /// Two columns hold the same.
    Twice {
        /// What they hold.
        column: Column,
        /// The names of both.
        names: [String; 2],
    },
    /// Nothing tells what rows are about.
    NoKey {
        /// What may tell.
        keys: &'static [Column],
        /// The columns that there are.
        header: Vec<String>,
    },
    /// What is needed is not there.
    Missing {
        /// What is.
        column: Column,
    },
}

impl LayoutFault {
    /// What to do about it, as a sentence without its full stop.
    #[must_use]
    pub fn message(&self) -> Message {
        match self {
            Self::NoSuchColumn { name, header } => message!(
                "mapping names the column {name:?}, which the file does not have; it has: {header}",
                "mapping nombra la columna {name:?}, que el archivo no tiene; tiene: {header}",
                header = header.join(", ")
            ),
            Self::Twice { column, names: [first, second] } => message!(
                "the columns {first:?} and {second:?} both hold {field}: leave one of them alone, such as \
                 mapping[{second}]=none",
                "las columnas {first:?} y {second:?} contienen {field}: dejar una sin leer, por ejemplo \
                 mapping[{second}]=none",
                field = column.name()
            ),
            Self::NoKey { keys, header } => {
                let (keys, header) = (listed(keys, " / "), header.join(", "));
                message!(
                    "the first row must have the names of the columns, with one for {keys}; it has: {header}",
                    "la primera fila debe tener los nombres de las columnas, con una para {keys}; tiene: {header}"
                )
            }
            Self::Missing { column } => message!(
                "for such an import the file needs a column for {field}",
                "para esta importación el archivo necesita una columna para {field}",
                field = column.name()
            ),
        }
    }
}

impl Layout {
    /// What the columns of a header hold, by their names and what a request says.
    ///
    /// # Errors
    /// All that is wrong with them.
    pub fn of(
        kind: ImportKind,
        header: &[String],
        mapping: &Mapping,
        mode: Mode,
    ) -> Result<Self, Vec<LayoutFault>> {
        let (layout, mut faults) = Self::found(kind, header, mapping);
        faults.extend(layout.lacking(mode));
        if faults.is_empty() { Ok(layout) } else { Err(faults) }
    }

    /// What each column of a header is taken for by the names alone, in their order: also of a table that cannot be imported so.
    #[must_use]
    pub fn guessed(kind: ImportKind, header: &[String]) -> Vec<Option<Column>> {
        let (layout, _) = Self::found(kind, header, &Mapping::new());
        (0..header.len()).map(|place| layout.held_at(place)).collect()
    }

    /// What columns hold, and what is wrong with that but for what is not there.
    fn found(kind: ImportKind, header: &[String], mapping: &Mapping) -> (Self, Vec<LayoutFault>) {
        let names = as_they_came(header);
        let header = names.as_slice();
        let folded: Vec<String> = header.iter().map(|name| letters_and_digits(name)).collect();
        let dialect = Dialect::of(kind, &folded);
        let mut faults = Vec::new();
        let said = said(header, &folded, mapping, &mut faults);
        let mut layout = Self {
            kind,
            dialect,
            header: header.to_vec(),
            places: HashMap::new(),
            unused: Vec::new(),
        };
        for (place, column) in &said {
            let Some(column) = column else { continue };
            layout.put(*column, *place, &mut faults);
        }
        let mapped: Vec<Column> = layout.places.keys().copied().collect();
        let open = folded.iter().enumerate().filter(|(place, _)| !said.contains_key(place));
        let open: Vec<String> = open.map(|(_, name)| name.clone()).collect();
        for (place, name) in header.iter().enumerate() {
            if said.contains_key(&place) {
                continue;
            }
            match dialect.column(kind, name) {
                // What an earlier import has said is no field, but for its codes nobody reads it.
                Some(Column::Report) if name.trim() == CODES => {
                    layout.places.insert(Column::Report, place);
                }
                Some(Column::Report) => {}
                Some(_) if dialect.is_said_twice(kind, name, &open) => {
                    layout.unused.push(name.clone());
                }
                // Of several stores the first.
                Some(column) if dialect == Dialect::Loyverse && layout.has(column) => {
                    layout.unused.push(name.clone());
                }
                // What the request says comes first.
                Some(column) if !mapped.contains(&column) => layout.put(column, place, &mut faults),
                _ if name.trim().is_empty() => {}
                _ => layout.unused.push(name.clone()),
            }
        }
        if kind == ImportKind::Products {
            layout.name_by_description(&mapped);
            layout.drop_options();
        } else if kind == ImportKind::Customers {
            layout.zip_of_taxes(&mapped);
        }
        if layout.has(Column::Name) && layout.has(Column::FirstName) {
            layout.leave_alone(&[Column::FirstName, Column::LastName]);
        }
        (layout, faults)
    }

    fn put(&mut self, column: Column, place: usize, faults: &mut Vec<LayoutFault>) {
        if let Some(&first) = self.places.get(&column) {
            let name = |place: usize| self.header.get(place).cloned().unwrap_or_default();
            // People have more than one telephone: the second is for who does not say the first.
            if column == Column::Phone {
                if self.has(Column::AddressPhone) {
                    self.unused.push(name(place));
                } else {
                    self.places.insert(Column::AddressPhone, place);
                }
                return;
            }
            faults.push(LayoutFault::Twice { column, names: [name(first), name(place)] });
            return;
        }
        self.places.insert(column, place);
    }

    /// What describes a product is its name where it has no other, as tills have it. A request that says it is the description
    /// means that, and so does whoever calls the column as an export does.
    fn name_by_description(&mut self, mapped: &[Column]) {
        if !self.has(Column::Name) {
            self.stand_in(Column::Name, Column::Description, mapped);
        }
    }

    /// A postal code beside an RFC, in a table that has no street, is that of the customer's taxes: there is no address that
    /// it could be of.
    fn zip_of_taxes(&mut self, mapped: &[Column]) {
        let is_of_taxes = self.has(Column::Rfc) && !self.has(Column::Street);
        if is_of_taxes && !self.has(Column::TaxZip) {
            self.stand_in(Column::TaxZip, Column::Zip, mapped);
        }
    }

    /// Has a column hold what it is not named for, unless it was meant to.
    fn stand_in(&mut self, needed: Column, other: Column, mapped: &[Column]) {
        let Some(place) = self.places.get(&other).copied() else { return };
        let is_own = self.header.get(place).is_some_and(|name| name.trim() == other.name());
        if !is_own && !mapped.contains(&other) {
            self.places.remove(&other);
            self.places.insert(needed, place);
        }
    }

    /// A colour distinguishes a variant only where there are variants.
    fn drop_options(&mut self) {
        if self.has(Column::ParentSku) || self.has(Column::Handle) {
            return;
        }
        let options = [
            Column::VariantName,
            Column::VariantId,
            Column::Option(1),
            Column::Option(2),
            Column::Option(3),
        ];
        self.leave_alone(&options);
    }

    fn leave_alone(&mut self, columns: &[Column]) {
        for column in columns {
            if let Some(place) = self.places.remove(column) {
                self.unused.extend(self.header.get(place).cloned());
            }
        }
    }

    fn lacking(&self, mode: Mode) -> Vec<LayoutFault> {
        let keys: &'static [Column] = match self.kind {
            ImportKind::Products => &[Column::Sku, Column::ExternalId],
            ImportKind::Customers => &[Column::Email, Column::ExternalId, Column::Phone],
            ImportKind::Stock => &[Column::Sku, Column::Ean],
        };
        let has_any = |columns: &[Column]| columns.iter().any(|column| self.has(*column));
        if !has_any(keys) && !self.has(Column::Handle) {
            return vec![LayoutFault::NoKey { keys, header: self.header.clone() }];
        }
        let is_new = mode == Mode::Create;
        let needed: &[&[Column]] = match self.kind {
            ImportKind::Products if is_new => {
                &[&[Column::Name], &[Column::Price, Column::SalePrice, Column::RegularPrice]]
            }
            ImportKind::Customers if is_new => {
                &[&[Column::Name, Column::FirstName, Column::LastName, Column::Company]]
            }
            ImportKind::Stock => &[&[Column::OnHand, Column::Delta]],
            ImportKind::Products | ImportKind::Customers => &[],
        };
        let missing = needed.iter().filter(|columns| !has_any(columns));
        let missing = missing.filter_map(|columns| columns.first().copied());
        missing.map(|column| LayoutFault::Missing { column }).collect()
    }

    /// Whether a column holds it.
    #[must_use]
    pub fn has(&self, column: Column) -> bool {
        self.places.contains_key(&column)
    }

    /// The names of the columns, as they stand in the table.
    #[must_use]
    pub fn header(&self) -> &[String] {
        &self.header
    }

    /// The name that a column has in the table.
    #[must_use]
    pub fn name(&self, column: Column) -> &str {
        let place = self.places.get(&column).and_then(|place| self.header.get(*place));
        place.map_or(column.name(), String::as_str)
    }

    /// What each column holds that is read, in their order.
    #[must_use]
    pub fn used(&self) -> Vec<(&str, Column)> {
        let fields = self.places.iter().filter(|(column, _)| **column != Column::Report);
        let mut used: Vec<_> = fields.collect();
        used.sort_by_key(|(_, place)| **place);
        used.into_iter().map(|(column, _)| (self.name(*column), *column)).collect()
    }

    /// The names of columns that are not read.
    #[must_use]
    pub fn unused(&self) -> &[String] {
        &self.unused
    }

    /// The place of a column.
    #[must_use]
    pub fn place(&self, column: Column) -> Option<usize> {
        self.places.get(&column).copied()
    }

    /// What the column in a place holds.
    pub(crate) fn held_at(&self, place: usize) -> Option<Column> {
        self.places.iter().find(|(_, at)| **at == place).map(|(column, _)| *column)
    }

    /// The columns that hold numbers, with their places.
    #[must_use]
    pub fn numeric(&self) -> Vec<(Column, usize)> {
        let places = self.places.iter().map(|(column, place)| (*column, *place));
        places.filter(|(column, _)| column.is_numeric()).collect()
    }

    /// What a row says in a column; `None` if there is no such column.
    pub(crate) fn cell<'a>(&self, row: &[Cell<'a>], column: Column) -> Option<Cell<'a>> {
        self.places.get(&column).and_then(|place| row.get(*place)).copied()
    }
}

/// The names of columns, without the marks that those of a file of refused rows have.
fn as_they_came(header: &[String]) -> Vec<String> {
    match is_of_refused(header) {
        true => header.iter().map(|name| as_it_came(name).to_owned()).collect(),
        false => header.to_vec(),
    }
}

fn listed(columns: &[Column], between: &str) -> String {
    columns.iter().map(|column| column.name()).collect::<Vec<_>>().join(between)
}

/// What a mapping says of the columns of a header, by their places.
fn said(
    header: &[String],
    folded: &[String],
    mapping: &Mapping,
    faults: &mut Vec<LayoutFault>,
) -> BTreeMap<usize, Option<Column>> {
    let mut said = BTreeMap::new();
    for (name, column) in mapping {
        let exact = header.iter().position(|one| one.trim() == name.trim());
        let place =
            exact.or_else(|| folded.iter().position(|one| *one == letters_and_digits(name)));
        match place {
            Some(place) => drop(said.insert(place, *column)),
            None => faults
                .push(LayoutFault::NoSuchColumn { name: name.clone(), header: header.to_vec() }),
        }
    }
    said
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(header: &[&str]) -> Vec<String> {
        header.iter().map(|name| (*name).to_owned()).collect()
    }

    fn used(
        header: &[&str],
        mapping: &[(&str, Option<Column>)],
    ) -> Result<String, Vec<LayoutFault>> {
        let mapping = mapping.iter().map(|(name, column)| ((*name).to_owned(), *column)).collect();
        let layout = Layout::of(ImportKind::Products, &names(header), &mapping, Mode::Upsert)?;
        let used = layout.used();
        let used: Vec<_> =
            used.iter().map(|(name, column)| format!("{name}={}", column.name())).collect();
        Ok(format!("{} ({})", used.join(" "), layout.unused().join(" ")))
    }

    #[test]
    fn columns_are_known_by_many_names() {
        let cases: &[(&[&str], &str)] = &[
            (&["SKU", "Nombre", "Precio"], "SKU=sku Nombre=name Precio=price ()"),
            (
                &["CÓDIGO", "Descripción", "P. Venta"],
                "CÓDIGO=sku Descripción=name P. Venta=price ()",
            ),
            (
                &["clave", "artículo", "descripcion"],
                "clave=sku artículo=name descripcion=description ()",
            ),
            (
                &["Código", "Código de barras", "Marca", "Costo", "Peso (g)"],
                "Código=sku Código de barras=ean Marca=brand Costo=cost Peso (g)=grams ()",
            ),
            (
                &["Clave", "Línea", "Departamento", "Categoría"],
                "Clave=sku Categoría=categories (Línea Departamento)",
            ),
            (&["Clave", "Línea", "Departamento"], "Clave=sku Departamento=categories (Línea)"),
            (&["sku", "color", "", "notas"], "sku=sku (notas color)"),
            // As an export calls it.
            (&["sku", "description", "price"], "sku=sku description=description price=price ()"),
            (&["sku", "_row", "_column", "_error", "_code"], "sku=sku ()"),
        ];
        for (header, expected) in cases {
            assert_eq!(used(header, &[]).as_deref(), Ok(*expected));
        }
    }

    #[test]
    fn a_mapping_comes_first() {
        let price = Some(Column::Price);
        let header = ["sku", "precio", "mayoreo"];
        assert_eq!(used(&header, &[("Mayoreo", price)]).unwrap(), "sku=sku mayoreo=price (precio)");
        assert_eq!(used(&header, &[("precio", None)]).unwrap(), "sku=sku (mayoreo)");
        let header = ["sku", "línea", "categoría"];
        assert_eq!(used(&header, &[("categoría", None)]).unwrap(), "sku=sku línea=categories ()");
        let described = [("Texto", Some(Column::Description))];
        assert_eq!(used(&["sku", "texto"], &described).unwrap(), "sku=sku texto=description ()");
        let header = ["sku", "precio", "mayoreo"];
        let faults = used(&header, &[("costo", price)]).unwrap_err();
        let told = LayoutFault::NoSuchColumn { name: "costo".to_owned(), header: names(&header) };
        assert_eq!(faults, [told]);
    }

    #[test]
    fn a_postal_code_without_an_address_is_that_of_taxes() {
        let cases: &[(&[&str], &str)] = &[
            (&["Correo", "RFC", "Régimen fiscal", "C.P."], "C.P.=taxZip"),
            (&["Correo", "RFC", "Código postal", "C.P. fiscal"], "Código postal=zip"),
            (&["Correo", "RFC", "Calle", "C.P."], "C.P.=zip"),
            (&["Nombre", "Correo", "C.P."], "C.P.=zip"),
            (&["email", "rfc", "zip"], "zip=zip"),
        ];
        for (header, expected) in cases {
            let mapping = Mapping::new();
            let kind = ImportKind::Customers;
            let layout = Layout::of(kind, &names(header), &mapping, Mode::Upsert).unwrap();
            let used = layout.used();
            let said = |(name, column): &(&str, Column)| format!("{name}={}", column.name());
            assert!(used.iter().map(said).any(|used| used == *expected), "{header:?}: {used:?}");
        }
    }

    #[test]
    fn columns_are_guessed_of_a_table_that_cannot_be_imported() {
        let guessed = |header: &[&str]| Layout::guessed(ImportKind::Products, &names(header));
        let [sku, name, price] = [Column::Sku, Column::Name, Column::Price].map(Some);
        assert_eq!(guessed(&["Descripción", "Menudeo", "Precio"]), [name, None, price]);
        // Of two that are alike the first is meant.
        assert_eq!(guessed(&["SKU", "Clave", ""]), [sku, None, None]);
    }

    #[test]
    fn what_cannot_be_imported_is_told() {
        let twice = used(&["sku", "clave", "precio"], &[]).unwrap_err();
        assert!(matches!(&twice[..], [LayoutFault::Twice { column: Column::Sku, .. }]));
        assert_eq!(used(&["sku", "clave"], &[("clave", None)]).unwrap(), "sku=sku ()");
        let none = used(&["T-1", "Taza", "19.90"], &[]).unwrap_err();
        assert!(matches!(&none[..], [LayoutFault::NoKey { .. }]));
        let create =
            Layout::of(ImportKind::Products, &names(&["sku"]), &Mapping::new(), Mode::Create)
                .unwrap_err();
        assert_eq!(create.len(), 2);
    }
}
