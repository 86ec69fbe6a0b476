//! Descriptions out of shops' exports: HTML without its tags.

/// The text of a piece of HTML: a line for each paragraph, entities spelt out.
pub(crate) fn text_of_html(html: &str) -> String {
    let mut text = String::with_capacity(html.len());
    let mut rest = html;
    while let Some(at) = rest.find(['<', '&']) {
        let (before, from) = rest.split_at(at);
        text.push_str(before);
        rest = match from.strip_prefix('<') {
            Some(tag) => match tag.split_once('>') {
                Some((name, behind)) if begins_tag(name) => {
                    if breaks_line(name) {
                        text.push('\n');
                    }
                    behind
                }
                _ => {
                    text.push('<');
                    tag
                }
            },
            None => entity(from, &mut text),
        };
    }
    text.push_str(rest);
    let lines = text.lines().map(kernel::text::collapsed).filter(|line| !line.is_empty());
    lines.collect::<Vec<_>>().join("\n")
}

fn begins_tag(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_alphabetic() || matches!(c, '/' | '!'))
}

fn breaks_line(tag: &str) -> bool {
    let name = tag.trim_start_matches('/');
    let name = name.split(|c: char| !c.is_ascii_alphanumeric()).next().unwrap_or_default();
    const BLOCKS: &[&str] =
        &["br", "p", "div", "li", "ul", "ol", "h1", "h2", "h3", "h4", "h5", "h6", "tr", "table"];
    BLOCKS.iter().any(|block| block.eq_ignore_ascii_case(name))
}

/// Adds the character of the entity that a text begins with; what follows it.
fn entity<'a>(from: &'a str, text: &mut String) -> &'a str {
    const NAMES: &[(&str, char)] = &[
        ("amp", '&'),
        ("lt", '<'),
        ("gt", '>'),
        ("quot", '"'),
        ("apos", '\''),
        ("nbsp", ' '),
        ("aacute", 'á'),
        ("eacute", 'é'),
        ("iacute", 'í'),
        ("oacute", 'ó'),
        ("uacute", 'ú'),
        ("ntilde", 'ñ'),
        ("Aacute", 'Á'),
        ("Eacute", 'É'),
        ("Iacute", 'Í'),
        ("Oacute", 'Ó'),
        ("Uacute", 'Ú'),
        ("Ntilde", 'Ñ'),
        ("uuml", 'ü'),
    ];
    let known = from.get(1..).and_then(|from| from.split_once(';')).and_then(|(name, rest)| {
        let number =
            name.strip_prefix('#').and_then(|number| match number.strip_prefix(['x', 'X']) {
                Some(hex) => u32::from_str_radix(hex, 16).ok(),
                None => number.parse().ok(),
            });
        let by_number = number.and_then(char::from_u32).filter(|c| !c.is_control());
        let by_name = NAMES.iter().find(|(known, _)| *known == name).map(|(_, c)| *c);
        by_number.or(by_name).map(|c| (c, rest))
    });
    match known {
        Some((character, rest)) => {
            text.push(character);
            rest
        }
        None => {
            text.push('&');
            from.get(1..).unwrap_or_default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_go_and_text_stays() {
        for (html, text) in [
            ("<p>Taza <b>azul</b></p><p>350&nbsp;ml</p>", "Taza azul\n350 ml"),
            ("a<br/>b", "a\nb"),
            ("3 < 4 &amp; 5 &lt; 6 &#241; &x; &", "3 < 4 & 5 < 6 ñ &x; &"),
            ("plain", "plain"),
            ("<unclosed", "<unclosed"),
            ("", ""),
        ] {
            assert_eq!(text_of_html(html), text);
        }
    }
}
