//! Why jobs do not go on, in the words of who looks at them.
//!
//! A task keeps a code and what belongs into its sentence, `not_printed: inv_…: no font`; or a [`kernel::reason`] of a
//! call. What begins with no code that is known, as what providers say and what earlier releases have kept, is shown as it is.

use std::fmt::Display;

use kernel::{Language, Message, message, reason};

/// Why a job does not go on, or has failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Why {
    /// Something that it needs was away, as faults say it.
    Unavailable,
    /// A defect of the program or of its data, as faults say it.
    Internal,
    /// The file could not be written.
    FileNotWritten,
    /// The file would hold more than so many invoices.
    TooManyInvoices,
    /// The file would be too large.
    FileTooLarge,
    /// A document could not be printed.
    NotPrinted,
    /// The mail server has not taken an email.
    EmailNotTaken,
    /// What it was about is not there any more.
    Gone,
    /// Another import of the account is being worked on.
    AnotherImport,
    /// The process stops, and another one goes on.
    ProcessStops,
    /// It is the turn of others.
    OthersTurn,
    /// An import has failed, for a reason that is kept in both languages.
    ImportFailed,
}

impl Why {
    /// Every reason.
    pub const EVERY: &'static [Self] = &[
        Self::Unavailable,
        Self::Internal,
        Self::FileNotWritten,
        Self::TooManyInvoices,
        Self::FileTooLarge,
        Self::NotPrinted,
        Self::EmailNotTaken,
        Self::Gone,
        Self::AnotherImport,
        Self::ProcessStops,
        Self::OthersTurn,
        Self::ImportFailed,
    ];

    /// Its code.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::Unavailable => "unavailable",
            Self::Internal => "internal",
            Self::FileNotWritten => "file_not_written",
            Self::TooManyInvoices => "too_many_invoices",
            Self::FileTooLarge => "file_too_large",
            Self::NotPrinted => "not_printed",
            Self::EmailNotTaken => "email_not_taken",
            Self::Gone => "gone",
            Self::AnotherImport => "another_import",
            Self::ProcessStops => "process_stops",
            Self::OthersTurn => "others_turn",
            Self::ImportFailed => "import_failed",
        }
    }

    /// As a task keeps it, with what belongs into its sentence.
    #[must_use]
    pub fn kept(self, detail: impl Display) -> String {
        format!("{}: {detail}", self.code())
    }

    /// The same without anything.
    #[must_use]
    pub fn alone(self) -> String {
        self.code().to_owned()
    }

    /// Of an import: the sentence in both languages.
    #[must_use]
    pub fn of_import(english: &str, spanish: &str) -> String {
        Self::ImportFailed.kept(format_args!("{english}\n{spanish}"))
    }

    fn message(self, detail: &str) -> Message {
        match self {
            Self::Unavailable => message!(
                "Something that it needs was away: {detail}",
                "Algo que necesita no estaba disponible: {detail}"
            ),
            Self::Internal => message!(
                "The service has met a fault of its own: {detail}",
                "El servicio encontró una falla propia: {detail}"
            ),
            Self::FileNotWritten => message!(
                "The file could not be written: {detail}",
                "No se pudo escribir el archivo: {detail}"
            ),
            Self::TooManyInvoices => message!(
                "More than {detail} invoices match: ask for fewer days.",
                "Coinciden más de {detail} facturas: hay que pedir menos días."
            ),
            Self::FileTooLarge => message!(
                "The file would be larger than 1 GiB: ask for fewer days, or for the XML alone.",
                "El archivo pesaría más de 1 GiB: hay que pedir menos días, o solo el XML."
            ),
            Self::NotPrinted => message!(
                "A document could not be printed: {detail}",
                "No se pudo imprimir un documento: {detail}"
            ),
            Self::EmailNotTaken => reason::within(detail, |detail| {
                message!(
                    "The mail server has not taken the email: {detail}",
                    "El servidor de correo no recibió el mensaje: {detail}"
                )
            }),
            Self::Gone => message!(
                "What it was about is not there any more.",
                "Aquello de lo que se trataba ya no existe."
            ),
            Self::AnotherImport => message!(
                "Another import of the account is being worked on; this one follows.",
                "Se está trabajando en otra importación de la cuenta; después sigue esta."
            ),
            Self::ProcessStops => message!(
                "The service is restarting; it goes on by itself.",
                "El servicio se está reiniciando; continuará por sí sola."
            ),
            Self::OthersTurn => message!(
                "It is the turn of others; it goes on by itself.",
                "Es el turno de otras cuentas; continuará por sí sola."
            ),
            Self::ImportFailed => {
                let (english, spanish) = detail.split_once('\n').unwrap_or((detail, detail));
                Message::both(|language| match language {
                    Language::English => english.to_owned(),
                    Language::Spanish => spanish.to_owned(),
                })
            }
        }
    }
}

/// The reason that a task keeps, if it begins with a code that is known, and what belongs into its sentence.
fn read(kept: &str) -> Option<(Why, &str)> {
    let (code, detail) = kept.split_once(": ").unwrap_or((kept, ""));
    let why = Why::EVERY.iter().find(|why| why.code() == code)?;
    Some((*why, detail))
}

/// What people are told of what a task keeps; `None` where it says itself what there is to be said.
#[must_use]
pub fn told(kept: &str) -> Option<Message> {
    match read(kept) {
        Some((why, detail)) => Some(why.message(detail)),
        None => reason::known(kept),
    }
}

/// What a task keeps without its code.
#[must_use]
pub fn detail(kept: &str) -> &str {
    read(kept).map_or(kept, |(_, detail)| detail)
}

#[cfg(test)]
mod tests {
    use kernel::Fault;

    use super::*;

    #[test]
    fn what_is_kept_is_told_in_both_languages() {
        for why in Why::EVERY {
            let kept = why.kept("inv_1: no font");
            assert_eq!(read(&kept), Some((*why, "inv_1: no font")));
            assert_eq!(read(&why.alone()), Some((*why, "")));
            assert_eq!(detail(&kept), "inv_1: no font");
            let message = told(&kept).unwrap();
            let [english, spanish] =
                Language::EVERY.map(|language| message.in_language(language).to_owned());
            assert!(*why == Why::ImportFailed || english != spanish, "{english}");
        }
        let failed = told(&Why::of_import("no rows", "sin renglones")).unwrap();
        assert_eq!(failed.in_language(Language::English), "no rows");
        assert_eq!(failed.in_language(Language::Spanish), "sin renglones");
    }

    #[test]
    fn reasons_of_calls_are_told_too() {
        let kept = reason::Reason::ConnectionRefused.alone();
        assert_eq!(told(&kept), reason::known(&kept));
        let within = told(&Why::EmailNotTaken.kept(&kept)).unwrap();
        for language in Language::EVERY {
            let why = reason::told(&kept);
            assert!(within.in_language(language).ends_with(why.in_language(language)));
        }
    }

    #[test]
    fn faults_have_codes_and_other_words_are_left_as_they_are() {
        for (fault, why) in [
            (Fault::Unavailable("no route".to_owned()), Why::Unavailable),
            (Fault::Internal("a row".to_owned()), Why::Internal),
        ] {
            assert_eq!(read(&fault.to_string()).map(|(known, _)| known), Some(why));
        }
        // As earlier releases and providers have it.
        for kept in ["", "{}", "CFDI40101: sello", "no such user", "printing inv_1: no font"] {
            assert_eq!((told(kept), detail(kept)), (None, kept));
        }
    }
}
