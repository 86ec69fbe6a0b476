//! Why a file cannot be read at all, in words for whoever sent it.

use std::io;

use kernel::{Message, message};

use crate::{
    COLUMNS_MAX, INFLATED_BYTES_MAX, ROW_BYTES_MAX, ROWS_MAX, Unsupported, WORKBOOK_BYTES_MAX,
    WORKBOOK_ROWS_MAX,
};

/// Why a file cannot be read.
#[derive(Debug)]
pub enum Refusal {
    /// It is something else.
    Unsupported(Unsupported),
    /// It has no rows.
    Empty,
    /// Its characters cannot be told.
    UnknownEncoding,
    /// It is not whole, or its bytes make no sense.
    Damaged(String),
    /// It inflates to more bytes than are read.
    TooLarge,
    /// A workbook of more bytes than are read.
    WorkbookTooLarge,
    /// More rows than are read.
    TooManyRows {
        /// How many are.
        most: u64,
    },
    /// More columns than are read.
    TooManyColumns,
    /// The first row has no end.
    HeaderTooLong,
    /// The names of all objects have more bytes than a row may have.
    NamesTooLong,
    /// So many rows have no end that the file is not what it seems.
    LostQuotes,
    /// The workbook has no sheet of that name, or no visible one.
    NoSuchSheet {
        /// Those that it has.
        sheets: Vec<String>,
    },
    /// The file could not be read from where it is kept.
    Unreadable(io::Error),
}

impl From<io::Error> for Refusal {
    fn from(error: io::Error) -> Self {
        Self::Unreadable(error)
    }
}

impl Refusal {
    /// Its code, stable for programs.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Unsupported(_) => "unsupported_file",
            Self::Empty => "empty_file",
            Self::UnknownEncoding => "unknown_encoding",
            Self::Damaged(_) => "damaged_file",
            Self::TooLarge | Self::WorkbookTooLarge => "file_too_large",
            Self::TooManyRows { .. } => "too_many_rows",
            Self::TooManyColumns => "too_many_columns",
            Self::HeaderTooLong | Self::NamesTooLong => "row_too_long",
            Self::LostQuotes => "lost_quotes",
            Self::NoSuchSheet { .. } => "no_such_sheet",
            Self::Unreadable(_) => "unreadable_file",
        }
    }

    /// What to do about it, as a sentence without its full stop.
    #[must_use]
    pub fn message(&self) -> Message {
        let megabytes = |bytes: u64| bytes >> 20;
        match self {
            Self::Unsupported(kind) => kind.message(),
            Self::Empty => message!(
                "the file has no rows: send one with the names of the columns in its first row",
                "el archivo no tiene filas: enviar uno con los nombres de las columnas en la primera"
            ),
            Self::UnknownEncoding => message!(
                "the characters of the file cannot be told: save it as \"CSV UTF-8\", or name its encoding \
                 (encoding=cp850 or encoding=macintosh)",
                "no se reconocen los caracteres del archivo: guardarlo como \"CSV UTF-8\" o indicar su codificación \
                 (encoding=cp850 o encoding=macintosh)"
            ),
            Self::Damaged(_) => message!(
                "the file is damaged or incomplete: export it again",
                "el archivo está dañado o incompleto: expórtelo de nuevo"
            ),
            Self::TooLarge => message!(
                "the file has more than {most} MB once it is decompressed: split it",
                "el archivo tiene más de {most} MB una vez descomprimido: dividirlo",
                most = megabytes(INFLATED_BYTES_MAX)
            ),
            Self::WorkbookTooLarge => message!(
                "the workbook is too large (at most {most} MB): save it as CSV",
                "el libro de Excel es demasiado grande (a lo más {most} MB): guardarlo como CSV",
                most = megabytes(WORKBOOK_BYTES_MAX)
            ),
            Self::TooManyRows { most: WORKBOOK_ROWS_MAX } => message!(
                "the sheet has more than {WORKBOOK_ROWS_MAX} rows: save it as CSV",
                "la hoja tiene más de {WORKBOOK_ROWS_MAX} filas: guardarla como CSV"
            ),
            Self::TooManyRows { .. } => message!(
                "the file has more than {ROWS_MAX} rows: split it",
                "el archivo tiene más de {ROWS_MAX} filas: dividirlo"
            ),
            Self::TooManyColumns => message!(
                "the file has more than {COLUMNS_MAX} columns",
                "el archivo tiene más de {COLUMNS_MAX} columnas"
            ),
            Self::HeaderTooLong => message!(
                "the first row has more than {ROW_BYTES_MAX} bytes: it must have the names of the columns, and line \
                 breaks must follow it",
                "la primera fila tiene más de {ROW_BYTES_MAX} bytes: debe tener los nombres de las columnas y terminar \
                 con un salto de línea"
            ),
            Self::NamesTooLong => message!(
                "the names in the objects have more than {ROW_BYTES_MAX} bytes together: all lines must have the same names",
                "los nombres en los objetos tienen más de {ROW_BYTES_MAX} bytes en total: todas las líneas deben tener los \
                 mismos nombres"
            ),
            Self::LostQuotes => message!(
                "too many rows have a quotation mark (\") that is never closed: export the file again",
                "demasiadas filas tienen una comilla (\") que no se cierra: exporte el archivo de nuevo"
            ),
            Self::NoSuchSheet { sheets } => message!(
                "the workbook has no such sheet; it has: {names}",
                "el libro no tiene esa hoja; tiene: {names}",
                names = sheets.join(", ")
            ),
            Self::Unreadable(_) => message!(
                "the file could not be read again: send it once more",
                "no se pudo volver a leer el archivo: enviarlo otra vez"
            ),
        }
    }
}

impl Unsupported {
    fn message(self) -> Message {
        match self {
            Self::OldExcel => message!(
                "this is an Excel 97-2003 workbook (.xls): save it as .xlsx or as CSV UTF-8",
                "es un libro de Excel 97-2003 (.xls): guardarlo como .xlsx o como CSV UTF-8"
            ),
            Self::Archive => message!(
                "this is an archive or another kind of document: send the CSV or .xlsx file in it",
                "es un archivo comprimido u otro tipo de documento: enviar el archivo CSV o .xlsx que contiene"
            ),
            Self::Html => message!(
                "this is a web page, not a table: download the file again, or save it as CSV UTF-8",
                "es una página web, no una tabla: descargar de nuevo el archivo o guardarlo como CSV UTF-8"
            ),
            Self::Xml => message!(
                "this is an XML document: save it as CSV UTF-8 or .xlsx",
                "es un documento XML: guardarlo como CSV UTF-8 o .xlsx"
            ),
            Self::Image => message!(
                "this is a picture, not a table: send a CSV, JSON Lines or .xlsx file",
                "es una imagen, no una tabla: enviar un archivo CSV, JSON Lines o .xlsx"
            ),
            Self::Pdf => message!(
                "this is a PDF, not a table: send a CSV, JSON Lines or .xlsx file",
                "es un PDF, no una tabla: enviar un archivo CSV, JSON Lines o .xlsx"
            ),
            Self::Json => message!(
                "this is a JSON document: send JSON Lines, one object a line without commas between them",
                "es un documento JSON: enviar JSON Lines, un objeto por línea sin comas entre ellos"
            ),
            Self::Binary => message!(
                "this is not text: send a CSV, JSON Lines or .xlsx file",
                "no es texto: enviar un archivo CSV, JSON Lines o .xlsx"
            ),
        }
    }
}
