//! The address of the database, which may hold a password that must never be shown.

use std::{
    fmt,
    path::{Path, PathBuf},
};

use super::value::Value;

/// The URL of a database. Everything that shows it masks its password.
#[derive(Clone, PartialEq, Eq)]
pub struct DatabaseUrl(String);

const SQLITE: &str = "sqlite://";
const POSTGRES: [&str; 2] = ["postgres://", "postgresql://"];
const MASK: &str = "***";
/// Query parameters of libpq that carry secrets.
const SECRET_PARAMETERS: [&str; 2] = ["password", "sslpassword"];
/// A shorter password cannot be searched for in other text without tearing innocent words apart.
const SEARCHED_CHARS_MIN: usize = 3;

impl DatabaseUrl {
    /// The SQLite file that a data folder holds by default.
    #[must_use]
    pub fn in_folder(folder: &Path) -> Self {
        Self(format!("{SQLITE}{}", folder.join("trastienda.db").display()))
    }

    /// The URL with its password, for the store alone.
    #[must_use]
    pub fn reveal(&self) -> &str {
        &self.0
    }

    /// Which database it is, for people.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        if self.sqlite_path().is_some() { "SQLite" } else { "PostgreSQL" }
    }

    /// The file, when the database is one.
    #[must_use]
    pub fn sqlite_path(&self) -> Option<PathBuf> {
        self.0.strip_prefix(SQLITE).map(PathBuf::from)
    }

    /// `text` without this URL's password: libpq quotes the URL in what it complains about.
    #[must_use]
    pub fn masked_in(&self, text: &str) -> String {
        let mut text = text.replace(&self.0, &self.show());
        // A password that should have been escaped is quoted in the pieces that libpq makes of it.
        let pieces = self.secrets().flat_map(|secret| secret.split(['@', '/', '?']));
        for secret in self.secrets().chain(pieces) {
            if secret.len() >= SEARCHED_CHARS_MIN {
                text = text.replace(secret, MASK);
            }
        }
        text
    }

    /// The password of `user:password@host`, from its first letter to the last `@`: one that should have
    /// been escaped is masked whole.
    fn password(&self) -> Option<&str> {
        let (_, rest) = self.0.split_once("://")?;
        let (user_and_password, _) = rest.rsplit_once('@')?;
        user_and_password.split_once(':').map(|(_, password)| password)
    }

    fn secrets(&self) -> impl Iterator<Item = &str> {
        let query = self.0.split_once('?').map_or("", |(_, query)| query);
        let parameters = query.split('&').filter_map(|pair| pair.split_once('='));
        let secret = parameters.filter(|(name, _)| SECRET_PARAMETERS.contains(name));
        self.password().into_iter().chain(secret.map(|(_, value)| value))
    }
}

impl Value for DatabaseUrl {
    fn read(text: &str) -> Result<Self, String> {
        let url = Self(text.to_owned());
        let file = url.sqlite_path().is_some_and(|path| !path.as_os_str().is_empty());
        if file || POSTGRES.iter().any(|scheme| text.starts_with(scheme)) {
            Ok(url)
        } else {
            Err("must be sqlite://PATH or postgres://USER:PASSWORD@HOST/DATABASE".to_owned())
        }
    }

    fn show(&self) -> String {
        let mut shown = self.0.clone();
        if let Some(password) = self.password().filter(|_| self.sqlite_path().is_none()) {
            shown = shown.replacen(&format!(":{password}@"), &format!(":{MASK}@"), 1);
        }
        for name in SECRET_PARAMETERS {
            shown = mask_parameter(&shown, name);
        }
        shown
    }
}

fn mask_parameter(url: &str, name: &str) -> String {
    let Some((before, query)) = url.split_once('?') else { return url.to_owned() };
    let pairs: Vec<String> = query
        .split('&')
        .map(|pair| match pair.split_once('=') {
            Some((found, _)) if found == name => format!("{name}={MASK}"),
            _ => pair.to_owned(),
        })
        .collect();
    format!("{before}?{}", pairs.join("&"))
}

impl fmt::Display for DatabaseUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.show())
    }
}

impl fmt::Debug for DatabaseUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.show())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passwords_are_masked() {
        let cases = [
            ("postgres://ana:s3cr3t@db/shop", "postgres://ana:***@db/shop"),
            ("postgresql://ana:s3@cr3t@db:5432/shop", "postgresql://ana:***@db:5432/shop"),
            ("postgres://ana:s3/cr?3t@db/shop", "postgres://ana:***@db/shop"),
            ("postgres://ana@db/shop", "postgres://ana@db/shop"),
            ("postgres:///shop?user=ana&password=s3cr3t", "postgres:///shop?user=ana&password=***"),
            ("postgres://db/shop?sslpassword=s3cr3t&a=b", "postgres://db/shop?sslpassword=***&a=b"),
            ("sqlite:///var/lib/a:b@c.db", "sqlite:///var/lib/a:b@c.db"),
        ];
        for (url, shown) in cases {
            let url = DatabaseUrl::read(url).unwrap();
            assert_eq!(url.show(), shown);
            assert_eq!(format!("{url} {url:?}"), format!("{shown} {shown}"));
        }
    }

    #[test]
    fn passwords_are_masked_in_foreign_text() {
        let url = DatabaseUrl::read("postgres://ana:s3cr3t@db/shop?sslpassword=0ther").unwrap();
        let text = "bad \"postgres://ana:s3cr3t@db/shop?sslpassword=0ther\", s3cr3t, 0ther";
        let masked = url.masked_in(text);
        assert!(!masked.contains("s3cr3t") && !masked.contains("0ther"), "{masked}");

        let url = DatabaseUrl::read("postgres://ana:s3#cr3t/x@db/shop").unwrap();
        let masked = url.masked_in("invalid integer value \"s3#cr3t\" for option \"port\"");
        assert!(!masked.contains("cr3t"), "{masked}");
    }

    #[test]
    fn only_known_databases_are_read() {
        for text in ["", "sqlite://", "data.db", "mysql://a/b", "sqlite:data.db"] {
            assert!(DatabaseUrl::read(text).is_err(), "{text}");
        }
        assert_eq!(
            DatabaseUrl::in_folder(Path::new("data")).reveal(),
            "sqlite://data/trastienda.db"
        );
    }
}
