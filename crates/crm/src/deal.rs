//! Deals: what may be sold to whom.

mod acting;

use kernel::{Amount, Currency, Day, FieldFault, Timestamp, message};
use serde::{Deserialize, Serialize};

use crate::{CustomerId, LeadId, Pipeline, PipelineId, Rank, Stage, StageId, customer::set};

pub use acting::{Act, Acted, Beside, act, agreed, placed};

kernel::ids! {
    /// A deal's identifier.
    DealId = "deal";
}

/// The most characters of a deal's title.
pub const TITLE_CHARS_MAX: usize = 200;
/// The most characters of why a deal was lost.
pub const REASON_CHARS_MAX: usize = 500;

/// Where a deal stands, and what kind of deals a stage holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub enum DealStatus {
    /// In progress.
    Open,
    Won,
    Lost,
}

impl DealStatus {
    /// Every status.
    pub const EVERY: &'static [Self] = &[Self::Open, Self::Won, Self::Lost];

    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Won => "won",
            Self::Lost => "lost",
        }
    }
}

/// Where a deal is: in a stage, among the others there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DealPlace {
    /// The pipeline of the stage.
    pub pipeline: PipelineId,
    /// The stage.
    pub stage: StageId,
    /// Its place in the order of the stage.
    pub rank: Rank,
}

/// A deal.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct Deal {
    pub id: DealId,
    pub title: String,
    /// Estimated value.
    pub value: Amount,
    /// The currency of the value.
    pub currency: Currency,
    pub status: DealStatus,
    /// `None` for one of a release without pipelines, until the account first uses them.
    pub place: Option<DealPlace>,
    /// The open stage that it was in when it was won or lost.
    pub left: Option<StageId>,
    /// Why it was lost.
    pub lost_reason: Option<String>,
    pub customer: Option<CustomerId>,
    pub lead: Option<LeadId>,
    pub owner: Option<String>,
    /// When it is expected to be won.
    pub expected_close: Option<Day>,
    pub won_at: Option<Timestamp>,
    pub lost_at: Option<Timestamp>,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
    /// Number of changes, starting at 1.
    pub version: i64,
}

impl Deal {
    /// The stage that it is in.
    #[must_use]
    pub fn stage(&self) -> Option<StageId> {
        self.place.as_ref().map(|place| place.stage)
    }
}

/// A deal to be added; its fields have been checked one by one.
#[derive(Clone, Debug)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct NewDeal {
    pub title: String,
    pub value: Amount,
    pub currency: Currency,
    /// The account's default one if absent.
    pub pipeline: Option<PipelineId>,
    /// An open stage; the first of the pipeline if absent.
    pub stage: Option<StageId>,
    pub customer: Option<CustomerId>,
    pub lead: Option<LeadId>,
    pub owner: Option<String>,
    pub expected_close: Option<Day>,
}

/// What to change of a deal; what is absent stays, and an inner `None` clears. Where it stands is changed by an [`Act`].
#[derive(Clone, Debug, Default)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct DealChanges {
    pub title: Option<String>,
    pub value: Option<Amount>,
    pub currency: Option<Currency>,
    pub customer: Option<Option<CustomerId>>,
    pub owner: Option<Option<String>>,
    pub expected_close: Option<Option<Day>>,
}

/// The stage that a new deal begins in, among the pipelines of its account.
///
/// # Errors
/// What is wrong with what was named.
pub fn first_stage<'a>(
    command: &NewDeal,
    pipelines: &'a [Pipeline],
) -> Result<(&'a Pipeline, &'a Stage), FieldFault> {
    let named = match (command.pipeline, command.stage) {
        (Some(id), _) => pipelines.iter().find(|pipeline| pipeline.id == id).ok_or_else(|| {
            let problem = message!(
                "names no pipeline of this account",
                "no corresponde a ningún embudo de esta cuenta"
            );
            FieldFault::new("pipelineId", problem)
        })?,
        (None, Some(stage)) => pipeline_of(stage, pipelines)?,
        (None, None) => default_of(pipelines).ok_or_else(|| unknown_stage("stageId"))?,
    };
    let stage = match command.stage {
        Some(id) => named.stage(id).ok_or_else(|| unknown_stage("stageId"))?,
        None => named.first(DealStatus::Open).ok_or_else(|| unknown_stage("stageId"))?,
    };
    if stage.kind == DealStatus::Open {
        return Ok((named, stage));
    }
    let problem = message!(
        "must be a stage of kind open; win or lose the deal afterwards",
        "debe ser una etapa de tipo open; después marque la oportunidad como ganada o perdida"
    );
    Err(FieldFault::new("stageId", problem))
}

/// The pipeline for deals that name none.
#[must_use]
pub fn default_of(pipelines: &[Pipeline]) -> Option<&Pipeline> {
    pipelines.iter().find(|pipeline| pipeline.is_default).or(pipelines.first())
}

fn pipeline_of(stage: StageId, pipelines: &[Pipeline]) -> Result<&Pipeline, FieldFault> {
    let found = pipelines.iter().find(|pipeline| pipeline.stage(stage).is_some());
    found.ok_or_else(|| unknown_stage("stageId"))
}

fn unknown_stage(field: &str) -> FieldFault {
    let problem = message!(
        "names no stage of this pipeline or account",
        "no corresponde a ninguna etapa de este embudo o de esta cuenta"
    );
    FieldFault::new(field, problem)
}

/// Adds a deal at a place.
#[must_use]
pub fn create(command: NewDeal, id: DealId, place: DealPlace, now: Timestamp) -> Deal {
    let NewDeal { title, value, currency, customer, lead, owner, expected_close, .. } = command;
    Deal {
        id,
        title,
        value,
        currency,
        status: DealStatus::Open,
        place: Some(place),
        left: None,
        lost_reason: None,
        customer,
        lead,
        owner,
        expected_close,
        won_at: None,
        lost_at: None,
        created_at: now,
        updated_at: now,
        version: 1,
    }
}

/// Changes a deal; only a real change makes a new version.
#[must_use]
pub fn update(before: &Deal, changes: DealChanges, now: Timestamp) -> Deal {
    let mut after = before.clone();
    set(&mut after.title, changes.title);
    set(&mut after.value, changes.value);
    set(&mut after.currency, changes.currency);
    set(&mut after.customer, changes.customer);
    set(&mut after.owner, changes.owner);
    set(&mut after.expected_close, changes.expected_close);
    changed(before, &mut after, now);
    after
}

/// Counts a change, if it is one.
fn changed(before: &Deal, after: &mut Deal, now: Timestamp) {
    if after != before {
        after.updated_at = now;
        after.version += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pipeline::tests::pipeline;

    pub(super) fn at(seconds: i64) -> Timestamp {
        Timestamp::from_micros(seconds)
    }

    fn new() -> NewDeal {
        NewDeal {
            title: "Tazas".to_owned(),
            value: Amount::from_micros(5_000_000),
            currency: Currency::MXN,
            pipeline: None,
            stage: None,
            customer: None,
            lead: None,
            owner: None,
            expected_close: None,
        }
    }

    pub(super) fn deal() -> Deal {
        let pipeline = pipeline();
        let place = DealPlace {
            pipeline: pipeline.id,
            stage: pipeline.stages[1].id,
            rank: Rank::parse("a0").unwrap(),
        };
        create(new(), DealId::from_u128(1), place, at(0))
    }

    #[test]
    fn a_new_deal_begins_in_an_open_stage() {
        let pipelines = [pipeline()];
        let [standard] = &pipelines;
        let stage = |stage, pipeline| NewDeal { stage, pipeline, ..new() };
        let begun = |command: &NewDeal| first_stage(command, &pipelines);
        let first = Ok((standard, &standard.stages[0]));
        assert_eq!(begun(&new()), first);
        assert_eq!(begun(&stage(Some(standard.stages[0].id), None)), first);
        let won = begun(&stage(Some(standard.stages[3].id), None)).unwrap_err();
        assert_eq!(won.field, "stageId");
        let unknown = begun(&stage(None, Some(PipelineId::from_u128(9)))).unwrap_err();
        assert_eq!(unknown.field, "pipelineId");
    }

    #[test]
    fn a_change_that_changes_nothing_is_none() {
        let same = DealChanges { title: Some("Tazas".to_owned()), ..DealChanges::default() };
        assert_eq!(update(&deal(), same, at(5)), deal());
        let dearer = DealChanges { value: Some(Amount::ZERO), ..DealChanges::default() };
        assert_eq!(update(&deal(), dearer, at(5)).version, 2);
    }
}
