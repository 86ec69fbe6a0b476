//! Addenda: what a buyer wants to find in a document beside what the tax authority does (Anexo 20, node `Addenda`).
//!
//! It is no part of what is sealed and stamped, and is appended afterwards.

mod strict;

use kernel::{Message, message};
use roxmltree::{Document, Error, Node, TextPos};

use crate::stamp::{CFDI, TFD};

/// The most bytes of an addenda.
pub const BYTES_MAX: usize = 65_536;
/// The namespaces that a document declares, beside its own.
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
    /// It has a declaration, a document type or a processing instruction.
    Instruction,
    /// It declares more namespaces, or has more attributes on one element, than any buyer asks for.
    TooManyNames,
    /// There is no element in it.
    NoElement,
    /// There is text beside its elements.
    TextOutside,
    /// An element is of a namespace of the tax authority's documents, among them the node that is put around it.
    Reserved,
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
                "must be well-formed XML: see line {line}, column {column}",
                "debe ser XML bien formado: vea la línea {line}, columna {column}"
            ),
            Self::Instruction => message!(
                "must have no XML declaration, document type or processing instruction",
                "no debe tener declaración XML, tipo de documento ni instrucciones de procesamiento"
            ),
            Self::TooManyNames => message!(
                "must declare at most {most} namespaces, and have at most as many attributes on an element",
                "debe declarar como máximo {most} espacios de nombres, y tener como máximo otros tantos atributos en un elemento",
                most = strict::NAMES_MAX
            ),
            Self::NoElement => {
                message!("must have at least one element", "debe tener al menos un elemento")
            }
            Self::TextOutside => message!(
                "must have no text outside of its elements",
                "no debe tener texto fuera de sus elementos"
            ),
            Self::Reserved => message!(
                "must be what is inside of cfdi:Addenda, without elements of SAT's namespaces cfdi and tfd",
                "debe ser el contenido de cfdi:Addenda, sin elementos de los espacios de nombres cfdi y tfd del SAT"
            ),
        }
    }
}

/// Checks the content of an addenda: elements one after the other, of namespaces that they declare themselves.
///
/// # Errors
/// What is wrong with it.
pub fn check(xml: &str) -> Result<(), AddendaProblem> {
    if xml.len() > BYTES_MAX {
        return Err(AddendaProblem::TooLong);
    }
    // First, since it also keeps what follows from taking long.
    strict::check(xml)?;
    let start = format!(r#"<cfdi:Addenda xmlns:cfdi="{CFDI}" xmlns:xsi="{XSI}">"#);
    let wrapped = format!("{start}{xml}</cfdi:Addenda>");
    let tree = Document::parse(&wrapped).map_err(|error| not_xml(&error, start.len()))?;
    let addenda = tree.root_element();
    let is_text = |node: Node<'_, '_>| node.text().is_some_and(|text| !text.trim().is_empty());
    if addenda.children().any(|node| node.is_text() && is_text(node)) {
        return Err(AddendaProblem::TextOutside);
    }
    let mut elements = addenda.descendants().skip(1).filter(Node::is_element).peekable();
    if elements.peek().is_none() {
        return Err(AddendaProblem::NoElement);
    }
    let is_reserved = |node: Node<'_, '_>| matches!(node.tag_name().namespace(), Some(CFDI | TFD));
    if elements.any(is_reserved) { Err(AddendaProblem::Reserved) } else { Ok(()) }
}

/// A stamped document with an addenda that was [checked](check), behind what a provider may have put there; `None` when
/// it does not end as a document does.
#[must_use]
pub fn appended(document: &str, addenda: &str) -> Option<String> {
    let (before, end) = document.split_at(document.rfind("</")?);
    let prefix = end.trim_end().strip_prefix("</")?.strip_suffix('>')?.trim_end();
    let prefix = prefix.strip_suffix("Comprobante")?;
    let closing = format!("</{prefix}Addenda>");
    Some(match before.trim_end().strip_suffix(closing.as_str()) {
        Some(before) => format!("{before}{addenda}{closing}{end}"),
        None => format!("{before}<{prefix}Addenda>{addenda}{closing}{end}"),
    })
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
            " <a/>\n<b>texto &amp; más &#233; &#x1F600;</b> ",
            "<w:orden xmlns:w=\"urn:walmart\"><w:linea xsi:nil=\"true\" w:a='1'/></w:orden>",
            "<!-- nota --><a><![CDATA[<]]></a>",
            "<año_1.2-b·c/>",
            "<a xmlns=\"urn:a\"><b xmlns=\"\"/></a>",
        ] {
            assert_eq!(check(good), Ok(()), "{good}");
        }
    }

    #[test]
    fn what_would_break_the_document_is_refused() {
        use AddendaProblem::{Instruction, NoElement, Reserved, TextOutside};
        for (bad, problem) in [
            ("", NoElement),
            (" <!-- nada --> ", NoElement),
            ("texto", TextOutside),
            ("<a/>texto", TextOutside),
            ("<a/>&#65;", TextOutside),
            ("<cfdi:Addenda><a/></cfdi:Addenda>", Reserved),
            ("<a><cfdi:Complemento/></a>", Reserved),
            (
                "<t:TimbreFiscalDigital xmlns:t=\"http://www.sat.gob.mx/TimbreFiscalDigital\"/>",
                Reserved,
            ),
            ("<?xml version=\"1.0\"?><a/>", Instruction),
            ("<?xml?><a/>", Instruction),
            ("<?XML x?><a/>", Instruction),
            ("<a><?b c?></a>", Instruction),
            ("<!DOCTYPE a><a/>", Instruction),
        ] {
            assert_eq!(check(bad), Err(problem), "{bad}");
        }
        for bad in [
            "<a>",
            "<a></b>",
            "</a>",
            "<a b=1/>",
            "<a b/>",
            "<a b='1' b='2'/>",
            "<x:a/>",
            "<a>&nbsp;</a>",
            "<a>&#xD800;</a>",
            "<a>&#x110000;</a>",
            "<a>&#0;</a>",
            "<a b='&#1;'/>",
            "<a b='<'/>",
            "<a>]]></a>",
            "<a><!-- -- --></a>",
            "</cfdi:Addenda></cfdi:Comprobante><a/>",
            "<a/></cfdi:Addenda><cfdi:Addenda>",
            "<a>\u{1}</a>",
            "<:a></a>",
            "<:a></:a>",
            "<a:></a:>",
            "<1a/>",
            "<a xmlns=\"urn:a\" xmlns=\"urn:b\"/>",
            "<a xmlns:p=\"\"/>",
            "<a xmlns:p=\"urn:p\" p:xmlns=\"x\"/>",
            "<a xmlns:p='urn:p' xmlns:q='urn:p' p:b='1' q:b='2'/>",
            "<a xmlns:xmlns='urn:a'/>",
            "<xmlns:a/>",
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
    fn names_without_end_are_refused_before_they_take_time() {
        let declared =
            |count: usize| (0..count).map(|n| format!(" xmlns:n{n}='u'")).collect::<String>();
        assert_eq!(check(&format!("<a{}/>", declared(strict::NAMES_MAX))), Ok(()));
        let children = "<a xmlns:b='u'/>".repeat(1_400);
        for many in [
            format!("<a{}>{children}</a>", declared(2_000)),
            format!("<a>{children}</a>"),
            format!(
                "<a{}/>",
                (0..strict::NAMES_MAX + 1).map(|n| format!(" a{n}='1'")).collect::<String>()
            ),
        ] {
            assert_eq!(check(&many), Err(AddendaProblem::TooManyNames), "{}", &many[..40]);
        }
    }

    #[test]
    fn it_comes_last_in_the_document() {
        for (document, expected) in [
            (
                "<cfdi:Comprobante><cfdi:Complemento/></cfdi:Comprobante>\n",
                "<cfdi:Comprobante><cfdi:Complemento/><cfdi:Addenda><a/></cfdi:Addenda></cfdi:Comprobante>\n",
            ),
            (
                "<c:Comprobante></c:Comprobante >",
                "<c:Comprobante><c:Addenda><a/></c:Addenda></c:Comprobante >",
            ),
            ("<Comprobante> </Comprobante>", "<Comprobante> <Addenda><a/></Addenda></Comprobante>"),
            (
                "<c:Comprobante><c:Addenda><z/></c:Addenda> </c:Comprobante>",
                "<c:Comprobante><c:Addenda><z/><a/></c:Addenda></c:Comprobante>",
            ),
        ] {
            assert_eq!(appended(document, "<a/>").as_deref(), Some(expected));
        }
        for none in ["<cfd:Comprobante/>", "", "<a></a>"] {
            assert_eq!(appended(none, "<a/>"), None, "{none}");
        }
    }
}
