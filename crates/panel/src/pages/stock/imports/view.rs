//! How imports are shown.

use cfdi::catalogs::zones::Zone;
use imports::{
    Column, Import, ImportError, ImportFailure, ImportKind, ImportState, Mode, PreviewRow,
};
use kernel::page::Page;

use super::{
    super::view::{Cell, Detail, Table, figures, words},
    columns::name,
};
use crate::{
    call::{Call, Member},
    format::{grouped, moment},
    list,
    parts::{Pill, Progress, Tone},
    texts::Say,
};

/// A table of imports, each with the place where it lies.
pub(super) fn table(
    call: &Call<Member>,
    zone: Zone,
    known: &[Import],
    at: impl Fn(&Import) -> String,
) -> Table {
    let say = call.say();
    let heads = vec![
        words(say.date()),
        words(say.state()),
        figures(say.rows()),
        figures(say.rows_created()),
        figures(say.rows_updated()),
        figures(say.rows_unchanged()),
        figures(say.rows_refused()),
    ];
    let row = |import: &Import| {
        let counts = import.counts;
        let figure = |count: u64| Cell::text(grouped(count));
        let tried = if import.options.dry_run { say.dry_run() } else { "" };
        vec![
            Cell::link(moment(import.created_at, zone, call.language).text, at(import)),
            Cell::pill(state(say, import.state)).hint(tried),
            Cell::text(import.total.map(grouped).unwrap_or_default()),
            figure(counts.created),
            figure(counts.updated),
            figure(counts.unchanged),
            figure(counts.failed),
        ]
    };
    Table::new(heads, known.iter().map(row))
}

/// One import: how far it is, what a dry run has understood, and a page of what was wrong with rows, which lies at a place.
pub(super) fn detail(
    call: &Call<Member>,
    zone: Zone,
    import: &Import,
    (errors, own): (&Page<ImportError>, &str),
) -> Detail {
    let say = call.say();
    let (options, counts) = (&import.options, import.counts);
    let done = grouped(counts.processed);
    let far = match import.total.map(grouped) {
        Some(total) => say.rows_of(&done, &total),
        None => say.rows_so_far(&done),
    };
    let reckoned = (counts.processed, import.total);
    let progress = Progress::new(say.rows_progress(), reckoned, far, !import.state.is_ended());
    let mut facts = vec![(say.date(), moment(import.created_at, zone, call.language).text)];
    if import.kind != ImportKind::Stock {
        facts.push((say.import_mode(), mode_name(say, options.mode).to_owned()));
    }
    if options.dry_run {
        facts.push((say.dry_run(), say.dry_run_hint().to_owned()));
    }
    let failure = import.failure.as_ref().map(ImportFailure::message);
    facts.extend(failure.map(|why| (say.reason(), why.in_language(call.language).to_owned())));
    facts.extend([
        (say.rows_created(), grouped(counts.created)),
        (say.rows_updated(), grouped(counts.updated)),
        (say.rows_unchanged(), grouped(counts.unchanged)),
        (say.rows_refused(), grouped(counts.failed)),
        (say.rows_warned(), grouped(counts.warned)),
    ]);
    if let Some(understood) = &import.understood
        && !understood.unused.is_empty()
    {
        facts.push((say.columns_left_alone(), understood.unused.join(", ")));
    }
    let preview = (!import.preview.is_empty())
        .then(|| (say.rows_understood(), previewed(say, import.kind, &import.preview)));
    let wrong = (!errors.items.is_empty()).then(|| (say.rows_wrong(), judged(call, &errors.items)));
    let pager = wrong.is_some().then(|| list::pager(say, own, &call.query, errors));
    let progress = Some(progress);
    Detail {
        progress,
        facts,
        tables: preview.into_iter().chain(wrong).collect(),
        pager,
        ..Detail::default()
    }
}

fn previewed(say: Say, kind: ImportKind, rows: &[PreviewRow]) -> Table {
    let heads = vec![figures(say.row()), words(say.outcome()), words(say.understood_as())];
    let row = |row: &PreviewRow| {
        let outcome = match row.outcome.as_str() {
            "created" => say.would_create(),
            "updated" => say.would_update(),
            "unchanged" => say.would_leave(),
            _ => say.would_refuse(),
        };
        let called = |field: &str| {
            let known = Column::fields(kind).iter().find(|column| column.name() == field);
            known.map_or_else(|| field.to_owned(), |column| name(say, *column).to_owned())
        };
        let values = row.values.iter().map(|(field, value)| format!("{}: {value}", called(field)));
        let values = values.collect::<Vec<_>>().join("; ");
        vec![Cell::text(row.row.to_string()), Cell::text(outcome), Cell::text(values)]
    };
    Table::new(heads, rows.iter().map(row))
}

fn judged(call: &Call<Member>, errors: &[ImportError]) -> Table {
    let say = call.say();
    let heads = vec![
        figures(say.row()),
        words(say.column()),
        words(say.value()),
        words(say.what_is_wrong()),
    ];
    let row = |error: &ImportError| {
        let told = error.code.message().in_language(call.language).to_owned();
        let kind = if error.code.is_warning() { say.only_a_warning() } else { "" };
        vec![
            Cell::text(error.row.to_string()),
            Cell::text(error.column.clone().unwrap_or_default()),
            Cell::text(error.value.clone()),
            Cell::text(told).hint(kind),
        ]
    };
    Table::new(heads, errors.iter().map(row))
}

/// What a mode is called.
pub(super) const fn mode_name(say: Say, mode: Mode) -> &'static str {
    match mode {
        Mode::Upsert => say.mode_upsert(),
        Mode::Create => say.mode_create(),
        Mode::Update => say.mode_update(),
    }
}

/// How far an import is.
pub(super) fn state(say: Say, state: ImportState) -> Pill {
    match state {
        ImportState::Queued => Pill::new(Tone::Plain, say.import_waits()),
        ImportState::Running => Pill::new(Tone::Plain, say.import_runs()),
        ImportState::Completed => Pill::new(Tone::Good, say.import_completed()),
        ImportState::CompletedWithErrors => {
            Pill::new(Tone::Waiting, say.import_completed_with_errors())
        }
        ImportState::Failed => Pill::new(Tone::Bad, say.import_failed()),
        ImportState::Canceled => Pill::new(Tone::Bad, say.called_off()),
    }
}
