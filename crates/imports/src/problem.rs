//! What is wrong with a row, by a code that is kept and a text that is written when somebody reads it.

use catalog::{
    category::{CATEGORIES_MAX, CATEGORIES_OF_PRODUCT_MAX, CATEGORY_NAME_CHARS_MAX, DEPTH_MAX},
    details::{IMAGES_MAX, WEIGHT_MAX},
    product::{DESCRIPTION_CHARS_MAX, NAME_CHARS_MAX, SKU_CHARS_MAX, VARIANTS_MAX},
};
use crm::customer::{ADDRESS_CHARS_MAX, FOREIGN_ID_CHARS_MAX};
use kernel::{Amount, Message, message, quantity::QUANTITY_MAX, text::EXTERNAL_ID_CHARS_MAX};

use crate::Column;

const AMOUNT_MAX: Amount = Amount::MAX;

/// Declares the codes with their names and texts.
macro_rules! codes {
    ($($(#[$doc:meta])* $code:ident = $name:literal: $english:literal, $spanish:literal;)*) => {
        /// What is wrong with a cell or a row.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Code {
            $($(#[$doc])* $code,)*
        }

        impl Code {
            /// Every code.
            pub const EVERY: &'static [Self] = &[$(Self::$code),*];

            /// Its name for ever.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$code => $name,)*
                }
            }

            /// What is wrong and what to do about it, as a sentence without its full stop.
            #[must_use]
            pub fn message(self) -> Message {
                match self {
                    $(Self::$code => message!($english, $spanish),)*
                }
            }
        }
    };
}

codes! {
    /// A row without an end.
    RowTooLong = "row_too_long":
        "the row has more bytes than a row may have; is a quotation mark (\") missing?",
        "la fila tiene más bytes de los que puede tener una fila; ¿falta una comilla (\")?";
    /// A quotation mark without its second one.
    UnclosedQuote = "unclosed_quote":
        "a quotation mark (\") is opened and never closed",
        "una comilla (\") se abre y no se cierra";
    /// More cells than columns.
    TooManyCells = "too_many_cells":
        "the row has more cells than there are columns; is a cell with the separator in it not quoted?",
        "la fila tiene más celdas que columnas; ¿hay una celda con el separador sin comillas?";
    /// No JSON object.
    NotJson = "not_json":
        "the line is not a JSON object, or has the same name twice",
        "la línea no es un objeto JSON o tiene dos veces el mismo nombre";
    /// An array or object where a text or number belongs.
    NestedValue = "nested_value":
        "the value is an array or an object: it must be text or a number",
        "el valor es un arreglo o un objeto: debe ser un texto o un número";
    /// A formula without a value.
    SpreadsheetError = "spreadsheet_error":
        "the cell shows an error of the spreadsheet: correct its formula",
        "la celda muestra un error de la hoja de cálculo: corregir su fórmula";
    /// A code that a spreadsheet has turned into a number.
    CodeDamagedByExcel = "code_damaged_by_excel":
        "Excel has turned the code into a number and lost digits: format the column as text and enter it again",
        "Excel convirtió el código en número y perdió dígitos: dar formato de texto a la columna y escribirlo de nuevo";
    /// Zeros were put in front of a barcode number: a warning.
    EanZerosAdded = "ean_zeros_added":
        "zeros were put in front of the barcode number, which a spreadsheet had dropped",
        "se agregaron al código de barras los ceros iniciales que una hoja de cálculo había quitado";
    /// Fewer than none in stock: a warning.
    NegativeStock = "negative_stock":
        "stock is never negative: it was taken as 0",
        "la existencia no puede ser negativa: se tomó como 0";
    /// The same key in an earlier row.
    DuplicateInFile = "duplicate_in_file":
        "an earlier row of the file is about the same: keep one of them",
        "una fila anterior del archivo trata de lo mismo: dejar solo una";
    /// A variant of nothing.
    ParentNotFound = "parent_not_found":
        "neither the file nor the catalog has a product of this SKU, which the variant belongs to",
        "ni el archivo ni el catálogo tienen un producto con este SKU, al que pertenece la variante";
    /// No identifier of a variant.
    BadVariantId = "bad_variant_id":
        "this is not an identifier of a variant such as an export has: leave the cell as it was exported, or empty",
        "no es un identificador de variante como los de una exportación: dejar la celda como se exportó, o vacía";
    /// Nothing where something is needed.
    Required = "required":
        "a value is needed here",
        "aquí se necesita un valor";
    /// Too many characters.
    TooLong = "too_long":
        "the text is too long: a name has at most {NAME_CHARS_MAX} characters, a SKU {SKU_CHARS_MAX}, an external \
         identifier {EXTERNAL_ID_CHARS_MAX}, a brand or a category {CATEGORY_NAME_CHARS_MAX}, a description \
         {DESCRIPTION_CHARS_MAX}, a line of an address {ADDRESS_CHARS_MAX}, a foreign tax identifier (foreignTaxId) \
         {FOREIGN_ID_CHARS_MAX}",
        "el texto es demasiado largo: un nombre tiene a lo más {NAME_CHARS_MAX} caracteres, un SKU {SKU_CHARS_MAX}, un \
         identificador externo {EXTERNAL_ID_CHARS_MAX}, una marca o una categoría {CATEGORY_NAME_CHARS_MAX}, una \
         descripción {DESCRIPTION_CHARS_MAX}, una línea de una dirección {ADDRESS_CHARS_MAX}, un número de identidad \
         tributaria del extranjero (foreignTaxId) {FOREIGN_ID_CHARS_MAX}";
    /// Characters that no text may have.
    BadText = "bad_text":
        "the text must be one line without control characters",
        "el texto debe ser una sola línea sin caracteres de control";
    /// No number.
    BadNumber = "bad_number":
        "this is not a number such as 1234.50",
        "no es un número como 1234.50";
    /// Too many decimals.
    TooManyDecimals = "too_many_decimals":
        "the number has more than 6 decimals",
        "el número tiene más de 6 decimales";
    /// Outside of what is possible.
    OutOfRange = "out_of_range":
        "a price is from 0 to {AMOUNT_MAX}, a quantity from 0 to {QUANTITY_MAX}",
        "un precio es de 0 a {AMOUNT_MAX}, una cantidad de 0 a {QUANTITY_MAX}";
    /// A fraction of a piece.
    NotWhole = "not_whole":
        "the quantity must be a whole number, or one with at most 3 decimals where the quantityDecimals of the product are 3",
        "la cantidad debe ser un número entero, o tener a lo más 3 decimales si el quantityDecimals del producto es 3";
    /// No number of decimals.
    BadDecimals = "bad_decimals":
        "the decimals of quantities are 0 (sold by the piece) or 3 (sold by weight or length)",
        "los decimales de las cantidades son 0 (se vende por pieza) o 3 (se vende por peso o longitud)";
    /// Nodes of the last release would take quantities for pieces.
    UpgradeUnfinished = "upgrade_unfinished":
        "quantities with decimals have to wait until the upgrade of the service is finished: run `trastienda upgrade finish`",
        "para tener cantidades con decimales, primero debe terminarse la actualización del servicio: ejecute `trastienda upgrade finish`";
    /// Other decimals than those that quantities of the product have.
    DecimalsFixed = "decimals_fixed":
        "the quantityDecimals of a product that is there are not changed by an import: change them with PATCH /products/:id, as long as nothing has moved",
        "una importación no cambia el quantityDecimals de un producto que ya existe: cambiarlo con PATCH /products/:id, mientras no tenga movimientos";
    /// No barcode number.
    BadEan = "bad_ean":
        "this is not an EAN, UPC or GTIN of 8, 12, 13 or 14 digits with a right check digit",
        "no es un EAN, UPC o GTIN de 8, 12, 13 o 14 dígitos con su dígito verificador correcto";
    /// No currency.
    BadCurrency = "bad_currency":
        "this is not an ISO 4217 currency code such as MXN",
        "no es un código de moneda ISO 4217 como MXN";
    /// Amounts of one product in two currencies.
    OtherCurrency = "other_currency":
        "the amount is in another currency than the row: state it in that one, or clear it",
        "el importe está en otra moneda que la fila: indicarlo en la de la fila o borrarlo";
    /// Another currency than that of the average cost.
    HasAverageCost = "has_average_cost":
        "the product has an average cost in its present currency: set it to null by POST /stock/costs, and its currency can change",
        "el producto tiene un costo promedio en su moneda actual: dejarlo en null con POST /stock/costs y su moneda podrá cambiar";
    /// No status.
    BadStatus = "bad_status":
        "the status must be active or archived",
        "el estado debe ser activo (active) o archivado (archived)";
    /// Neither yes nor no.
    BadBoolean = "bad_boolean":
        "this must be true or false",
        "debe ser sí (true) o no (false)";
    /// No key of SAT.
    BadSatProductKey = "bad_sat_product_key":
        "this is not a SAT product key of 8 digits such as 50161509",
        "no es una clave de producto del SAT de 8 dígitos, como 50161509";
    /// No key of SAT.
    BadSatUnitKey = "bad_sat_unit_key":
        "this is not a SAT unit key such as H87",
        "no es una clave de unidad del SAT, como H87";
    /// Another product has the SKU.
    DuplicateSku = "duplicate_sku":
        "another product or variant has this SKU",
        "otro producto o variante tiene este SKU";
    /// Another product has the external identifier.
    DuplicateExternalId = "duplicate_external_id":
        "another record has this external identifier",
        "otro registro ya tiene este identificador externo";
    /// It is there, and was to be created.
    AlreadyExists = "already_exists":
        "there is one already, and the import only creates (mode=create)",
        "ya existe, y la importación solo crea (mode=create)";
    /// It is not there, and was to be changed.
    NotFound = "not_found":
        "there is none, and this import only changes what is there",
        "no existe, y esta importación solo cambia lo que ya existe";
    /// More variants than a product may have.
    TooManyVariants = "too_many_variants":
        "the product would have more than {VARIANTS_MAX} variants",
        "el producto tendría más de {VARIANTS_MAX} variantes";
    /// No path of categories.
    BadCategory = "bad_category":
        "this names no category such as Home > Kitchen: at most {DEPTH_MAX} names, one inside the other, none of them empty",
        "no es una categoría como Hogar > Cocina: a lo más {DEPTH_MAX} nombres, uno dentro de otro, ninguno vacío";
    /// More categories than a product or an account may have.
    TooManyCategories = "too_many_categories":
        "a product is in at most {CATEGORIES_OF_PRODUCT_MAX} categories, and there are at most {CATEGORIES_MAX} in all",
        "un producto está en a lo más {CATEGORIES_OF_PRODUCT_MAX} categorías, y hay a lo más {CATEGORIES_MAX} en total";
    /// No address of an image.
    BadUrl = "bad_url":
        "this is not a URL of an image such as https://example.com/taza.jpg",
        "no es la URL de una imagen, como https://example.com/taza.jpg";
    /// More images than a product may have: a row of an import of before, which was refused for them.
    TooManyImages = "too_many_images":
        "a product has at most {IMAGES_MAX} images",
        "un producto tiene a lo más {IMAGES_MAX} imágenes";
    /// One image more than a product may have: a warning.
    ImageLeftOut = "image_left_out":
        "a product has at most {IMAGES_MAX} images: this one was left out",
        "un producto tiene a lo más {IMAGES_MAX} imágenes: esta se dejó fuera";
    /// No taxes.
    BadTaxes = "bad_taxes":
        "taxes are written as in IVA 16%, IVA exento or IEPS 8% | IVA 16%, each of them once; a number by itself is IVA at 0, 8 or 16%",
        "los impuestos se escriben como IVA 16%, IVA exento o IEPS 8% | IVA 16%, cada uno una sola vez; un número sin más es IVA al 0, 8 o 16%";
    /// No weight.
    BadWeight = "bad_weight":
        "a weight is from 0.001 to {WEIGHT_MAX} kilograms, with at most 3 decimals",
        "un peso es de 0.001 a {WEIGHT_MAX} kilogramos, con 3 decimales como máximo";
    /// A price in another currency than that of the product.
    VariantCurrency = "variant_currency":
        "a variant is sold in the currency of its product: state its price in that one",
        "una variante se vende en la moneda de su producto: indicar su precio en esa";
    /// What only a product has: a warning.
    VariantFieldIgnored = "variant_field_ignored":
        "a variant has none of its own and the product says otherwise: it was left alone; change it in the row of the product",
        "una variante no tiene uno propio y el del producto es otro: se dejó como está; hay que cambiarlo en la fila del producto";
    /// No e-mail address.
    BadEmail = "bad_email":
        "this is not an e-mail address such as ana@example.com",
        "no es una dirección de correo como ana@example.com";
    /// No telephone number.
    BadPhone = "bad_phone":
        "this is not a telephone number of 10 digits, or in international form such as +525512345678",
        "no es un teléfono de 10 dígitos, o en formato internacional como +525512345678";
    /// No RFC.
    BadRfc = "bad_rfc":
        "this is not an RFC such as XAXX010101000",
        "no es un RFC como XAXX010101000";
    /// No tax regime.
    BadTaxRegime = "bad_tax_regime":
        "this is not a tax regime of SAT's catalog such as 601",
        "no es un régimen fiscal del catálogo del SAT, como 601";
    /// No postal code.
    BadTaxZip = "bad_tax_zip":
        "this is not a postal code of SAT's catalog, of 5 digits",
        "no es un código postal del catálogo del SAT, de 5 dígitos";
    /// No use of invoices.
    BadCfdiUse = "bad_cfdi_use":
        "this is not a CFDI use of SAT's catalog such as G03",
        "no es un uso de CFDI del catálogo del SAT, como G03";
    /// No country of residence.
    BadTaxResidence = "bad_tax_residence":
        "this is not a country of SAT's catalog such as USA",
        "no es un país del catálogo del SAT, como USA";
    /// No country.
    BadCountry = "bad_country":
        "this is not a country code of two letters such as MX",
        "no es un código de país de dos letras, como MX";
    /// Another customer has the address.
    DuplicateEmail = "duplicate_email":
        "another customer has this e-mail address",
        "otro cliente tiene este correo electrónico";
    /// Several customers have the number.
    AmbiguousPhone = "ambiguous_phone":
        "several customers have this telephone number: add their e-mail address or externalId",
        "varios clientes tienen este teléfono: agregar su correo o su externalId";
    /// Several products or variants have the barcode number.
    AmbiguousEan = "ambiguous_ean":
        "several products or variants have this barcode number: add the SKU of one of them",
        "varios productos o variantes tienen este código de barras: agregar el SKU de uno de ellos";
    /// No warehouse, or several.
    UnknownWarehouse = "unknown_warehouse":
        "there is no warehouse of this name, or there are several: use its identifier, such as whs_…",
        "no hay un almacén con este nombre, o hay varios: usar su identificador, como whs_…";
    /// More would be taken than there is.
    BelowZero = "below_zero":
        "fewer would be left than are promised to orders, or than none",
        "quedarían menos de las comprometidas con pedidos, o menos que cero";
    /// More would be in stock than may be.
    TooMany = "too_many":
        "more than {QUANTITY_MAX} would be in stock",
        "habría más de {QUANTITY_MAX} en existencia";
    /// A count and a difference.
    CountedAndDelta = "counted_and_delta":
        "the row has both a count and a difference: leave one of them empty",
        "la fila tiene tanto un conteo como una diferencia: dejar vacío uno de los dos";
    /// The database refuses it.
    Refused = "refused":
        "the row could not be stored: check it for unusual characters and send it again",
        "no se pudo guardar la fila: revisar si tiene caracteres inusuales y enviarla de nuevo";
}

impl Code {
    /// The code of that name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::EVERY.iter().copied().find(|code| code.name() == name)
    }

    /// Whether the row is taken all the same.
    #[must_use]
    pub const fn is_warning(self) -> bool {
        matches!(
            self,
            Self::EanZerosAdded
                | Self::NegativeStock
                | Self::VariantFieldIgnored
                | Self::ImageLeftOut
        )
    }
}

/// The most characters of a value that are kept with what is wrong with it.
const VALUE_CHARS_MAX: usize = 200;

/// What is wrong with a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The column that it is about, if it is about one.
    pub column: Option<Column>,
    /// What is wrong.
    pub code: Code,
    /// What stands there.
    pub value: String,
}

impl Problem {
    /// Of a column.
    #[must_use]
    pub fn of(column: Column, code: Code, value: &str) -> Self {
        Self { column: Some(column), code, value: shown(value) }
    }

    /// Of a row as a whole.
    #[must_use]
    pub const fn of_row(code: Code) -> Self {
        Self { column: None, code, value: String::new() }
    }
}

/// A value as it is shown: not too long, and without what no database keeps.
fn shown(value: &str) -> String {
    value.chars().filter(|c| *c != '\0').take(VALUE_CHARS_MAX).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn codes_have_names_and_texts_of_their_own() {
        let names: HashSet<&str> = Code::EVERY.iter().map(|code| code.name()).collect();
        assert_eq!(names.len(), Code::EVERY.len());
        for code in Code::EVERY {
            assert_eq!(Code::named(code.name()), Some(*code));
            assert!(!code.message().to_string().is_empty());
        }
        assert_eq!(Code::named("fine"), None);
    }
}
