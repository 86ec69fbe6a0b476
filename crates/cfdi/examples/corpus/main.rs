//! Writes a corpus of sealed documents, the same for the same seed, to be judged by `cargo xtask judge-cfdi`.
//!
//! `cargo run -p cfdi --example corpus -- FOLDER COUNT SEED`
//!
//! Each document is an XML file with the *cadena original* beside it (`.cadena`), and that of the stamp
//! (`.tfd`) where it has one. Names begin with what the document is.

mod addresses;
mod exports;
mod items;
mod journeys;
mod parties;
mod rates;
mod receipts;
mod rng;
mod sales;
mod stamps;
mod trades;
mod withholdings;
mod words;

use std::{collections::BTreeMap, env, error::Error, fs, path::Path, process::ExitCode};

use cfdi::{
    csd::Csd,
    decimal,
    document::{Document, Issuer},
    rules,
    seal::{self, Sealed},
    totals::Totals,
};
use kernel::{Amount, Timestamp};
use time::{Date, PrimitiveDateTime, macros::date};

use items::Catalogs;
use rng::Rng;

/// The day of every document: a corpus does not change with the calendar.
const DAY: Date = date!(2026 - 08 - 14);
/// When they are stamped: by the clock of the east it is the next day.
const NOW: &str = "2026-08-15T07:30:00Z";
const PASSWORD: &str = "12345678a";
/// One of so many documents is a withholding.
const WITHHOLDINGS_EVERY: u64 = 8;

/// A document, and what was paid for it where its total must be just that.
struct Made {
    document: Document,
    paid: Option<Amount>,
}

type Make = fn(&mut Rng, &Catalogs) -> Made;

const KINDS: [(i64, (&str, Make)); 10] = [
    (24, ("I-PUE", |rng, catalogs| sales::sale(rng, catalogs, false))),
    (12, ("I-PPD", |rng, catalogs| sales::sale(rng, catalogs, true))),
    (10, ("I-currency", |rng, catalogs| sales::sale_in_currency(rng, catalogs, false))),
    (8, ("I-foreigner", |rng, catalogs| sales::sale_in_currency(rng, catalogs, true))),
    (4, ("I-name", sales::sale_without_rfc)),
    (9, ("I-global", |rng, _| sales::global(rng))),
    (11, ("E", sales::credit_note)),
    (8, ("P", |rng, catalogs| receipts::receipt(rng, catalogs, false))),
    (8, ("P-currency", |rng, catalogs| receipts::receipt(rng, catalogs, true))),
    (6, ("T", sales::transfer)),
];

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let args: Vec<String> = env::args().skip(1).collect();
    let [folder, count, seed] = args.as_slice() else {
        return Err("give a folder, a count and a seed".into());
    };
    let corpus = Corpus::open(Path::new(folder), seed.parse()?)?;
    let mut problems = 0_u64;
    for number in 0..count.parse()? {
        let found = corpus.write(number)?;
        problems += u64::from(!found.is_empty());
        for problem in found.iter().take(3) {
            eprintln!("{problem}");
        }
    }
    if problems > 0 {
        eprintln!("{problems} documents of {count} have findings");
    }
    Ok(if problems == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Where documents go, and what all of them need.
struct Corpus<'a> {
    folder: &'a Path,
    seed: u64,
    now: Timestamp,
    catalogs: Catalogs,
    signers: BTreeMap<&'static str, Csd>,
    provider: Csd,
}

impl<'a> Corpus<'a> {
    fn open(folder: &'a Path, seed: u64) -> Result<Self, Box<dyn Error>> {
        let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/csd");
        let open = |name: &str| -> Result<Csd, Box<dyn Error>> {
            let read = |ending| fs::read(fixtures.join(format!("{name}.{ending}")));
            Ok(Csd::open(&read("cer")?, &read("key")?, PASSWORD)?)
        };
        let mut signers = BTreeMap::new();
        for rfc in ["EKU9003173C9", "CACX7605101P8"] {
            signers.insert(rfc, open(rfc)?);
        }
        let provider = open("AAA010101AAA_provider")?;
        fs::create_dir_all(folder)?;
        fs::write(folder.join("provider.cer"), provider.certificate().der())?;
        let now = Timestamp::parse(NOW)?;
        Ok(Self { folder, seed, now, catalogs: Catalogs::read(), signers, provider })
    }

    /// Makes the document of that number, and writes it whatever the rules find.
    fn write(&self, number: u64) -> Result<Vec<String>, Box<dyn Error>> {
        let mut rng = Rng::new(self.seed, number);
        if number % WITHHOLDINGS_EVERY == WITHHOLDINGS_EVERY - 1 {
            return self.write_withholding(&mut rng, number);
        }
        let (kind, made) = self.make(&mut rng);
        let kind = match (kind, made.document.complements.foreign_trade.is_some()) {
            ("T", true) => "T-export",
            (_, true) => "I-export",
            (kind, false) => kind,
        };
        let name = format!("{kind}_{number:06}");
        let signer = self.signer(&made.document.issuer)?;
        let sealed = seal::seal(&made.document, signer)?;
        self.save(&mut rng, &name, sealed, made.document.issued_at)?;
        Ok(self.problems(&name, &made, signer))
    }

    /// Makes a withholding, as [`write`](Self::write) does a document.
    fn write_withholding(&self, rng: &mut Rng, number: u64) -> Result<Vec<String>, Box<dyn Error>> {
        let (kind, made) = withholdings::withholding(rng);
        let name = format!("{kind}_{number:06}");
        let signer = self.signer(&made.issuer)?;
        self.save(rng, &name, seal::seal_withholding(&made, signer)?, made.issued_at)?;
        let mut found = rules::check_withholding(&made, self.now);
        let certificate = signer.certificate();
        found.extend(rules::check_withholding_certificate(&made, certificate, self.now));
        Ok(found.iter().map(|finding| told(&name, finding)).collect())
    }

    fn signer(&self, issuer: &Issuer) -> Result<&Csd, Box<dyn Error>> {
        Ok(self.signers.get(issuer.rfc.as_str()).ok_or("no such issuer")?)
    }

    /// Writes what was sealed, stamped now and then.
    fn save(
        &self,
        rng: &mut Rng,
        name: &str,
        sealed: Sealed,
        issued_at: PrimitiveDateTime,
    ) -> Result<(), Box<dyn Error>> {
        fs::write(self.folder.join(format!("{name}.cadena")), &sealed.cadena)?;
        let mut xml = sealed.xml;
        if rng.chance(30) {
            let stamp = stamps::stamp(rng, issued_at, sealed.seal, &self.provider)?;
            fs::write(self.folder.join(format!("{name}.tfd")), stamp.cadena())?;
            xml = stamp.attached_to(&xml);
        }
        Ok(fs::write(self.folder.join(format!("{name}.xml")), xml)?)
    }

    fn make(&self, rng: &mut Rng) -> (&'static str, Made) {
        let (kind, make) = rng.weighted(&KINDS);
        loop {
            let made = make(rng, &self.catalogs);
            if !receipts::is_void(&made.document) {
                return (kind, made);
            }
        }
    }

    /// What the rules find, and a total that is not what was paid.
    fn problems(&self, name: &str, made: &Made, signer: &Csd) -> Vec<String> {
        let document = &made.document;
        let mut found = rules::check(document, self.now);
        found.extend(rules::check_certificate(document, signer.certificate(), self.now));
        let mut problems: Vec<String> = found.iter().map(|finding| told(name, finding)).collect();
        // What states and municipalities charge comes on top of what the prices are.
        let totals = Totals::of(document);
        let total = decimal::less(totals.before_withholding(), totals.local_charged);
        if let Some(paid) = made.paid.filter(|paid| *paid != total) {
            problems.push(format!("{name}: {paid} was paid, but the total is {total}"));
        }
        problems
    }
}

/// What the rules have to say of a file.
fn told(name: &str, finding: &rules::Finding) -> String {
    format!("{name}: {} {}", finding.code, finding.message(rules::Language::English))
}

/// A time of the day.
fn issued_at(rng: &mut Rng) -> PrimitiveDateTime {
    let seconds = rng.between(0, 86_399);
    DAY.midnight() + time::Duration::seconds(seconds)
}
