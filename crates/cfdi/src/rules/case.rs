//! A document with what several rules ask of it.

use time::Date;

use super::text;
use crate::{
    catalogs::postal_codes::{self, PostalCode},
    document::{Document, DocumentType, GENERAL_PUBLIC, Receiver, is_generic},
};

/// The name of the buyer in invoices to the general public.
pub(super) const PUBLIC_NAME: &str = "PUBLICO EN GENERAL";

/// The document that is judged.
pub(super) struct Case<'a> {
    pub(super) document: &'a Document,
    /// Where it is issued, when SAT knows the postal code.
    pub(super) place: Option<PostalCode>,
}

impl<'a> Case<'a> {
    pub(super) fn new(document: &'a Document) -> Self {
        Self { document, place: postal_codes::find(&document.place_of_issue) }
    }

    /// The day by which codes must be in force.
    pub(super) fn day(&self) -> Date {
        self.document.issued_at.date()
    }

    /// Whether it is of value: a sale or a credit note.
    pub(super) fn is_of_value(&self) -> bool {
        matches!(self.document.kind, DocumentType::Income | DocumentType::Credit)
    }

    /// Whether the receiver is nobody in particular, at home or abroad.
    pub(super) fn has_generic_receiver(&self) -> bool {
        is_generic(&self.document.receiver.rfc)
    }

    /// Whether it is an invoice of sales to the general public, which has a period.
    pub(super) fn is_global(&self) -> bool {
        is_global(self.document.kind, &self.document.receiver)
    }
}

/// Whether an invoice to this receiver is one of sales to the general public.
pub(super) fn is_global(kind: DocumentType, receiver: &Receiver) -> bool {
    kind == DocumentType::Income
        && receiver.rfc == GENERAL_PUBLIC
        && receiver.legal_name == PUBLIC_NAME
}

/// What kind of taxpayer an RFC is of.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Person {
    /// Thirteen characters.
    Natural,
    /// Twelve characters.
    Legal,
}

impl Person {
    /// Whose the RFC is; nobody's when it is none.
    pub(super) fn of(rfc: &str) -> Option<Self> {
        match (text::is_rfc(rfc), rfc.chars().count()) {
            (true, 12) => Some(Self::Legal),
            (true, 13) => Some(Self::Natural),
            _ => None,
        }
    }
}
