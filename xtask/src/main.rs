//! `cargo xtask`: the project's tasks, in Rust so that they run wherever the project compiles.
//!
//! Without arguments it lists the tasks; [`tasks`] is the table behind both list and dispatch.

#![allow(clippy::print_stdout, reason = "a command line talks to its terminal")]

use std::env;
use std::process::ExitCode;

mod arch;
mod bench;
mod chromium;
mod ci;
mod command;
mod deps;
mod faults;
mod fuzz_api;
mod graph;
mod haproxy;
mod judge_cfdi;
mod judge_openapi;
mod judge_pages;
mod judge_payments;
mod node;
mod openapi;
mod packages;
mod pg;
mod postgres;
mod python;
mod release_data;
mod sat_catalogs;
mod scratch;
mod service;
mod tasks;
mod test;
mod valkey;

fn main() -> ExitCode {
    let mut args = env::args().skip(1);
    let Some(name) = args.next() else {
        print!("{}", tasks::list());
        return ExitCode::SUCCESS;
    };
    let Some(task) = tasks::find(&name) else {
        eprint!("error: no task is called `{name}`\n\n{}", tasks::list());
        return ExitCode::from(2);
    };
    let args: Vec<String> = args.collect();
    match (task.run)(&args) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}
