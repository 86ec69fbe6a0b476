//! Whose stamp it is: the seal of a document, and the stamp that confirms it.

use roxmltree::{Document, Node};

/// The namespace of stamps.
const TFD: &str = "http://www.sat.gob.mx/TimbreFiscalDigital";

/// A document as it is sent, with its seal.
#[derive(Clone)]
pub(super) struct Sealed {
    /// The bytes, the same at every repetition.
    pub(super) xml: String,
    seal: String,
}

/// What an answer shows.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Shown {
    /// This document with its stamp.
    Own(String),
    /// Something that is not this document with a stamp.
    Other,
    /// Nothing shipped.
    Nothing,
}

impl Sealed {
    /// Nothing when it is no sealed document.
    pub(super) fn new(xml: String) -> Option<Self> {
        let seal = seal(&Document::parse(&xml).ok()?)?.to_owned();
        Some(Self { xml, seal })
    }

    /// Checks the document of an answer: its seal and the one that its stamp confirms must be ours.
    pub(super) fn compare(&self, answered: Option<&str>) -> Shown {
        let Some(answered) = answered.map(|xml| xml.trim_start_matches('\u{feff}').trim()) else {
            return Shown::Nothing;
        };
        if answered.is_empty() {
            return Shown::Nothing;
        }
        match Document::parse(answered) {
            Ok(document) if self.is_stamped_in(&document) => Shown::Own(answered.to_owned()),
            _ => Shown::Other,
        }
    }

    /// The same for an answer that shows the stamp alone: puts it where it belongs.
    pub(super) fn complete(&self, stamp: Option<&str>) -> Shown {
        let Some(stamp) = stamp.map(|xml| xml.trim_start_matches('\u{feff}').trim()) else {
            return Shown::Nothing;
        };
        let parsed = Document::parse(stamp);
        let Some(node) = parsed.as_ref().ok().map(Document::root_element).filter(is_stamp) else {
            return Shown::Other;
        };
        let stamped = stamp.get(node.range()).and_then(|node| self.insert(node));
        self.compare(stamped.as_deref())
    }

    fn is_stamped_in(&self, document: &Document<'_>) -> bool {
        let mut stamps = document.root_element().descendants().filter(is_stamp);
        let stamp = stamps.next();
        seal(document) == Some(self.seal.as_str())
            && stamps.next().is_none()
            && stamp.is_some_and(|stamp| {
                stamp.attribute("SelloCFD").map(str::trim) == Some(self.seal.as_str())
                    && stamp.attribute("UUID").is_some_and(|uuid| !uuid.trim().is_empty())
            })
    }

    /// The document with a stamp at the end of its complements.
    fn insert(&self, stamp: &str) -> Option<String> {
        let document = Document::parse(&self.xml).ok()?;
        let root = document.root_element();
        let named = |name: &str| root.children().find(|node| node.tag_name().name() == name);
        let own = named("Complemento").map(|node| node.range());
        let inside = |range: std::ops::Range<usize>| {
            self.xml.get(range.clone())?.rfind("</").map(|end| range.start + end)
        };
        if let Some(at) = own.clone().and_then(inside) {
            return Some([self.xml.get(..at)?, stamp, self.xml.get(at..)?].concat());
        }
        let name = self.xml.get(root.range())?.get(1..)?;
        let prefix = name.split_once(root.tag_name().name())?.0;
        let node = format!("<{prefix}Complemento>{stamp}</{prefix}Complemento>");
        // An empty one gives its place.
        let (from, to) = match (own, named("Addenda")) {
            (Some(empty), _) => (empty.start, empty.end),
            (None, Some(addenda)) => (addenda.range().start, addenda.range().start),
            (None, None) => inside(root.range()).map(|end| (end, end))?,
        };
        Some([self.xml.get(..from)?, &node, self.xml.get(to..)?].concat())
    }
}

fn seal<'a>(document: &'a Document<'_>) -> Option<&'a str> {
    let root = document.root_element();
    root.attribute("Sello").map(str::trim).filter(|seal| !seal.is_empty())
}

fn is_stamp(node: &Node<'_, '_>) -> bool {
    node.tag_name().name() == "TimbreFiscalDigital" && node.tag_name().namespace() == Some(TFD)
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: &str = r#"<?xml version="1.0"?><cfdi:Comprobante xmlns:cfdi="http://www.sat.gob.mx/cfd/4" Sello="abc=""#;

    fn document(inner: &str) -> String {
        format!("{HEAD}><cfdi:Emisor Rfc=\"A&amp;B\"/>{inner}</cfdi:Comprobante>")
    }

    fn stamp(seal: &str) -> String {
        format!(r#"<tfd:TimbreFiscalDigital xmlns:tfd="{TFD}" UUID="1" SelloCFD="{seal}"/>"#)
    }

    fn complement(inner: &str) -> String {
        format!("<cfdi:Complemento>{inner}</cfdi:Complemento>")
    }

    fn sealed(inner: &str) -> Sealed {
        Sealed::new(document(inner)).unwrap()
    }

    #[test]
    fn only_a_sealed_document_is_sent() {
        assert_eq!(sealed("").seal, "abc=");
        for xml in ["", "x", "<a/>", r#"<a Sello=""/>"#, r#"<!DOCTYPE a><a Sello="x"/>"#] {
            assert!(Sealed::new(xml.to_owned()).is_none(), "{xml}");
        }
    }

    #[test]
    fn the_stamp_must_confirm_our_own_seal() {
        let ours = sealed("");
        let good = document(&complement(&stamp("abc=")));
        assert_eq!(ours.compare(Some(&format!("\u{feff}{good}\n"))), Shown::Own(good.clone()));
        for nothing in [None, Some(""), Some(" \n")] {
            assert_eq!(ours.compare(nothing), Shown::Nothing);
        }
        let twice = stamp("abc=").repeat(2);
        for other in [
            document(""),
            document(&complement(&stamp("other"))),
            document(&complement(&twice)),
            good.replace("Sello=\"abc=\"", "Sello=\"other\""),
            good.replace("UUID=\"1\"", ""),
            good.replace(TFD, "http://example.com"),
            "<html>Bad Gateway</html>".to_owned(),
            good.get(..good.len() - 5).unwrap().to_owned(),
        ] {
            assert_eq!(ours.compare(Some(&other)), Shown::Other, "{other}");
        }
    }

    #[test]
    fn a_stamp_alone_is_put_where_it_belongs() {
        let tfd = stamp("abc=");
        let declared = format!("<?xml version=\"1.0\" encoding=\"utf-8\"?>\n{tfd}");
        let (filled, addenda) = (complement("<a/>"), "<cfdi:Addenda><b/></cfdi:Addenda>");
        for (before, after) in [
            (String::new(), complement(&tfd)),
            (filled.clone(), complement(&format!("<a/>{tfd}"))),
            ("<cfdi:Complemento/>".to_owned(), complement(&tfd)),
            (complement(""), complement(&tfd)),
            (addenda.to_owned(), format!("{}{addenda}", complement(&tfd))),
            (
                format!("{filled}{addenda}"),
                format!("{}{addenda}", complement(&format!("<a/>{tfd}"))),
            ),
        ] {
            let found = sealed(&before).complete(Some(&declared));
            assert_eq!(found, Shown::Own(document(&after)));
        }
        let plain = Sealed::new(r#"<Comprobante Sello="abc="><a/></Comprobante>"#.to_owned());
        assert!(matches!(plain.unwrap().complete(Some(&tfd)), Shown::Own(_)));
        let withholding = |inner: &str| {
            let body = "<retenciones:Totales/>";
            format!(
                r#"<retenciones:Retenciones Sello="abc=" xmlns:retenciones="http://www.sat.gob.mx/esquemas/retencionpago/2">{body}{inner}</retenciones:Retenciones>"#
            )
        };
        let complement =
            |inner: &str| format!("<retenciones:Complemento>{inner}</retenciones:Complemento>");
        for (before, after) in [
            (String::new(), complement(&tfd)),
            (complement("<a/>"), complement(&format!("<a/>{tfd}"))),
        ] {
            let sealed = Sealed::new(withholding(&before)).unwrap();
            assert_eq!(sealed.complete(Some(&tfd)), Shown::Own(withholding(&after)));
        }
        for other in [stamp("other"), "<a/>".to_owned(), "x".to_owned()] {
            assert_eq!(sealed("").complete(Some(&other)), Shown::Other);
        }
        assert_eq!(sealed("").complete(None), Shown::Nothing);
    }
}
