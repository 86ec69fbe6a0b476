//! Commands to be typed beside a running service, with what they need to work on its database.

use crate::settings::{
    Origin, Settings,
    sources::{FILE_DEFAULT, Row},
};

/// Without these a command would work on another database, or make keys that the service does not know.
const NEEDED: &[&str] = &["data_dir", "database_url", "master_key", "brand"];
/// These say where links lead to.
pub(crate) const FOR_LINKS: &[&str] = &["listen", "public_url", "tls_cert"];

/// How the settings in effect were given.
pub(crate) struct Beside<'a> {
    pub(crate) settings: &'a Settings,
    pub(crate) rows: &'a [Row],
}

impl Beside<'_> {
    /// The command of these words with the flags that this process was given, of what commands need and `further`. Secrets
    /// are left out.
    pub(crate) fn command(&self, words: &str, further: &[&str]) -> String {
        let file = self.rows.iter().find_map(|row| match &row.origin {
            Origin::File(path) if path != FILE_DEFAULT => Some(("config", path.as_str())),
            _ => None,
        });
        let given = self.rows.iter().filter(|row| {
            let is_needed = NEEDED.contains(&row.name) || further.contains(&row.name);
            is_needed && row.origin == Origin::Flag && !self.is_secret(row)
        });
        let flags = file.into_iter().chain(given.map(|row| (row.name, row.value.as_str())));
        flags.fold(format!("trastienda {words}"), |command, (name, value)| {
            format!("{command} --{} {}", name.replace('_', "-"), quoted(value))
        })
    }

    /// What commands need besides: variables that another terminal may not have, and secrets.
    pub(crate) fn note(&self) -> Option<String> {
        let needed = self.rows.iter().filter(|row| NEEDED.contains(&row.name));
        let hidden = needed.filter(|row| match row.origin {
            Origin::Environment => true,
            Origin::Flag => self.is_secret(row),
            Origin::File(_) | Origin::Default => false,
        });
        let names: Vec<&str> = hidden.map(|row| row.env).collect();
        (!names.is_empty()).then(|| format!("# with the same {} as here:", names.join(", ")))
    }

    fn is_secret(&self, row: &Row) -> bool {
        match row.name {
            "master_key" => true,
            "database_url" => row.value != self.settings.database_url.reveal(),
            _ => false,
        }
    }
}

/// A word as a shell reads it.
fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "_./:@,+-".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::Sources;

    #[test]
    fn commands_find_the_database_of_the_service() {
        let (settings, mut rows) = Settings::read(&Sources::default()).unwrap();
        let told = |rows: &[Row], further: &[&str]| {
            let beside = Beside { settings: &settings, rows };
            (beside.command("users list", further), beside.note())
        };
        assert_eq!(told(&rows, &[]), ("trastienda users list".to_owned(), None));
        let mut give = |name: &str, value: &str, origin: Origin| {
            let row = rows.iter_mut().find(|row| row.name == name).unwrap();
            (row.value, row.origin) = (value.to_owned(), origin);
        };
        give("data_dir", "/srv/my shop", Origin::Flag);
        give("brand", "tienda", Origin::Flag);
        give("listen", "127.0.0.1:9000", Origin::Flag);
        give("log", "debug", Origin::Flag);
        give("master_key", "***", Origin::Environment);
        // It differs from the URL in effect, as one whose password is masked.
        give("database_url", "postgres://shop:***@db/shop", Origin::Flag);
        give("http_workers", "2", Origin::File("shop.toml".to_owned()));
        let (command, note) = told(&rows, FOR_LINKS);
        let expected = "trastienda users list --config shop.toml --listen 127.0.0.1:9000 \
                        --data-dir '/srv/my shop' --brand tienda";
        assert_eq!(command, expected);
        let note = note.unwrap();
        assert!(note.contains("TRASTIENDA_DATABASE_URL, TRASTIENDA_MASTER_KEY"), "{note}");
        assert!(!told(&rows, &[]).0.contains("listen"));
    }

    #[test]
    fn words_are_quoted_as_shells_read_them() {
        for (word, as_typed) in [("./a-b_1.db", "./a-b_1.db"), ("", "''"), ("a b", "'a b'")] {
            assert_eq!(quoted(word), as_typed);
        }
        assert_eq!(quoted("it's $5"), r"'it'\''s $5'");
    }
}
