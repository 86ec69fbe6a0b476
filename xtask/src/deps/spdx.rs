//! SPDX licence expressions: `(MIT OR Apache-2.0) AND Unicode-3.0`.

use anyhow::{Result, bail, ensure};

/// Whether the licences in `allow` suffice to use code under `expression`.
///
/// The slash of older manifests (`MIT/Apache-2.0`) is an OR. A licence with an exception is its own
/// licence: `Apache-2.0 WITH LLVM-exception` must be allowed by that whole name.
pub(super) fn allowed(expression: &str, allow: &[String]) -> Result<bool> {
    let spaced = expression.replace('(', " ( ").replace(')', " ) ").replace('/', " OR ");
    let words: Vec<&str> = spaced.split_whitespace().collect();
    let mut reader = Reader { rest: &words, allow };
    let answer = reader.either()?;
    ensure!(reader.rest.is_empty(), "`{}` where the expression should end", reader.rest.join(" "));
    Ok(answer)
}

/// Evaluates while it reads: AND binds closer than OR, as in SPDX.
struct Reader<'a> {
    rest: &'a [&'a str],
    allow: &'a [String],
}

impl<'a> Reader<'a> {
    fn either(&mut self) -> Result<bool> {
        let mut answer = self.both()?;
        while self.take("OR") {
            answer |= self.both()?;
        }
        Ok(answer)
    }

    fn both(&mut self) -> Result<bool> {
        let mut answer = self.one()?;
        while self.take("AND") {
            answer &= self.one()?;
        }
        Ok(answer)
    }

    fn one(&mut self) -> Result<bool> {
        if self.take("(") {
            let answer = self.either()?;
            ensure!(self.take(")"), "a parenthesis is not closed");
            return Ok(answer);
        }
        let license = self.name()?;
        if self.take("WITH") {
            let exception = self.name()?;
            return Ok(self.allows(&format!("{license} WITH {exception}")));
        }
        Ok(self.allows(license))
    }

    fn name(&mut self) -> Result<&'a str> {
        match self.rest {
            [] => bail!("a licence is missing at the end"),
            [word @ ("OR" | "AND" | "WITH" | "(" | ")"), ..] => {
                bail!("`{word}` where a licence should be")
            }
            [name, rest @ ..] => {
                self.rest = rest;
                Ok(name)
            }
        }
    }

    fn take(&mut self, word: &str) -> bool {
        match self.rest {
            [first, rest @ ..] if *first == word => {
                self.rest = rest;
                true
            }
            _ => false,
        }
    }

    fn allows(&self, license: &str) -> bool {
        self.allow.iter().any(|allowed| allowed == license)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(expression: &str, expected: Option<bool>) {
        let allow = ["MIT", "Apache-2.0", "Unicode-3.0", "GPL-2.0 WITH Classpath-exception-2.0"];
        let answer = allowed(expression, &allow.map(str::to_owned));
        assert_eq!(answer.ok(), expected, "{expression}");
    }

    #[test]
    fn one_side_of_or_suffices_and_both_of_and_are_needed() {
        check("MIT", Some(true));
        check("GPL-3.0", Some(false));
        check("GPL-3.0 OR MIT", Some(true));
        check("MIT AND GPL-3.0", Some(false));
        check("MIT AND Apache-2.0", Some(true));
    }

    #[test]
    fn and_binds_closer_than_or_unless_in_parentheses() {
        check("MIT OR GPL-3.0 AND BSL-1.0", Some(true));
        check("(MIT OR GPL-3.0) AND BSL-1.0", Some(false));
        check("(MIT OR Apache-2.0) AND Unicode-3.0", Some(true));
        check("((GPL-3.0) OR (MIT AND (Apache-2.0)))", Some(true));
    }

    #[test]
    fn a_slash_is_an_or() {
        check("MIT/Apache-2.0", Some(true));
        check("GPL-3.0 / Apache-2.0", Some(true));
        check("GPL-3.0/BSL-1.0", Some(false));
    }

    #[test]
    fn an_exception_makes_another_licence() {
        check("GPL-2.0 WITH Classpath-exception-2.0", Some(true));
        check("GPL-2.0", Some(false));
        check("Apache-2.0 WITH LLVM-exception", Some(false));
        check("Apache-2.0 WITH LLVM-exception OR Apache-2.0 OR MIT", Some(true));
    }

    #[test]
    fn nonsense_is_an_error_not_a_yes() {
        for nonsense in
            ["", "MIT OR", "OR MIT", "(MIT", "MIT)", "MIT Apache-2.0", "MIT WITH", "MIT WITH OR"]
        {
            check(nonsense, None);
        }
    }
}
