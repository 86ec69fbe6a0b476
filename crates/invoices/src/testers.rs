//! To whom test accounts send mail: nobody but those who test.

use std::fmt;

use kernel::{FieldFault, message};

/// Addresses, and domains all of whose addresses count: `ana@tienda.example`, `@tienda.example`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Testers(Vec<String>);

impl Testers {
    /// Reads addresses and domains separated by commas; `none` and nothing give nobody.
    ///
    /// # Errors
    /// The one that is neither.
    pub fn parse(text: &str) -> Result<Self, String> {
        let names = text.split(',').map(str::trim).filter(|name| !matches!(*name, "" | "none"));
        let read = |name: &str| match name.split_once('@') {
            Some((_, domain)) if !domain.is_empty() && !domain.contains(['@', ' ']) => {
                Ok(name.to_ascii_lowercase())
            }
            _ => Err(name.to_owned()),
        };
        names.map(read).collect::<Result<_, _>>().map(Self)
    }

    fn include(&self, address: &str) -> bool {
        let address = address.to_ascii_lowercase();
        self.0.iter().any(|tester| match tester.strip_prefix('@') {
            Some(domain) => address.rsplit_once('@').is_some_and(|(_, own)| own == domain),
            None => address == *tester,
        })
    }

    /// Refuses mail to anybody else.
    pub(crate) fn check(&self, to: &[String]) -> Result<(), FieldFault> {
        let Some(stranger) = to.iter().find(|address| !self.include(address)) else {
            return Ok(());
        };
        let problem = message!(
            "names {stranger}, but a test account sends mail to nobody but the addresses of the setting test_mail_to: \
             {self}",
            "indica {stranger}, pero una cuenta de pruebas solo envía correo a las direcciones del ajuste \
             test_mail_to: {self}"
        );
        Err(FieldFault::new("to", problem))
    }
}

impl fmt::Display for Testers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() { f.write_str("none") } else { f.write_str(&self.0.join(",")) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_and_domains_are_read_and_shown() {
        for (text, shown) in [
            ("", "none"),
            ("none", "none"),
            ("Ana@Tienda.example, @uni.example", "ana@tienda.example,@uni.example"),
        ] {
            let testers = Testers::parse(text).unwrap();
            assert_eq!(testers.to_string(), shown);
            assert_eq!(Testers::parse(shown).unwrap(), testers);
        }
        for wrong in ["ana", "ana@", "@", "ana@uni@example", "a@b c"] {
            assert_eq!(Testers::parse(&format!("eva@uni.example,{wrong}")), Err(wrong.to_owned()));
        }
    }

    #[test]
    fn nobody_else_gets_mail() {
        let testers = Testers::parse("ana@tienda.example,@uni.example").unwrap();
        let check = |to: &str| testers.check(&[to.to_owned()]).is_ok();
        assert!(check("ana@tienda.example") && check("ANA@tienda.example"));
        assert!(check("eva@uni.example") && check("eva@UNI.example"));
        for stranger in
            ["eva@tienda.example", "eva@sub.uni.example", "eva@muni.example", "uni.example"]
        {
            assert!(!check(stranger), "{stranger}");
        }
        let both = ["eva@uni.example".to_owned(), "otra@tienda.example".to_owned()];
        assert_eq!(testers.check(&both).unwrap_err().field, "to");
        assert!(Testers::default().check(&both).is_err());
    }
}
