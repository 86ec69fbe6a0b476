//! The table of tasks.

use anyhow::{Result, ensure};

use crate::{
    arch, bench, ci, deps, faults, fuzz_api, judge_cfdi, judge_openapi, judge_pages,
    judge_payments, openapi, pg, release_data, sat_catalogs, test,
};

/// Something `cargo xtask NAME` can do.
pub(crate) struct Task {
    pub(crate) name: &'static str,
    usage: &'static str,
    summary: &'static str,
    pub(crate) run: fn(&[String]) -> Result<()>,
}

const TASKS: &[Task] = &[
    Task {
        name: "test",
        usage: "[-- ARGS...]",
        summary: "run every test on SQLite and PostgreSQL; ARGS go to the test runner",
        run: test::run,
    },
    Task {
        name: "pg",
        usage: "[--durable] -- COMMAND...",
        summary: "run COMMAND beside a private PostgreSQL, in DATABASE_URL",
        run: pg::run,
    },
    Task {
        name: "arch",
        usage: "",
        summary: "check the layers, the owners of outside crates and the files",
        run: |args| without_arguments(args).and_then(|()| arch::run()),
    },
    Task {
        name: "deps",
        usage: "",
        summary: "check licences, banned and double crates, and sources (deny.toml)",
        run: |args| without_arguments(args).and_then(|()| deps::run()),
    },
    Task {
        name: "ci",
        usage: "",
        summary: "everything a change must pass: test, judge-cfdi, judge-payments, fmt, clippy, docs, arch, deps",
        run: |args| without_arguments(args).and_then(|()| ci::run()),
    },
    Task {
        name: "bench",
        usage: "[ARGS...]",
        summary: "measure the service beside its limits",
        run: |args| bench::run("bench", args),
    },
    Task {
        name: "chaos",
        usage: "[ARGS...]",
        summary: "kill the service and its database while clients write",
        run: |args| bench::run("chaos", args),
    },
    Task {
        name: "faults",
        usage: "[--faults N]",
        summary: "fail providers, databases and the service while they stamp: one stamp, one charge",
        run: faults::run,
    },
    Task {
        name: "fuzz-api",
        usage: "[OPTIONS...]",
        summary: "send requests made from the OpenAPI document, right and wrong, and check the answers against it",
        run: fuzz_api::run,
    },
    Task {
        name: "judge-cfdi",
        usage: "[OPTIONS...]",
        summary: "verify generated CFDI documents with SAT's own schemas and third-party arithmetic",
        run: judge_cfdi::run,
    },
    Task {
        name: "judge-openapi",
        usage: "",
        summary: "have Redocly and Spectral look at the OpenAPI document",
        run: |args| without_arguments(args).and_then(|()| judge_openapi::run()),
    },
    Task {
        name: "judge-pages",
        usage: "[--screenshots FOLDER]",
        summary: "have axe-core look at every page that people see, in a browser, and time them on a slow processor",
        run: judge_pages::run,
    },
    Task {
        name: "judge-payments",
        usage: "",
        summary: "pay through third-party doubles of providers, and check signatures with their own libraries",
        run: |args| without_arguments(args).and_then(|()| judge_payments::run()),
    },
    Task {
        name: "openapi",
        usage: "",
        summary: "renew docs/openapi.json after a change of the API",
        run: |args| without_arguments(args).and_then(|()| openapi::run()),
    },
    Task {
        name: "sat-catalogs",
        usage: "[FOLDER]",
        summary: "rebuild SAT's catalogs in crates/cfdi/data, from wheels in FOLDER or the newest",
        run: sat_catalogs::run,
    },
    Task {
        name: "release-data",
        usage: "",
        summary: "keep what this release leaves in databases, for the upgrade tests of later ones",
        run: |args| without_arguments(args).and_then(|()| release_data::run()),
    },
];

/// The task of that name, if there is one.
pub(crate) fn find(name: &str) -> Option<&'static Task> {
    TASKS.iter().find(|task| task.name == name)
}

/// One line per task.
pub(crate) fn list() -> String {
    let line = |task: &Task| {
        let call = format!("{} {}", task.name, task.usage);
        format!("  {call:<28}  {}\n", task.summary)
    };
    let lines: String = TASKS.iter().map(line).collect();
    format!("Usage: cargo xtask TASK\n\n{lines}")
}

fn without_arguments(args: &[String]) -> Result<()> {
    ensure!(args.is_empty(), "this task takes no arguments, but was given `{}`", args.join(" "));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_task_is_listed_and_found_by_its_name() {
        let list = list();
        for task in TASKS {
            assert!(list.contains(task.summary));
            assert_eq!(find(task.name).map(|found| found.summary), Some(task.summary));
        }
        assert!(find("tset").is_none());
    }

    #[test]
    fn a_task_without_arguments_refuses_them() {
        assert!(without_arguments(&[]).is_ok());
        assert!(without_arguments(&["--fast".to_owned()]).is_err());
    }
}
