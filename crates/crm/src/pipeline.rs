//! Pipelines: the stages that deals pass through.

use kernel::{FieldFault, Timestamp, message};

use crate::DealStatus;

kernel::ids! {
    /// A pipeline's identifier.
    PipelineId = "pipe";
    /// A stage's identifier.
    StageId = "stage";
}

/// The most characters of a name.
pub const NAME_CHARS_MAX: usize = 100;
/// The most pipelines of an account.
pub const PIPELINES_MAX: usize = 50;
/// The most stages of a pipeline.
pub const STAGES_MAX: usize = 30;
/// Certain, in percent.
pub const CERTAIN: u8 = 100;

/// A stage of a pipeline.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stage {
    /// Unique identifier.
    pub id: StageId,
    /// What people call it.
    pub name: String,
    /// Where deals in it stand.
    pub kind: DealStatus,
    /// How likely a deal in it is won, in percent; 100 where it is won, 0 where it is lost.
    pub probability: u8,
}

/// A pipeline.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pipeline {
    /// Unique identifier.
    pub id: PipelineId,
    /// What people call it.
    pub name: String,
    /// Whether deals go there that name no other.
    pub is_default: bool,
    /// In their order; at least one of each kind.
    pub stages: Vec<Stage>,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it was last changed.
    pub updated_at: Timestamp,
    /// Number of changes, starting at 1.
    pub version: i64,
}

impl Pipeline {
    /// The first stage of a kind.
    #[must_use]
    pub fn first(&self, kind: DealStatus) -> Option<&Stage> {
        self.stages.iter().find(|stage| stage.kind == kind)
    }

    /// One of its stages.
    #[must_use]
    pub fn stage(&self, id: StageId) -> Option<&Stage> {
        self.stages.iter().find(|stage| stage.id == id)
    }
}

/// A stage as somebody wants it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WantedStage {
    /// A stage that there is, or a new one.
    pub id: Option<StageId>,
    /// What people call it.
    pub name: String,
    /// Where deals in it stand.
    pub kind: DealStatus,
    /// In percent; required of an open one.
    pub probability: Option<u8>,
}

/// A pipeline to be added.
#[derive(Clone, Debug)]
pub struct NewPipeline {
    /// What people call it.
    pub name: String,
    /// Whether deals go there from now on that name no other.
    pub is_default: bool,
    /// In their order.
    pub stages: Vec<WantedStage>,
}

/// What to change of a pipeline; what is absent stays.
#[derive(Clone, Debug, Default)]
pub struct PipelineChanges {
    /// What people call it.
    pub name: Option<String>,
    /// Only `true` changes anything: another pipeline becomes the default instead.
    pub is_default: Option<bool>,
    /// All of them, in their order; those not named are removed.
    pub stages: Option<Vec<WantedStage>>,
}

/// Why a command about pipelines was refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PipelineError {
    /// The account has as many as it may have.
    TooMany,
    /// The default pipeline is not deleted.
    IsDefault,
    /// Deals are in a stage that is to go or to become one of another kind.
    StageInUse {
        /// That stage.
        stage: StageId,
        /// What it is called.
        name: String,
    },
}

/// The stages that are wanted, checked; `known` are those of the pipeline, `new_id` gives identifiers.
///
/// # Errors
/// What is wrong with them, by field.
pub fn stages(
    wanted: Vec<WantedStage>,
    known: &[Stage],
    mut new_id: impl FnMut() -> StageId,
) -> Result<Vec<Stage>, Vec<FieldFault>> {
    let mut faults = Vec::new();
    let mut stages: Vec<Stage> = Vec::with_capacity(wanted.len());
    for (place, stage) in wanted.into_iter().enumerate() {
        let mut fault = |field: &str, problem| {
            faults.push(FieldFault::new(format!("stages[{place}].{field}"), problem));
        };
        let is_known = |id: StageId| known.iter().any(|stage| stage.id == id);
        if let Some(id) = stage.id {
            if !is_known(id) {
                let problem = message!(
                    "names no stage of this pipeline; leave it out for a new one",
                    "no corresponde a ninguna etapa de este embudo; omitirlo para una nueva"
                );
                fault("id", problem);
            } else if stages.iter().any(|other| other.id == id) {
                fault("id", message!("is there twice", "está repetido"));
            }
        }
        if stages.iter().any(|other| other.name == stage.name) {
            fault("name", message!("is that of another stage too", "es también el de otra etapa"));
        }
        let probability = match probability(stage.kind, stage.probability) {
            Ok(probability) => probability,
            Err(problem) => {
                fault("probability", problem);
                0
            }
        };
        let id = stage.id.unwrap_or_else(&mut new_id);
        stages.push(Stage { id, name: stage.name, kind: stage.kind, probability });
    }
    for kind in DealStatus::EVERY {
        if !stages.iter().any(|stage| stage.kind == *kind) {
            let name = kind.name();
            let problem = message!(
                "must have at least one stage of kind {name}",
                "debe tener al menos una etapa de tipo {name}"
            );
            faults.push(FieldFault::new("stages", problem));
        }
    }
    if faults.is_empty() { Ok(stages) } else { Err(faults) }
}

/// The probability of a stage: what was given, or what follows from its kind.
fn probability(kind: DealStatus, given: Option<u8>) -> Result<u8, kernel::Message> {
    match (kind, given) {
        (DealStatus::Open, Some(percent)) => Ok(percent),
        (DealStatus::Open, None) => Err(message!(
            "is required for an open stage: how likely a deal there is won, in percent",
            "es obligatorio en una etapa abierta: qué tan probable es ganar una oportunidad que está ahí, en porcentaje"
        )),
        (DealStatus::Won, None | Some(CERTAIN)) => Ok(CERTAIN),
        (DealStatus::Lost, None | Some(0)) => Ok(0),
        (DealStatus::Won, Some(_)) => Err(message!(
            "must be 100 for a stage of kind won",
            "debe ser 100 en una etapa de tipo won"
        )),
        (DealStatus::Lost, Some(_)) => Err(message!(
            "must be 0 for a stage of kind lost",
            "debe ser 0 en una etapa de tipo lost"
        )),
    }
}

/// Adds a pipeline.
///
/// # Errors
/// What is wrong with its stages, by field.
pub fn create(
    command: NewPipeline,
    id: PipelineId,
    new_stage: impl FnMut() -> StageId,
    now: Timestamp,
) -> Result<Pipeline, Vec<FieldFault>> {
    let NewPipeline { name, is_default, stages: wanted } = command;
    let stages = stages(wanted, &[], new_stage)?;
    Ok(Pipeline { id, name, is_default, stages, created_at: now, updated_at: now, version: 1 })
}

/// The pipeline that an account begins with, in the words of a Mexican salesroom; all of it can be renamed.
#[must_use]
pub fn standard(
    id: PipelineId,
    mut new_stage: impl FnMut() -> StageId,
    now: Timestamp,
) -> Pipeline {
    let mut stage = |(name, kind, probability): (&str, _, _)| Stage {
        id: new_stage(),
        name: name.to_owned(),
        kind,
        probability,
    };
    let stages = [
        ("Contacto", DealStatus::Open, 10),
        ("Propuesta", DealStatus::Open, 40),
        ("Negociación", DealStatus::Open, 70),
        ("Ganada", DealStatus::Won, CERTAIN),
        ("Perdida", DealStatus::Lost, 0),
    ];
    Pipeline {
        id,
        name: "Ventas".to_owned(),
        is_default: true,
        stages: stages.into_iter().map(&mut stage).collect(),
        created_at: now,
        updated_at: now,
        version: 1,
    }
}

/// A changed pipeline.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChangedPipeline {
    /// What it becomes.
    pub pipeline: Pipeline,
    /// Stages in which no deal may be: they go, or become ones of another kind.
    pub emptied: Vec<Stage>,
}

/// Changes a pipeline; only a real change makes a new version.
///
/// # Errors
/// What is wrong with it, by field.
pub fn update(
    before: &Pipeline,
    changes: PipelineChanges,
    new_stage: impl FnMut() -> StageId,
    now: Timestamp,
) -> Result<ChangedPipeline, Vec<FieldFault>> {
    if changes.is_default == Some(false) && before.is_default {
        let problem = message!(
            "stays true: make another pipeline the default instead",
            "se queda en true: hacer que otro embudo sea el predeterminado"
        );
        return Err(vec![FieldFault::new("isDefault", problem)]);
    }
    let mut after = before.clone();
    after.name = changes.name.unwrap_or(after.name);
    after.is_default |= changes.is_default.unwrap_or_default();
    if let Some(wanted) = changes.stages {
        after.stages = stages(wanted, &before.stages, new_stage)?;
    }
    let is_emptied =
        |stage: &&Stage| after.stage(stage.id).is_none_or(|kept| kept.kind != stage.kind);
    let emptied = before.stages.iter().filter(is_emptied).cloned().collect();
    if after != *before {
        after.updated_at = now;
        after.version += 1;
    }
    Ok(ChangedPipeline { pipeline: after, emptied })
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    fn at(seconds: i64) -> Timestamp {
        Timestamp::from_micros(seconds)
    }

    fn ids() -> impl FnMut() -> StageId {
        let mut last = 0;
        move || {
            last += 1;
            StageId::from_u128(last)
        }
    }

    pub(crate) fn pipeline() -> Pipeline {
        standard(PipelineId::from_u128(1), ids(), at(0))
    }

    fn wanted(stage: &Stage) -> WantedStage {
        WantedStage {
            id: Some(stage.id),
            name: stage.name.clone(),
            kind: stage.kind,
            probability: Some(stage.probability),
        }
    }

    fn fields(faults: &[FieldFault]) -> Vec<&str> {
        faults.iter().map(|fault| fault.field.as_str()).collect()
    }

    #[test]
    fn what_is_wrong_with_stages_is_named() {
        let stage = |name: &str, kind, probability| WantedStage {
            id: None,
            name: name.to_owned(),
            kind,
            probability,
        };
        let (open, won, lost) = (DealStatus::Open, DealStatus::Won, DealStatus::Lost);
        let cases: &[(Vec<WantedStage>, &[&str])] = &[
            (vec![stage("A", open, Some(5)), stage("B", won, None), stage("C", lost, None)], &[]),
            (vec![stage("A", open, Some(5))], &["stages", "stages"]),
            (
                vec![stage("A", open, None), stage("A", won, Some(99)), stage("C", lost, Some(1))],
                &[
                    "stages[0].probability",
                    "stages[1].name",
                    "stages[1].probability",
                    "stages[2].probability",
                ],
            ),
        ];
        for (wanted, expected) in cases {
            let faults = stages(wanted.clone(), &[], ids()).err().unwrap_or_default();
            assert_eq!(fields(&faults), *expected);
        }
        let mut twice: Vec<_> = pipeline().stages.iter().map(wanted).collect();
        twice[1].id = twice[0].id;
        twice[2].id = Some(StageId::from_u128(99));
        let faults = stages(twice, &pipeline().stages, ids()).unwrap_err();
        assert_eq!(fields(&faults), ["stages[1].id", "stages[2].id"]);
    }

    #[test]
    fn stages_that_go_or_change_their_kind_must_be_empty() {
        let before = pipeline();
        let mut stages: Vec<_> = before.stages.iter().map(wanted).collect();
        stages.remove(1);
        stages[1].kind = DealStatus::Lost;
        stages[1].probability = None;
        stages[0].name = "Primer contacto".to_owned();
        let changes = PipelineChanges { stages: Some(stages), ..PipelineChanges::default() };
        let changed = update(&before, changes, ids(), at(1)).unwrap();
        assert_eq!(changed.emptied, before.stages[1..3]);
        assert_eq!((changed.pipeline.version, changed.pipeline.stages.len()), (2, 4));
    }

    #[test]
    fn the_default_stays_until_another_takes_over() {
        let before = pipeline();
        let changes = |is_default| PipelineChanges { is_default, ..PipelineChanges::default() };
        let faults = update(&before, changes(Some(false)), ids(), at(1)).unwrap_err();
        assert_eq!(fields(&faults), ["isDefault"]);
        let same = update(&before, changes(Some(true)), ids(), at(1)).unwrap();
        assert_eq!(same.pipeline, before);
        let other = Pipeline { is_default: false, ..before };
        assert!(update(&other, changes(Some(true)), ids(), at(1)).unwrap().pipeline.is_default);
    }
}
