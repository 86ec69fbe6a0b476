//! Just enough SQL to read migrations: statements as words.

/// The words of every statement, in lower case unless quoted; each sign is a word of its own.
pub(super) fn statements(text: &str) -> Vec<Vec<String>> {
    let words = words(text);
    let statements = words.split(|word| word == ";").map(<[String]>::to_vec);
    statements.filter(|statement| !statement.is_empty()).collect()
}

fn words(text: &str) -> Vec<String> {
    let (mut words, mut chars) = (Vec::new(), text.chars().peekable());
    while let Some(first) = chars.next() {
        match first {
            '-' if chars.peek() == Some(&'-') => {
                let _ = chars.by_ref().find(|c| *c == '\n');
            }
            '\'' => {
                let mut word = String::from(first);
                for c in chars.by_ref() {
                    word.push(c);
                    if c == '\'' {
                        break;
                    }
                }
                words.push(word);
            }
            '"' | '`' => words.push(chars.by_ref().take_while(|c| *c != first).collect()),
            _ if is_of_word(first) => {
                let mut word = String::from(first.to_ascii_lowercase());
                while let Some(c) = chars.next_if(|c| is_of_word(*c)) {
                    word.push(c.to_ascii_lowercase());
                }
                words.push(word);
            }
            _ if first.is_whitespace() => {}
            sign => words.push(sign.to_string()),
        }
    }
    words
}

fn is_of_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// The parts between the commas outside of any parentheses.
pub(super) fn parts(words: &[String]) -> Vec<&[String]> {
    let (mut parts, mut start, mut depth) = (Vec::new(), 0, 0_i32);
    for (place, word) in words.iter().enumerate() {
        match word.as_str() {
            "(" => depth += 1,
            ")" => depth -= 1,
            "," if depth == 0 => {
                parts.extend(words.get(start..place));
                start = place + 1;
            }
            _ => {}
        }
    }
    parts.extend(words.get(start..));
    parts
}

/// What stands in the first parentheses.
pub(super) fn parenthesised(words: &[String]) -> &[String] {
    let Some(start) = words.iter().position(|word| word == "(") else { return &[] };
    let mut depth = 0_i32;
    for (place, word) in words.iter().enumerate().skip(start) {
        depth += i32::from(word == "(") - i32::from(word == ")");
        if depth == 0 {
            return words.get(start + 1..place).unwrap_or_default();
        }
    }
    &[]
}

/// The words behind these, if they stand at the start.
pub(super) fn behind<'a>(words: &'a [String], start: &[&str]) -> Option<&'a [String]> {
    let matches =
        words.len() >= start.len() && words.iter().zip(start).all(|(word, start)| word == start);
    matches.then(|| words.get(start.len()..).unwrap_or_default())
}

/// The words behind these where they are there, otherwise all.
pub(super) fn skip<'a>(words: &'a [String], start: &[&str]) -> &'a [String] {
    behind(words, start).unwrap_or(words)
}

/// Whether these words follow each other somewhere.
pub(super) fn has(words: &[String], wanted: &[&str]) -> bool {
    words.windows(wanted.len()).any(|window| window == wanted)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn joined(text: &str) -> Vec<String> {
        statements(text).iter().map(|words| words.join(" ")).collect()
    }

    #[test]
    fn statements_end_outside_of_quotes_and_comments() {
        let text = "-- a; b\nCREATE TABLE \"T\" (a TEXT DEFAULT 'X;y'); -- c\n\nDROP\tTABLE t;";
        assert_eq!(joined(text), ["create table T ( a text default 'X;y' )", "drop table t"]);
        assert_eq!(joined("-- nothing\n;;"), [""; 0]);
    }

    #[test]
    fn parts_are_cut_at_outer_commas() {
        let all = statements("a (b, c), d");
        let parts: Vec<_> = parts(&all[0]).iter().map(|part| part.join(" ")).collect();
        assert_eq!(parts, ["a ( b , c )", "d"]);
        assert_eq!(parenthesised(&all[0]).join(" "), "b , c");
    }
}
