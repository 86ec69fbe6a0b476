//! What is done with a deal, and what it becomes by that.

use kernel::{Amount, Currency, FieldFault, NewEvent, Timestamp, message};

use super::{Deal, DealId, DealPlace, DealStatus, changed, default_of, pipeline_of, unknown_stage};
use crate::{Pipeline, PipelineId, Stage, StageId, events};

/// Where in a stage a deal is put.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Beside {
    /// Behind all others.
    #[default]
    Last,
    /// Directly before this one.
    Before(DealId),
    /// Directly behind this one.
    After(DealId),
}

/// What is done with a deal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Act {
    /// It is won, in this stage or the first of its pipeline for deals that are won.
    Win {
        /// That stage.
        stage: Option<StageId>,
    },
    /// It is won by what its customer has accepted, and worth that.
    Accept {
        /// How much that is.
        value: Amount,
        /// Of which currency.
        currency: Currency,
    },
    /// It is lost.
    Lose {
        /// A stage for deals that are lost.
        stage: Option<StageId>,
        /// Why.
        reason: String,
    },
    /// It is put somewhere else.
    Move {
        /// Where to.
        stage: StageId,
        /// The place there.
        beside: Beside,
        /// Why it is lost, if it is put among those that are.
        reason: Option<String>,
    },
    /// It is taken up again, in the stage that it left.
    Reopen,
}

/// Where a deal goes and what it becomes there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Acted {
    /// The deal, still at its old place.
    pub deal: Deal,
    /// The pipeline and the stage that it goes to; `None` where it stays, perhaps lost for another reason.
    pub to: Option<(PipelineId, StageId, Beside)>,
    /// What is told.
    pub events: Vec<NewEvent>,
}

/// Carries out an act on a deal, which is in a stage of `pipelines`, all of its account. What is so already stays and
/// tells nothing.
///
/// # Errors
/// What is wrong with what was named.
pub fn act(
    before: &Deal,
    act: &Act,
    pipelines: &[Pipeline],
    now: Timestamp,
) -> Result<Acted, FieldFault> {
    let Some(target) = target(before, act, pipelines)? else {
        let mut deal = before.clone();
        set_reason(&mut deal, act);
        set_value(&mut deal, act);
        changed(before, &mut deal, now);
        return Ok(Acted { deal, to: None, events: Vec::new() });
    };
    let (pipeline, stage) = target;
    if let Act::Move { reason: Some(_), .. } = act
        && stage.kind != DealStatus::Lost
    {
        let problem = message!(
            "is for stages of kind lost only",
            "solo se indica al mover a una etapa de tipo lost"
        );
        return Err(FieldFault::new("reason", problem));
    }
    let beside = match act {
        Act::Move { beside, .. } => *beside,
        _ => Beside::Last,
    };
    let mut after = before.clone();
    set_value(&mut after, act);
    let mut told = Vec::new();
    if stage.kind != before.status {
        after.status = stage.kind;
        after.won_at = (stage.kind == DealStatus::Won).then_some(now);
        after.lost_at = (stage.kind == DealStatus::Lost).then_some(now);
        after.lost_reason = match stage.kind {
            DealStatus::Lost => Some(reason_of(act)?.to_owned()),
            DealStatus::Open | DealStatus::Won => None,
        };
        if before.status == DealStatus::Open {
            after.left = before.stage();
        }
        if stage.kind == DealStatus::Open {
            after.left = None;
        }
        told = match stage.kind {
            DealStatus::Open => vec![],
            DealStatus::Won => vec![events::deal_won(&after)],
            DealStatus::Lost => vec![events::deal_lost(&after)],
        };
    }
    set_reason(&mut after, act);
    Ok(Acted { deal: after, to: Some((pipeline.id, stage.id, beside)), events: told })
}

/// Why a deal is lost.
fn reason_of(act: &Act) -> Result<&str, FieldFault> {
    match act {
        Act::Lose { reason, .. } | Act::Move { reason: Some(reason), .. } => Ok(reason),
        _ => Err(FieldFault::new(
            "reason",
            message!(
                "is required to move a deal to a stage of kind lost",
                "es obligatorio para mover una oportunidad a una etapa de tipo lost"
            ),
        )),
    }
}

/// Has a lost deal be lost for the reason that an act gives.
fn set_reason(deal: &mut Deal, act: &Act) {
    if deal.status == DealStatus::Lost
        && let Ok(reason) = reason_of(act)
    {
        deal.lost_reason = Some(reason.to_owned());
    }
}

/// Has a deal be worth what was accepted of it.
const fn set_value(deal: &mut Deal, act: &Act) {
    if let Act::Accept { value, currency } = act {
        deal.value = *value;
        deal.currency = *currency;
    }
}

/// What a deal is worth once an offer of this total is accepted: as much, whatever was expected. Where another was accepted before,
/// both are; there is one value, so what is accepted in another currency leaves it as it is.
#[must_use]
pub fn agreed(
    before: &Deal,
    (total, currency): (Amount, Currency),
    has_other: bool,
) -> (Amount, Currency) {
    match has_other {
        false => (total, currency),
        true if currency == before.currency => {
            (before.value.plus(total).unwrap_or(Amount::MAX), currency)
        }
        true => (before.value, before.currency),
    }
}

/// The stage that an act brings a deal to; `None` where nothing is to do.
fn target<'a>(
    deal: &Deal,
    act: &Act,
    pipelines: &'a [Pipeline],
) -> Result<Option<(&'a Pipeline, &'a Stage)>, FieldFault> {
    let current = deal.place.as_ref().map(|place| place.pipeline);
    let own = pipelines.iter().find(|pipeline| Some(pipeline.id) == current);
    let own = own.or_else(|| default_of(pipelines)).ok_or_else(|| unknown_stage("stageId"))?;
    let closing = |kind: DealStatus, named: Option<StageId>| {
        let stage = match named {
            Some(id) => own.stage(id).filter(|stage| stage.kind == kind),
            None if deal.status == kind => return Ok(None),
            None => own.first(kind),
        };
        let name = kind.name();
        let stage = stage.ok_or_else(|| {
            let problem = message!(
                "must be a stage of kind {name} in the deal's pipeline",
                "debe ser una etapa de tipo {name} en el embudo de la oportunidad"
            );
            FieldFault::new("stageId", problem)
        })?;
        let is_there = deal.status == kind && deal.stage() == Some(stage.id);
        Ok((!is_there).then_some((own, stage)))
    };
    match act {
        Act::Win { stage } => closing(DealStatus::Won, *stage),
        Act::Accept { .. } => closing(DealStatus::Won, None),
        Act::Lose { stage, .. } => closing(DealStatus::Lost, *stage),
        Act::Move { stage, .. } => {
            let pipeline = pipeline_of(*stage, pipelines)?;
            Ok(pipeline.stage(*stage).map(|stage| (pipeline, stage)))
        }
        Act::Reopen if deal.status == DealStatus::Open => Ok(None),
        Act::Reopen => {
            let left = deal.left.and_then(|id| own.stage(id));
            let left = left.filter(|stage| stage.kind == DealStatus::Open);
            Ok(left.or_else(|| own.first(DealStatus::Open)).map(|stage| (own, stage)))
        }
    }
}

/// Puts a deal at the place that was found for it.
#[must_use]
pub fn placed(before: &Deal, acted: Deal, place: DealPlace, now: Timestamp) -> Deal {
    let mut after = Deal { place: Some(place), ..acted };
    changed(before, &mut after, now);
    after
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        Rank,
        deal::tests::{at, deal},
        pipeline::tests::pipeline,
    };

    /// The deal where an act brings it, with the names of what is told.
    fn done(before: &Deal, what: &Act) -> Result<(Deal, Vec<&'static str>), FieldFault> {
        let Acted { deal, to, events } = act(before, what, &[pipeline()], at(9))?;
        let names = events.iter().map(|event| event.name).collect();
        let Some((pipeline, stage, _)) = to else { return Ok((deal, names)) };
        let place = DealPlace { pipeline, stage, rank: Rank::parse("a1").unwrap() };
        Ok((placed(before, deal, place, at(9)), names))
    }

    fn to_stage(place: usize, reason: Option<&str>) -> Act {
        let stage = pipeline().stages[place].id;
        Act::Move { stage, beside: Beside::Last, reason: reason.map(str::to_owned) }
    }

    fn lose() -> Act {
        Act::Lose { stage: None, reason: "precio".to_owned() }
    }

    const WIN: Act = Act::Win { stage: None };

    #[test]
    fn winning_is_told_once_until_it_is_reopened() {
        let (won, told) = done(&deal(), &WIN).unwrap();
        assert_eq!(
            (won.status, won.won_at, told),
            (DealStatus::Won, Some(at(9)), vec!["deal.won"])
        );
        assert_eq!(won.stage(), Some(pipeline().stages[3].id));
        assert_eq!(done(&won, &WIN).unwrap(), (won.clone(), vec![]));
        let (open, told) = done(&won, &Act::Reopen).unwrap();
        assert_eq!((open.status, open.won_at, told.len()), (DealStatus::Open, None, 0));
        assert_eq!((open.stage(), open.left), (deal().stage(), None));
        assert_eq!(done(&open, &WIN).unwrap().1, ["deal.won"]);
    }

    #[test]
    fn what_is_accepted_is_what_a_deal_is_worth() {
        let usd = Currency::parse("USD").unwrap();
        let micros = Amount::from_micros;
        let accept = |before: &Deal, total: (Amount, Currency), has_other| {
            let (value, currency) = agreed(before, total, has_other);
            done(before, &Act::Accept { value, currency }).unwrap()
        };
        let (won, told) = accept(&deal(), (micros(7), usd), false);
        assert_eq!((won.value, won.currency, told), (micros(7), usd, vec!["deal.won"]));
        assert_eq!((won.status, won.version), (DealStatus::Won, 2));
        // It is worth both from then on, as far as they can be added.
        let (both, told) = accept(&won, (micros(5), usd), true);
        assert_eq!((both.value, both.won_at, told.len()), (micros(12), won.won_at, 0));
        assert_eq!(both.version, 3);
        assert_eq!(accept(&both, (micros(5), Currency::MXN), true), (both.clone(), vec![]));
        // Whoever has won it by hand did not know the total yet.
        let (by_hand, _) = done(&deal(), &WIN).unwrap();
        let (known, told) = accept(&by_hand, (micros(3), Currency::MXN), false);
        assert_eq!((known.value, known.version, told.len()), (micros(3), 3, 0));
        assert_eq!(agreed(&known, (Amount::MAX, Currency::MXN), true).0, Amount::MAX);
    }

    #[test]
    fn a_move_to_a_closed_stage_closes() {
        let (won, told) = done(&deal(), &to_stage(3, None)).unwrap();
        assert_eq!((won.status, told), (DealStatus::Won, vec!["deal.won"]));
        assert_eq!(done(&won, &to_stage(3, None)).unwrap().1, [""; 0]);
        assert_eq!(done(&deal(), &to_stage(4, None)).unwrap_err().field, "reason");
        let (lost, told) = done(&won, &to_stage(4, Some("precio"))).unwrap();
        assert_eq!((lost.won_at, lost.lost_at, told), (None, Some(at(9)), vec!["deal.lost"]));
        assert_eq!((lost.lost_reason.as_deref(), lost.left), (Some("precio"), deal().stage()));
        let (open, told) = done(&lost, &to_stage(0, None)).unwrap();
        assert_eq!((open.status, open.lost_reason, told.len()), (DealStatus::Open, None, 0));
    }

    #[test]
    fn a_lost_deal_stays_as_it_was_lost() {
        let (lost, told) = done(&deal(), &lose()).unwrap();
        assert_eq!(told, ["deal.lost"]);
        assert_eq!(done(&lost, &lose()).unwrap(), (lost, vec![]));
    }

    #[test]
    fn a_lost_deal_may_be_lost_for_another_reason() {
        let (lost, _) = done(&deal(), &lose()).unwrap();
        let again = Act::Lose { stage: None, reason: "plazo".to_owned() };
        for act in [again, to_stage(4, Some("plazo"))] {
            let (after, told) = done(&lost, &act).unwrap();
            assert_eq!((after.lost_reason.as_deref(), told.len()), (Some("plazo"), 0), "{act:?}");
            assert_eq!((after.lost_at, after.version), (lost.lost_at, lost.version + 1), "{act:?}");
        }
    }

    #[test]
    fn stages_must_fit() {
        let open = pipeline().stages[0].id;
        let wrong = [
            Act::Win { stage: Some(open) },
            Act::Lose { stage: Some(open), reason: "precio".to_owned() },
            Act::Move { stage: StageId::from_u128(99), beside: Beside::Last, reason: None },
        ];
        for act in wrong {
            assert_eq!(done(&deal(), &act).unwrap_err().field, "stageId", "{act:?}");
        }
        assert_eq!(done(&deal(), &to_stage(2, Some("precio"))).unwrap_err().field, "reason");
    }
}
