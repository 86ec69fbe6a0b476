//! Which page a path is of.

use crate::page::{Method, Page};

/// What stands in the place of each name in the path.
pub(crate) type Parameters = Vec<(&'static str, String)>;

/// What a path leads to.
pub(crate) enum Found<'a> {
    /// A page.
    Page(&'a Page, Parameters),
    /// There is one, which takes the other method.
    OtherMethod,
    /// There is none.
    Nothing,
}

/// The page at a path below `/panel`; a literal segment goes before one in braces.
pub(crate) fn find<'a>(pages: &'a [Page], method: Method, path: &str) -> Found<'a> {
    let fitting = pages.iter().filter_map(|page| {
        let (literal, parameters) = fit(page.path, path)?;
        Some((literal, page, parameters))
    });
    let mut fitting: Vec<_> = fitting.collect();
    let most = fitting.iter().map(|(literal, ..)| *literal).max();
    fitting.retain(|(literal, ..)| Some(*literal) == most);
    if fitting.is_empty() {
        return Found::Nothing;
    }
    match fitting.into_iter().find(|(_, page, _)| page.method == method) {
        Some((_, page, parameters)) => Found::Page(page, parameters),
        None => Found::OtherMethod,
    }
}

/// The declared path of the page that shows a form, by the declared path that it is sent to: the same one, or the nearest
/// above it.
pub(crate) fn showing(pages: &[Page], sent: &'static str) -> Option<&'static str> {
    let is_read =
        |path: &str| pages.iter().any(|page| page.method == Method::Get && page.path == path);
    let mut path = sent;
    while !is_read(path) {
        path = path.rsplit_once('/')?.0;
    }
    Some(path)
}

/// The path of the page that shows a form, by the path that it is sent to.
pub(crate) fn shown_at(pages: &[Page], sent: &str) -> Option<String> {
    let Found::Page(page, _) = find(pages, Method::Post, sent) else { return None };
    let segments = showing(pages, page.path)?.split('/').count();
    Some(sent.split('/').take(segments).collect::<Vec<_>>().join("/"))
}

/// How many segments of a pattern stand in the path as they are, and what stands for the others.
fn fit(pattern: &'static str, path: &str) -> Option<(usize, Parameters)> {
    let (mut literal, mut parameters) = (0, Parameters::new());
    let mut segments = path.split('/');
    for part in pattern.split('/') {
        let segment = segments.next()?;
        match part.strip_prefix('{').and_then(|part| part.strip_suffix('}')) {
            Some(_) if segment.is_empty() => return None,
            Some(name) => parameters.push((name, segment.to_owned())),
            None if part == segment => literal += 1,
            None => return None,
        }
    }
    segments.next().is_none().then_some((literal, parameters))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literals_count_and_names_are_filled() {
        let name = |value: &str| vec![("id", value.to_owned())];
        assert_eq!(fit("orders/{id}", "orders/7"), Some((1, name("7"))));
        assert_eq!(fit("orders/{id}", "orders/new"), Some((1, name("new"))));
        assert_eq!(fit("orders/new", "orders/new"), Some((2, Vec::new())));
        assert_eq!(fit("", ""), Some((1, Vec::new())));
        for (pattern, path) in
            [("orders/{id}", "orders/"), ("orders", "orders/"), ("orders/{id}", "orders/7/x")]
        {
            assert_eq!(fit(pattern, path), None, "{pattern} {path}");
        }
    }
}
