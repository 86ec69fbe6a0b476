//! Which browser somebody uses, by how it names itself.

/// What a browser has in its name, and what it is called; those that say they are like another stand before it.
const BROWSERS: &[(&str, &str)] = &[
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("SamsungBrowser/", "Samsung Internet"),
    ("FxiOS/", "Firefox"),
    ("Firefox/", "Firefox"),
    ("CriOS/", "Chrome"),
    ("Chrome/", "Chrome"),
    ("Safari/", "Safari"),
    ("curl/", "curl"),
];
const SYSTEMS: &[(&str, &str)] = &[
    ("Windows", "Windows"),
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Android", "Android"),
    ("CrOS", "ChromeOS"),
    ("Mac OS X", "macOS"),
    ("Linux", "Linux"),
];

/// `Chrome · Windows`; what is not known as it names itself.
pub(crate) fn browser(user_agent: &str) -> String {
    let of = |known: &[(&str, &'static str)]| {
        known.iter().find(|(mark, _)| user_agent.contains(mark)).map(|(_, name)| *name)
    };
    match (of(BROWSERS), of(SYSTEMS)) {
        (Some(browser), Some(system)) => format!("{browser} · {system}"),
        (Some(browser), None) => browser.to_owned(),
        (None, _) => user_agent.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn browsers_are_called_as_people_call_them() {
        let mozilla = |rest: &str| format!("Mozilla/5.0 {rest}");
        for (user_agent, name) in [
            (
                mozilla(
                    "(X11; Linux x86_64) AppleWebKit/537.36 HeadlessChrome/148.0 Safari/537.36",
                ),
                "Chrome · Linux",
            ),
            (
                mozilla(
                    "(Windows NT 10.0; Win64) AppleWebKit/537.36 Chrome/130 Safari/537.36 Edg/130",
                ),
                "Edge · Windows",
            ),
            (
                mozilla("(iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Safari/604.1"),
                "Safari · iPhone",
            ),
            (
                mozilla("(Macintosh; Intel Mac OS X 14.6; rv:132.0) Firefox/132.0"),
                "Firefox · macOS",
            ),
            ("curl/8.5.0".to_owned(), "curl"),
            ("something else".to_owned(), "something else"),
            (String::new(), ""),
        ] {
            assert_eq!(browser(&user_agent), name);
        }
    }
}
