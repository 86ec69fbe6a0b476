//! The limit of stampings: signatures that OpenSSL makes on one core, of the size that a seal is.

use std::process::Command;

use anyhow::{Context, ensure};

/// RSA signatures of 2,048 bits per second, measured for so many seconds.
pub(crate) fn signatures(seconds: u32) -> anyhow::Result<f64> {
    let seconds = seconds.to_string();
    let said =
        Command::new("openssl").args(["speed", "-mr", "-seconds", &seconds, "rsa2048"]).output();
    let said = said.context("running openssl")?;
    ensure!(said.status.success(), "openssl: {}", String::from_utf8_lossy(&said.stderr));
    let said = String::from_utf8(said.stdout)?;
    parse(&said).with_context(|| format!("reading: {said}"))
}

/// Of a report for machines (`+F2:index:bits:signatures per second:verifications per second`).
fn parse(said: &str) -> Option<f64> {
    let line = said.lines().find_map(|line| line.strip_prefix("+F2:"))?;
    let mut fields = line.split(':').skip(1);
    let (bits, rate) = (fields.next()?, fields.next()?);
    rate.parse().ok().filter(|_| bits == "2048")
}

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn the_report_of_openssl_is_read() {
        let said =
            "+DTP:2048:private:rsa:1\n+R1:3008:2048:1.00\n+F2:2:2048:3008.000000:47782.539683\n";
        assert_eq!(parse(said), Some(3_008.0));
        assert_eq!(parse("+F2:1:1024:9008.0:87782.5\n"), None);
        assert_eq!(parse("nothing"), None);
    }
}
