//! SOAP 1.1 as far as the providers use it.

use hyper::body::Bytes;
use quick_xml::escape::{escape, unescape};
use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use roxmltree::{Document, Node};

use super::{
    ending::Failure,
    http::{Answer, Post, headers},
};

const ENVELOPE: &str = "http://schemas.xmlsoap.org/soap/envelope/";

/// The request of an operation with its fields in order.
pub(super) fn post(
    url: String,
    action: &'static str,
    namespace: &str,
    operation: &str,
    fields: &[(&str, &str)],
) -> Post {
    let mut body = format!(
        r#"<?xml version="1.0" encoding="UTF-8"?><s:Envelope xmlns:s="{ENVELOPE}" xmlns:o="{namespace}"><s:Body><o:{operation}>"#
    );
    for (name, value) in fields {
        body.extend(["<o:", name, ">", &escape(*value), "</o:", name, ">"]);
    }
    body.extend(["</o:", operation, "></s:Body></s:Envelope>"]);
    let mut headers: HeaderMap = headers(HeaderValue::from_static("text/xml; charset=utf-8"));
    headers.insert(HeaderName::from_static("soapaction"), HeaderValue::from_static(action));
    Post { url, headers, body: Bytes::from(body) }
}

/// Reads the result that an answer carries in an element of that local name.
pub(super) fn read<T>(
    answer: &Answer,
    result: &str,
    reader: impl FnOnce(Node<'_, '_>) -> T,
) -> Result<T, Failure> {
    let text = str::from_utf8(&answer.body).map_err(|_| Failure::nonsense())?;
    let text = text.trim_start_matches('\u{feff}').trim_start();
    let document = Document::parse(text).map_err(|_| Failure::nonsense())?;
    let envelope = document.root_element();
    let is = |node: &Node<'_, '_>, name| {
        node.tag_name().name() == name && node.tag_name().namespace() == Some(ENVELOPE)
    };
    let body = envelope.children().find(|node| is(node, "Body"));
    let body = body.filter(|_| is(&envelope, "Envelope")).ok_or_else(Failure::nonsense)?;
    descendant(body, result).map(reader).ok_or_else(Failure::nonsense)
}

/// The first element of that local name within another.
pub(super) fn descendant<'a, 'i>(node: Node<'a, 'i>, name: &str) -> Option<Node<'a, 'i>> {
    node.descendants().find(|node| node.tag_name().name() == name)
}

/// The text of the first element of that local name within another; nothing when it is blank.
pub(super) fn text(node: Node<'_, '_>, name: &str) -> Option<String> {
    let parts = descendant(node, name)?.children().filter_map(|part| part.text());
    let text = parts.collect::<String>();
    Some(text.trim().to_owned()).filter(|text| !text.is_empty())
}

/// The same for an element that carries XML. One that was escaped twice is read nevertheless.
pub(super) fn xml(node: Node<'_, '_>, name: &str) -> Option<String> {
    let text = text(node, name)?;
    if !text.starts_with("&lt;") {
        return Some(text);
    }
    Some(unescape(&text).map_or_else(|_| text.clone(), |xml| xml.into_owned()))
}
