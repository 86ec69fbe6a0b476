//! `cargo xtask judge-cfdi`: the documents that the `cfdi` crate makes, judged by what nobody here wrote.
//!
//! A seeded corpus of every kind of document (the crate's example `corpus`) goes before the tax authority's
//! schemas and style sheets, the arithmetic of the Python package `satcfdi`, and the sum rules of SAT's
//! matrices in Python decimals. SAT's files come with `satcfdi`, of the version whose catalogs the crate
//! embeds. In the end some documents are broken on purpose, and must be refused.

mod judges;
mod options;

use std::env;
use std::fs;
use std::path::Path;
use std::time::Instant;

use anyhow::{Context, Result, bail};

use crate::command::{cargo, program, run as run_command, target_dir};
use options::Options;

/// `skip` leaves the sample out, `require` fails where the judges cannot be had.
const WISH: &str = "TRASTIENDA_JUDGE_CFDI";
const SAMPLE: u64 = 300;

/// Makes and judges as many documents as `args` say.
pub(crate) fn run(args: &[String]) -> Result<()> {
    judge(&Options::parse(args)?)
}

/// What the continuous integration judges. Where the judges cannot be had, since there is no python3 or PyPI is
/// out of reach, it says so loudly and goes on, unless they are required: a machine's lack is no fault of the
/// documents.
pub(crate) fn sample() -> Result<()> {
    let wish = env::var(WISH).unwrap_or_default();
    if wish == "skip" {
        println!("!!! SKIPPED: {WISH}=skip, so NO document has been judged by others !!!");
        return Ok(());
    }
    if let Err(error) = judges::provide(&target_dir()?.join("judge/python"))
        && wish != "require"
    {
        println!("!!! NOT JUDGED: {error:#}; {WISH}=require makes this a failure !!!");
        return Ok(());
    }
    judge(&Options { documents: SAMPLE, ..Options::default() })
}

fn judge(options: &Options) -> Result<()> {
    let folder = target_dir()?.join("judge");
    let python = judges::provide(&folder.join("python"))?;
    let corpus = folder.join("corpus");
    let start = Instant::now();
    // Documents that the crate's own rules refuse are written too: let the others say what they think.
    let made = make(&corpus, options);
    println!("{} documents made in {:.1} s", options.documents, start.elapsed().as_secs_f64());
    let start = Instant::now();
    let judged = run_command(&mut judges::judge(&python, &corpus, options));
    println!("Judged in {:.1} s", start.elapsed().as_secs_f64());
    match (made, judged) {
        (Ok(()), Ok(())) => Ok(()),
        (Err(error), Ok(())) => Err(error).context("the crate refuses what it made itself"),
        (Ok(()), Err(error)) => Err(error).context("documents are refused, or broken ones are not"),
        (Err(made), Err(judged)) => bail!("{made:#}\n{judged:#}"),
    }
}

/// Writes the corpus, in place of the last one.
fn make(corpus: &Path, options: &Options) -> Result<()> {
    if corpus.exists() {
        fs::remove_dir_all(corpus).with_context(|| corpus.display().to_string())?;
    }
    // Built for the package alone, its dependencies would have other features than beside all others, and be
    // compiled once more.
    run_command(cargo().args(["build", "--quiet", "--workspace", "--example", "corpus"]))?;
    let made = target_dir()?.join("debug/examples/corpus");
    let mut command = program(&made.to_string_lossy());
    command.arg(corpus).args([options.documents.to_string(), options.seed.to_string()]);
    run_command(&mut command)
}
