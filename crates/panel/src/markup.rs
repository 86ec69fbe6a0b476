//! Markup that a template has made.

use std::fmt;

use askama::{Template, filters::HtmlSafe};

/// HTML that is shown as it is. Only a template makes it, so that a text never becomes markup.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Markup(String);

impl Markup {
    /// What a template draws. Writing to memory does not fail.
    pub(crate) fn of(template: &impl Template) -> Self {
        Self(template.render().unwrap_or_default())
    }

    /// Its HTML.
    pub(crate) fn into_html(self) -> String {
        self.0
    }
}

impl HtmlSafe for Markup {}

impl fmt::Display for Markup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use std::{
        fs,
        path::{Path, PathBuf},
    };

    fn templates(folder: &Path, found: &mut Vec<PathBuf>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            match path.is_dir() {
                true => templates(&path, found),
                false => found.push(path),
            }
        }
    }

    /// What a page's policy would refuse, and what would let a text become markup.
    #[test]
    fn templates_escape_everything_and_carry_neither_script_nor_style() {
        let mut found = Vec::new();
        templates(&Path::new(env!("CARGO_MANIFEST_DIR")).join("templates"), &mut found);
        assert!(found.len() > 20);
        for path in found {
            let text = fs::read_to_string(&path).unwrap();
            for refused in
                ["|safe", "| safe", " style=", "<script>", "<style", " onclick=", "javascript:"]
            {
                assert!(!text.contains(refused), "{refused} in {}", path.display());
            }
        }
    }
}
