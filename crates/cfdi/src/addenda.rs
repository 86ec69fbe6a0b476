//! Addenda: what a buyer wants to find in a document beside what the tax authority does (Anexo 20, node `Addenda`).
//!
//! It is no part of what is sealed and stamped, and is appended afterwards.

use kernel::{Message, message};
use roxmltree::{Document, Error, Node, TextPos};

use crate::stamp::CFDI;

/// The most bytes of an addenda.
pub const BYTES_MAX: usize = 65_536;
/// How a document ends.
const END: &str = "</cfdi:Comprobante>";
/// The namespaces that a document declares, which an addenda may use.
const XSI: &str = "http://www.w3.org/2001/XMLSchema-instance";

/// Why a text is no addenda.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AddendaProblem {
    /// It has more than [`BYTES_MAX`] bytes.
    TooLong,
    /// It is not well-formed.
    NotXml {
        /// In which line.
        line: u32,
        /// In which column.
        column: u32,
    },
    /// There is no element in it.
    NoElement,
    /// There is text beside its elements.
    TextOutside,
    /// It is wrapped in the node that is put around it.
    Wrapped,
}

impl AddendaProblem {
    /// As a clause that follows the field's name.
    #[must_use]
    pub fn message(&self) -> Message {
        match self {
            Self::TooLong => message!(
                "must have at most {BYTES_MAX} bytes",
                "debe tener como máximo {BYTES_MAX} bytes"
            ),
            Self::NotXml { line, column } => message!(
                "must be well-formed XML without declaration: see line {line}, column {column}",
                "debe ser XML bien formado y sin declaración: vea la línea {line}, columna {column}"
            ),
            Self::NoElement => {
                message!("must have at least one element", "debe tener al menos un elemento")
            }
            Self::TextOutside => message!(
                "must have no text outside of its elements",
                "no debe tener texto fuera de sus elementos"
            ),
            Self::Wrapped => message!(
                "must be what is inside of cfdi:Addenda, without that element",
                "debe ser el contenido de cfdi:Addenda, sin ese elemento"
            ),
        }
    }
}

/// Checks the content of an addenda: elements one after the other, of any namespace, without XML declaration.
///
/// # Errors
/// What is wrong with it.
pub fn check(xml: &str) -> Result<(), AddendaProblem> {
    if xml.len() > BYTES_MAX {
        return Err(AddendaProblem::TooLong);
    }
    let namespaces = format!(r#" xmlns:cfdi="{CFDI}" xmlns:xsi="{XSI}""#);
    let wrapped = wrapped(xml, &namespaces);
    let before = "<cfdi:Addenda>".len() + namespaces.len();
    let tree = Document::parse(&wrapped).map_err(|error| not_xml(&error, before))?;
    let elements = || tree.root_element().children().filter(Node::is_element);
    let is_text = |node: Node<'_, '_>| node.text().is_some_and(|text| !text.trim().is_empty());
    if tree.root_element().children().any(|node| node.is_text() && is_text(node)) {
        return Err(AddendaProblem::TextOutside);
    }
    if elements().any(|node| node.has_tag_name((CFDI, "Addenda"))) {
        return Err(AddendaProblem::Wrapped);
    }
    if elements().next().is_none() { Err(AddendaProblem::NoElement) } else { Ok(()) }
}

/// A stamped document with an addenda that was [checked](check); `None` when it does not end as a document does.
#[must_use]
pub fn appended(document: &str, addenda: &str) -> Option<String> {
    let (before, after) = document.rsplit_once(END)?;
    Some(format!("{before}{}{END}{after}", wrapped(addenda, "")))
}

fn wrapped(xml: &str, attributes: &str) -> String {
    format!("<cfdi:Addenda{attributes}>{xml}</cfdi:Addenda>")
}

/// Where in the text itself: `before` bytes of what is put around it stand in its first line.
fn not_xml(error: &Error, before: usize) -> AddendaProblem {
    let TextPos { row, col } = error.pos();
    let before = u32::try_from(before).unwrap_or_default();
    let column = if row == 1 { col.saturating_sub(before).max(1) } else { col };
    AddendaProblem::NotXml { line: row, column }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_of_any_namespace_are_an_addenda() {
        for good in [
            "<pedido numero=\"7\"/>",
            " <a/>\n<b>texto &amp; m\u{e1}s</b> ",
            "<w:orden xmlns:w=\"urn:walmart\"><w:linea xsi:nil=\"true\"/></w:orden>",
            "<!-- nota --><a><![CDATA[<]]></a>",
        ] {
            assert_eq!(check(good), Ok(()), "{good}");
        }
    }

    #[test]
    fn what_would_break_the_document_is_refused() {
        use AddendaProblem::{NoElement, TextOutside, Wrapped};
        for (bad, problem) in [
            ("", NoElement),
            (" <!-- nada --> ", NoElement),
            ("texto", TextOutside),
            ("<a/>texto", TextOutside),
            ("<cfdi:Addenda><a/></cfdi:Addenda>", Wrapped),
        ] {
            assert_eq!(check(bad), Err(problem), "{bad}");
        }
        for bad in [
            "<a>",
            "<a></b>",
            "<a b=1/>",
            "<x:a/>",
            "<a>&nbsp;</a>",
            "<?xml version=\"1.0\"?><a/>",
            "<!DOCTYPE a><a/>",
            "</cfdi:Addenda></cfdi:Comprobante><a/>",
            "<a/></cfdi:Addenda><cfdi:Addenda>",
            "<a>\u{1}</a>",
        ] {
            assert!(
                matches!(check(bad), Err(AddendaProblem::NotXml { .. })),
                "{bad}: {:?}",
                check(bad)
            );
        }
        assert_eq!(check("<a/>\n <b>"), Err(AddendaProblem::NotXml { line: 2, column: 5 }));
        let long = format!("<a>{}</a>", "x".repeat(BYTES_MAX));
        assert_eq!(check(&long), Err(AddendaProblem::TooLong));
    }

    #[test]
    fn it_comes_last_in_the_document() {
        let document = "<cfdi:Comprobante><cfdi:Complemento/></cfdi:Comprobante>\n";
        assert_eq!(
            appended(document, "<a/>").as_deref(),
            Some(
                "<cfdi:Comprobante><cfdi:Complemento/><cfdi:Addenda><a/></cfdi:Addenda></cfdi:Comprobante>\n"
            )
        );
        assert_eq!(appended("<cfd:Comprobante/>", "<a/>"), None);
    }
}
