//! Measures the service beside the limits of its machine, and kills it to see what survives.
//!
//! The service is a black box here: its binary is started, spoken to over HTTP, and killed.
//! Only the chaos audit looks into the database besides.
#![allow(clippy::print_stdout, reason = "a command-line tool whose results go to stdout")]

mod arguments;
mod benchmark;
mod chaos;
mod database;
mod disk;
mod http;
mod limits;
mod load;
mod machine;
mod process_usage;
mod random;
mod receiver;
mod run_directory;
mod service;
mod statistics;
mod wall_clock;

use std::process::ExitCode;

use clap::Parser;

use crate::arguments::{Arguments, Command};

fn main() -> ExitCode {
    let outcome = match Arguments::parse().command {
        Command::Bench(options) => benchmark::run(&options),
        Command::Chaos(options) => chaos::run(&options),
        Command::Static { listen } => limits::static_answer::serve(listen).map(|()| true),
        Command::Receiver { listen } => receiver::serve(listen).map(|()| true),
    };
    match outcome {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("bench: {error:#}");
            ExitCode::from(2)
        }
    }
}
