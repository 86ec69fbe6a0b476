//! The form of a pipeline: a row for each stage, in the order of its numbers.

use crm::{
    DealStatus, Pipeline, StageId, WantedStage,
    pipeline::{CERTAIN, NAME_CHARS_MAX},
};
use intake::{
    Fields, Form,
    checks::{flag, id, line, one_of, whole, whole_from},
    noun,
};
use kernel::{FieldFault, message};

use super::super::status_name;
use crate::{
    form::Values,
    pages::reading::{row_of, rows_filled},
    parts::Field,
    reply::whole as told_whole,
    texts::Say,
};

/// The names of the fields of a stage, which are those that the API has.
struct Row {
    group: &'static str,
    id: &'static str,
    name: &'static str,
    kind: &'static str,
    probability: &'static str,
    /// Where it stands among the others.
    order: &'static str,
}

macro_rules! rows {
    ($($place:literal)+) => {
        &[$(Row {
            group: concat!("stages[", $place, "]"),
            id: concat!("stages[", $place, "].id"),
            name: concat!("stages[", $place, "].name"),
            kind: concat!("stages[", $place, "].kind"),
            probability: concat!("stages[", $place, "].probability"),
            order: concat!("stages[", $place, "].order"),
        }),+]
    };
}

/// As many as a pipeline may have.
const ROWS: &[Row] =
    rows!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29);
/// Empty rows below those that are filled in.
const ROWS_MORE: usize = 2;
/// Above all places.
const ORDER_MAX: i64 = 999;

/// What a form says of a pipeline.
pub(super) struct Filled {
    pub(super) name: String,
    pub(super) is_default: bool,
    pub(super) stages: Vec<WantedStage>,
    /// The version that the form was filled in on.
    pub(super) version: Option<i64>,
    /// The places of the rows that the stages are from.
    places: Vec<usize>,
}

pub(super) const FORM: Form<Filled> =
    Form::body("Pipeline", noun("this form", "este formulario"), read, "");

fn read(fields: &mut Fields<'_>) -> Option<Filled> {
    let name = fields.required("name", line(NAME_CHARS_MAX));
    let is_default = fields.optional("isDefault", flag()).unwrap_or_default();
    let rows = ROWS.iter().enumerate();
    let mut stages: Vec<_> =
        rows.filter_map(|(place, row)| read_stage(fields, place, row)).collect();
    stages.sort_by_key(|(order, place, _)| (*order, *place));
    let version = fields.optional("version", whole_from(1));
    let places = stages.iter().map(|(_, place, _)| *place).collect();
    let stages = stages.into_iter().map(|(_, _, stage)| stage).collect();
    Some(Filled { name: name?, is_default, stages, version, places })
}

/// A stage with where it stands and the place of its row; a row without a name is none, whatever stage it was.
fn read_stage(
    fields: &mut Fields<'_>,
    place: usize,
    row: &Row,
) -> Option<(i64, usize, WantedStage)> {
    let id = id(noun("a stage", "una etapa"), StageId::PREFIX, StageId::parse);
    let id = fields.optional(row.id, id);
    let name = fields.optional(row.name, line(NAME_CHARS_MAX));
    let kind = fields.optional(row.kind, one_of(DealStatus::EVERY, DealStatus::name));
    let probability = fields.optional(row.probability, whole(0..=CERTAIN.into()));
    let order = fields.optional(row.order, whole(1..=ORDER_MAX));
    let stands = i64::try_from(place).unwrap_or(ORDER_MAX) + 1;
    let stage = WantedStage {
        id,
        name: name?,
        kind: kind.unwrap_or(DealStatus::Open),
        probability: probability.and_then(|percent| u8::try_from(percent).ok()),
    };
    Some((order.unwrap_or(stands), place, stage))
}

impl Filled {
    /// A fault at the field of the form: stages stand in their order, rows where they are.
    pub(super) fn placed(&self, fault: FieldFault) -> FieldFault {
        if fault.field == "stages" {
            return told_whole(message!(
                "A pipeline has at least one open stage, one where deals are won and one where they are lost.",
                "Un embudo tiene al menos una etapa abierta, una donde se ganan las oportunidades y una donde se pierden."
            ));
        }
        let moved = row_of("stages", &fault.field).and_then(|(index, rest)| {
            let place = self.places.get(index)?;
            Some(format!("stages[{place}]{}", if rest == ".id" { ".name" } else { rest }))
        });
        match moved {
            Some(field) => FieldFault { field, ..fault },
            None => fault,
        }
    }
}

/// What a pipeline would have been filled in as.
pub(super) fn of_pipeline(pipeline: &Pipeline) -> Vec<(String, String)> {
    let mut pairs = vec![
        ("name".to_owned(), pipeline.name.clone()),
        ("version".to_owned(), pipeline.version.to_string()),
    ];
    for (place, (row, stage)) in ROWS.iter().zip(&pipeline.stages).enumerate() {
        pairs.extend([
            (row.id.to_owned(), stage.id.to_string()),
            (row.name.to_owned(), stage.name.clone()),
            (row.kind.to_owned(), stage.kind.name().to_owned()),
            (row.probability.to_owned(), stage.probability.to_string()),
            (row.order.to_owned(), (place + 1).to_string()),
        ]);
    }
    pairs
}

/// What the stages of the rows are known by; a row that is left empty is that of a stage which somebody has added meanwhile.
pub(super) fn stage_ids(values: &Values, now: &Values) -> Vec<(&'static str, String)> {
    let is_elsewhere = |id: &str| ROWS.iter().any(|row| values.filled(row.id) == Some(id));
    let id = |row: &Row| {
        let own = values.filled(row.id);
        let added = || now.filled(row.id).filter(|id| !is_elsewhere(id));
        let id = own.or_else(|| added().filter(|_| values.filled(row.name).is_none()))?;
        Some((row.id, id.to_owned()))
    };
    ROWS.iter().filter_map(id).collect()
}

/// The fields of a pipeline, which may become the default one; with rows for all that any of `shown` has.
pub(super) fn drawn(
    say: Say,
    values: &Values,
    shown: &[&Values],
    may_become_default: bool,
) -> Vec<Field> {
    let kinds = || {
        let kind = |kind: &DealStatus| (kind.name().to_owned(), status_name(say, *kind).to_owned());
        DealStatus::EVERY.iter().map(kind).collect::<Vec<_>>()
    };
    let row = |(place, row): (usize, &Row)| {
        let fields = vec![
            Field::text(row.name, say.name(), values).autocomplete("off"),
            Field::select(row.kind, say.stage_kind(), kinds(), values),
            Field::input("number", row.probability, say.stage_probability(), values),
            Field::input("number", row.order, say.stage_order(), values),
        ];
        Field::group(row.group, say.stage_number(place + 1), fields).led()
    };
    let is_filled = |name: &str| shown.iter().any(|values| values.filled(name).is_some());
    let is_row = |row: &Row| is_filled(row.name) || is_filled(row.id);
    let count = rows_filled(ROWS, is_row) + ROWS_MORE;
    let default =
        may_become_default.then(|| Field::tick("isDefault", say.pipeline_default(), values));
    let rows = ROWS.iter().take(count).enumerate().map(row);
    let name = Field::text("name", say.name(), values);
    [name].into_iter().chain(rows).chain(default).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::list::encoded;

    fn read(pairs: &[(&str, &str)]) -> Filled {
        let pairs = pairs.iter().filter(|(_, text)| !text.is_empty());
        let body: Vec<_> =
            pairs.map(|(name, text)| format!("{}={}", encoded(name), encoded(text))).collect();
        FORM.read_urlencoded(body.join("&").as_bytes()).unwrap()
    }

    #[test]
    fn stages_stand_in_the_order_of_their_numbers_and_go_without_a_name() {
        let filled = read(&[
            ("name", "Mayoreo"),
            ("stages[0].name", "Contacto"),
            ("stages[0].kind", "open"),
            ("stages[0].probability", "20"),
            ("stages[0].order", "2"),
            ("stages[1].id", "stage_00000000000000000000000001"),
            ("stages[1].name", ""),
            ("stages[1].kind", "open"),
            ("stages[2].name", "Primero"),
            ("stages[2].kind", "open"),
            ("stages[2].order", "1"),
            ("stages[3].kind", "open"),
            ("stages[5].name", "Ganada"),
            ("stages[5].kind", "won"),
        ]);
        let names: Vec<_> = filled.stages.iter().map(|stage| stage.name.as_str()).collect();
        assert_eq!(names, ["Primero", "Contacto", "Ganada"]);
        assert_eq!(filled.stages[1].probability, Some(20));
        for (given, wanted) in [
            ("stages[0].probability", "stages[2].probability"),
            ("stages[2].name", "stages[5].name"),
            ("name", "name"),
            ("stages", ""),
        ] {
            let fault = FieldFault::new(given, message!("is wrong", "está mal"));
            assert_eq!(filled.placed(fault).field, wanted);
        }
    }
}
