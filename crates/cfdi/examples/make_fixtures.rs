//! Makes certificates and keys in `fixtures/csd` anew: all, or the named ones.
//!
//! `cargo run -p cfdi --example make_fixtures [-- NAME...]`

use std::{env, error::Error, fs, path::Path};

use cfdi::csd::{
    key,
    rand_core::OsRng,
    sandbox::{self, Order, Purpose},
};
use kernel::Timestamp;

const PASSWORD: &str = "12345678a";

const COMPANY: &str = "EKU9003173C9 / VADA800927DJ3";
const COMPANY_NAME: &str = "ESCUELA KEMPER URGATE";

/// File name, RFC as the certificate has it, name, purpose, first and last year.
const FILES: [(&str, &str, &str, Purpose, u16, u16); 5] = [
    ("EKU9003173C9", COMPANY, COMPANY_NAME, Purpose::Seal, 2023, 2035),
    ("CACX7605101P8", "CACX7605101P8", "XOCHILT CASAS CHAVEZ", Purpose::Seal, 2023, 2035),
    ("EKU9003173C9_expired", COMPANY, COMPANY_NAME, Purpose::Seal, 2015, 2019),
    ("EKU9003173C9_fiel", COMPANY, COMPANY_NAME, Purpose::Fiel, 2023, 2035),
    ("AAA010101AAA_provider", "AAA010101AAA", "PROVEEDOR SANDBOX", Purpose::Stamp, 2023, 2035),
];

fn main() -> Result<(), Box<dyn Error>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/csd");
    let named: Vec<String> = env::args().skip(1).collect();
    for (file, rfc, legal_name, purpose, first, last) in FILES {
        if !named.is_empty() && !named.iter().any(|name| name == file) {
            continue;
        }
        let order = Order {
            rfc,
            legal_name,
            purpose,
            not_before: Timestamp::parse(&format!("{first}-01-01T06:00:00Z"))?,
            not_after: Timestamp::parse(&format!("{last}-01-01T06:00:00Z"))?,
        };
        let issued = sandbox::issue(&order, &mut OsRng)?;
        let key = key::encrypt(&issued.pkcs8_der, PASSWORD, &mut OsRng)?;
        fs::write(folder.join(format!("{file}.cer")), &issued.cer_der)?;
        fs::write(folder.join(format!("{file}.key")), key)?;
    }
    Ok(())
}
