//! Where settings are given: flags, environment, file.

use std::{collections::BTreeMap, fmt, io, path::Path};

use clap::{ArgMatches, parser::ValueSource};

use super::{Settings, Value};

/// The settings file that is read when none is named, if it is there.
pub const FILE_DEFAULT: &str = "trastienda.toml";

/// Where the value of a setting came from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// A flag on the command line.
    Flag,
    /// An environment variable.
    Environment,
    /// The settings file at this path.
    File(String),
    /// The default.
    Default,
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Flag => f.write_str("flag"),
            Self::Environment => f.write_str("environment"),
            Self::File(path) => write!(f, "file {path}"),
            Self::Default => f.write_str("default"),
        }
    }
}

/// A setting as it is shown.
#[derive(Clone, Debug)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct Row {
    /// Its name in the settings file.
    pub name: &'static str,
    /// Its value in effect, secrets masked.
    pub value: String,
    /// Source of the value.
    pub origin: Origin,
    /// Its environment variable.
    pub env: &'static str,
    pub meaning: &'static str,
}

/// A setting that cannot be used: one sentence that names it and the fix.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadSetting(String);

impl fmt::Display for BadSetting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for BadSetting {}

/// The texts given for settings, each with where it was given.
#[derive(Debug, Default)]
pub struct Sources(BTreeMap<&'static str, (String, Origin)>);

impl Sources {
    /// What the command line and the environment give, over what the settings file gives: the one that
    /// `--config` or its variable names, else [`FILE_DEFAULT`].
    ///
    /// # Errors
    /// A settings file that is named but not there, cannot be read, or holds something else than settings.
    pub fn gather(matches: &ArgMatches) -> Result<Self, BadSetting> {
        let variables = std::env::vars_os().filter_map(|(name, _)| name.into_string().ok());
        refuse_unknown(variables)?;
        let mut sources = Self::default();
        let named = matches.get_one::<String>("config").filter(|path| !path.is_empty());
        let path = Path::new(named.map_or(FILE_DEFAULT, String::as_str));
        match std::fs::read_to_string(path) {
            Ok(text) => sources.add_file(&path.display().to_string(), &text)?,
            Err(error) if error.kind() == io::ErrorKind::NotFound && named.is_none() => {}
            Err(error) => {
                let path = path.display();
                return Err(BadSetting(format!(
                    "cannot read the settings file {path} ({error}): check the path given with \
                     --config or TRASTIENDA_CONFIG"
                )));
            }
        }
        sources.add_matches(matches)?;
        Ok(sources)
    }

    /// Takes over what the command line and the environment give.
    ///
    /// # Errors
    /// When the address of the database is given and empty: on the default one nobody would find their data.
    pub(super) fn add_matches(&mut self, matches: &ArgMatches) -> Result<(), BadSetting> {
        for (name, _) in Settings::DECLARED {
            let origin = match matches.value_source(name) {
                Some(ValueSource::CommandLine) => Origin::Flag,
                Some(ValueSource::EnvVariable) => Origin::Environment,
                _ => continue,
            };
            let Some(text) = matches.get_one::<String>(name) else { continue };
            // Compose files and units pass empty variables for what nobody set.
            if origin == Origin::Environment && text.is_empty() {
                if name == &"database_url" {
                    return Err(BadSetting(
                        "database_url (environment TRASTIENDA_DATABASE_URL) is empty; name a database, or \
                         unset the variable to use the default"
                            .to_owned(),
                    ));
                }
                continue;
            }
            self.0.insert(name, (text.clone(), origin));
        }
        Ok(())
    }

    /// Takes over the settings of a file's `text`.
    ///
    /// # Errors
    /// What is not TOML, not a setting, or a table where a value belongs.
    pub fn add_file(&mut self, path: &str, text: &str) -> Result<(), BadSetting> {
        let table: toml::Table = text.parse().map_err(|error: toml::de::Error| {
            let before = error.span().and_then(|span| text.get(..span.start)).unwrap_or_default();
            let line = before.lines().count().max(1);
            let problem = error.message();
            BadSetting(format!(
                "the settings file {path} is not valid TOML, see line {line}: {problem}",
            ))
        })?;
        for (name, value) in &table {
            let declared = Settings::DECLARED.iter().find(|(declared, _)| declared == name);
            let Some((declared, _)) = declared else { return Err(unknown(path, name)) };
            let Some(text) = text_of(value) else {
                return Err(BadSetting(format!(
                    "{name} (file {path}) must be a string or a number, not a {}",
                    value.type_str()
                )));
            };
            self.0.insert(declared, (text, Origin::File(path.to_owned())));
        }
        Ok(())
    }

    /// The value given for a setting and where it was given.
    ///
    /// # Errors
    /// When the text is not right for the setting.
    pub fn find<T: Value>(
        &self,
        name: &'static str,
        env: &'static str,
    ) -> Result<(Option<T>, Origin), BadSetting> {
        let Some((text, origin)) = self.0.get(name) else { return Ok((None, Origin::Default)) };
        let place = match origin {
            Origin::Flag => format!("flag --{}", name.replace('_', "-")),
            Origin::Environment => format!("environment {env}"),
            other => other.to_string(),
        };
        // The text itself is not repeated: what is mistaken for a URL may hold its password.
        let bad = |problem| BadSetting(format!("{name} ({place}) {problem}"));
        Ok((Some(T::read(text).map_err(bad)?), origin.clone()))
    }
}

/// What variables of this program begin with.
const PREFIX: &str = "TRASTIENDA_";
/// Variables beside those of settings: the settings file, and those of the project's tests, tools and examples.
const OTHER_VARIABLES: &[&str] = &[
    "TRASTIENDA_BENCH_",
    "TRASTIENDA_BIN",
    "TRASTIENDA_CONFIG",
    "TRASTIENDA_FAULTS_",
    "TRASTIENDA_JUDGE_",
    "TRASTIENDA_RECORD_",
    "TRASTIENDA_SEEN_FILE",
    "TRASTIENDA_TEST_",
    "TRASTIENDA_WEBHOOK_SECRET",
];

/// Refuses variables that look like settings and are none: a misspelt one would be left out without a word.
pub(super) fn refuse_unknown(names: impl Iterator<Item = String>) -> Result<(), BadSetting> {
    let is_known = |name: &str| {
        Settings::DECLARED.iter().any(|(_, env)| *env == name)
            || OTHER_VARIABLES.iter().any(|other| name.starts_with(other))
    };
    let mut unknown: Vec<String> =
        names.filter(|name| name.starts_with(PREFIX) && !is_known(name)).collect();
    unknown.sort();
    let Some(name) = unknown.first() else { return Ok(()) };
    Err(BadSetting(format!(
        "{name} (environment) is not a setting; `trastienda config` shows those that there are"
    )))
}

fn unknown(path: &str, name: &str) -> BadSetting {
    let names: Vec<&str> = Settings::DECLARED.iter().map(|(name, _)| *name).collect();
    BadSetting(format!(
        "{name} (file {path}) is not a setting; the settings are {}",
        names.join(", ")
    ))
}

/// The text of a value, as a flag would give it; lists become comma lists.
fn text_of(value: &toml::Value) -> Option<String> {
    match value {
        toml::Value::String(text) => Some(text.clone()),
        toml::Value::Integer(number) => Some(number.to_string()),
        toml::Value::Array(values) => {
            let texts: Option<Vec<String>> = values.iter().map(text_of).collect();
            Some(texts?.join(","))
        }
        _ => None,
    }
}
