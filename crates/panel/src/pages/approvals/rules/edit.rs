//! A rule is made, changed and deleted.

use accounts::{ApiKey, Right};
use approvals::{EntityType, NewRule, Person, ReviseRule, Rule, RuleChanges, RuleId};
use askama::Template;
use kernel::FieldFault;

use super::super::{acts::told, entity_name, scope};
use super::{
    PATH, WRITE,
    fields::{FORM, Filled, drawn, of_rule},
    people, rule_name,
};
use crate::{
    answer::Answer,
    call::{Call, Member},
    failure::Failure,
    form::Values,
    layout::Sheet,
    page::Page,
    pages::money::asking,
    parts::Link,
    reply::{carried_out, found},
    texts::Say,
};

/// The pages.
pub(super) fn pages() -> Vec<Page> {
    vec![
        Page::get("approvals/rules/new", WRITE, show_new),
        Page::post("approvals/rules/new", WRITE, create),
        Page::get("approvals/rules/{id}/edit", WRITE, show),
        Page::post("approvals/rules/{id}/edit", WRITE, change),
        Page::get("approvals/rules/{id}/delete", WRITE, ask_delete),
        Page::post("approvals/rules/{id}/delete", WRITE, delete),
    ]
}

/// What a rule can be about, before there is one.
#[derive(Template)]
#[template(path = "approvals/about.html", whitespace = "minimize")]
struct About {
    say: Say,
    ways: Vec<Link>,
}

async fn show_new(call: Call<Member>) -> Result<Answer, Failure> {
    let restored = call.restored(&call.href("approvals/rules/new"));
    let restored = restored.and_then(|restored| restored.values.filled("entityType"));
    let asked = restored.or_else(|| call.query.filled("entity"));
    let asked = EntityType::EVERY.iter().copied().find(|entity| Some(entity.name()) == asked);
    match asked {
        Some(entity) => page(&call, (entity, None), &Values::default(), &[]).await,
        None => Ok(about(&call)),
    }
}

fn about(call: &Call<Member>) -> Answer {
    let say = call.say();
    let place = call.href("approvals/rules/new");
    let way = |entity: &EntityType| {
        Link::new(entity_name(say, *entity), format!("{place}?entity={}", entity.name()))
    };
    let body = About { say, ways: EntityType::EVERY.iter().map(way).collect() };
    let sheet = Sheet::new(say.new_rule(), &body);
    call.page(sheet.back(say.approval_rules(), call.href(PATH)))
}

/// Who may decide about such things: members by their role, and keys.
async fn deciders(
    call: &Call<Member>,
    entity: EntityType,
) -> Result<Vec<(Person, String)>, Failure> {
    let account = call.account();
    let Some(scope) = scope(entity) else { return Ok(Vec::new()) };
    let decides = |member: &accounts::Member| member.role.allows(Right::approve(scope));
    let has_leave =
        |key: &ApiKey| key.account == account && key.may_approve && key.scopes.allow(scope);
    people(call, decides, has_leave).await
}

async fn page(
    call: &Call<Member>,
    (entity, rule): (EntityType, Option<&Rule>),
    values: &Values,
    faults: &[FieldFault],
) -> Result<Answer, Failure> {
    let say = call.say();
    let mut people = deciders(call, entity).await?;
    // Who is named and may not decide any more stands there until somebody takes them out.
    let named = rule.into_iter().flat_map(|rule| &rule.levels).flat_map(|level| &level.approvers);
    for person in named {
        if people.iter().all(|(known, _)| known != person) {
            people.push((*person, say.gone_approver(&person.to_string())));
        }
    }
    let (title, action) = match rule {
        Some(rule) => (rule_name(rule), format!("{}/{}/edit", call.href(PATH), rule.id)),
        None => (say.new_rule().to_owned(), call.href("approvals/rules/new")),
    };
    let values = call.restored(&action).map_or(values, |restored| &restored.values);
    let now = rule.map(values_of);
    let rows = [Some(values), now.as_ref()].into_iter().flatten().collect::<Vec<_>>();
    let fields = drawn(say, entity, &people, values, &rows);
    let form = call.form(action, fields, say.save(), faults).hidden("entityType", entity.name());
    let form = match &now {
        Some(now) => call.over(form, now),
        None => form,
    };
    let text = say.rule_intro(entity_name(say, entity));
    let back = Link::new(say.approval_rules(), call.href(PATH));
    Ok(asking(call, (title, text), &form, faults, back))
}

async fn create(call: Call<Member>) -> Result<Answer, Failure> {
    let values = call.sent.values();
    let entity = values.filled("entityType");
    let entity = EntityType::EVERY.iter().copied().find(|one| Some(one.name()) == entity);
    let Some(entity) = entity else { return Ok(about(&call)) };
    let filled = match call.read(&FORM)? {
        Ok(filled) => filled,
        Err(faults) => return page(&call, (entity, None), values, &faults).await,
    };
    let new = NewRule {
        entity: filled.entity,
        name: filled.name.clone(),
        currency: filled.currency,
        conditions: filled.conditions.clone(),
        levels: filled.levels.clone(),
        allow_self_approval: filled.allow_self_approval,
        expires_after_hours: filled.expires_after_hours,
    };
    let creating = call.services().approval_rules.create_rule(call.ctx(), new);
    match carried_out(creating, told).await? {
        Ok(_) => Ok(call.done_at(PATH, "rule.made")),
        Err(faults) => {
            let faults: Vec<_> = faults.into_iter().map(|fault| filled.placed(fault)).collect();
            page(&call, (entity, None), values, &faults).await
        }
    }
}

/// The rule of the path.
async fn rule(call: &Call<Member>) -> Result<Rule, Failure> {
    let id = RuleId::parse(call.parameter("id")).ok_or(Failure::Nothing)?;
    found(call.services().approval_rules.rule(call.account(), id)).await
}

/// A rule as the form has it.
fn values_of(rule: &Rule) -> Values {
    let pairs = of_rule(rule);
    let pairs: Vec<_> = pairs.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    Values::with(&pairs)
}

async fn show(call: Call<Member>) -> Result<Answer, Failure> {
    let rule = rule(&call).await?;
    page(&call, (rule.entity, Some(&rule)), &values_of(&rule), &[]).await
}

async fn change(call: Call<Member>) -> Result<Answer, Failure> {
    let rule = rule(&call).await?;
    let values = call.sent.values();
    let filled = match call.read(&FORM)? {
        Ok(filled) => filled.beside(&rule),
        Err(faults) => return page(&call, (rule.entity, Some(&rule)), values, &faults).await,
    };
    let command =
        ReviseRule { id: rule.id, version: filled.version, changes: changes(&filled, &rule) };
    let changing = call.services().approval_rules.update_rule(call.ctx(), command);
    match carried_out(changing, told).await? {
        Ok(_) => Ok(call.done_at(PATH, "rule.changed")),
        Err(faults) => {
            let faults: Vec<_> = faults.into_iter().map(|fault| filled.placed(fault)).collect();
            page(&call, (rule.entity, Some(&rule)), values, &faults).await
        }
    }
}

/// What a form changes of a rule. Levels that stay are not judged anew: who has gone since may stand there.
fn changes(filled: &Filled, before: &Rule) -> RuleChanges {
    RuleChanges {
        name: Some(filled.name.clone()),
        currency: Some(filled.currency),
        conditions: Some(filled.conditions.clone()),
        levels: (filled.levels != before.levels).then(|| filled.levels.clone()),
        allow_self_approval: Some(filled.allow_self_approval),
        expires_after_hours: Some(filled.expires_after_hours),
    }
}

async fn ask_delete(call: Call<Member>) -> Result<Answer, Failure> {
    let rule = rule(&call).await?;
    Ok(deleting(&call, &rule, &[]))
}

fn deleting(call: &Call<Member>, rule: &Rule, faults: &[FieldFault]) -> Answer {
    let say = call.say();
    let action = format!("{}/{}/delete", call.href(PATH), rule.id);
    let form = call.form(action, Vec::new(), say.delete_rule(), faults).dangerous();
    let text = say.delete_rule_intro(&rule_name(rule), entity_name(say, rule.entity));
    let back = Link::new(say.approval_rules(), call.href(PATH));
    asking(call, (say.delete_rule().to_owned(), text), &form, faults, back)
}

async fn delete(call: Call<Member>) -> Result<Answer, Failure> {
    let rule = rule(&call).await?;
    let deleting_it = call.services().approval_rules.delete_rule(call.ctx(), rule.id, None);
    match carried_out(deleting_it, told).await? {
        Ok(_) => Ok(call.done_at(PATH, "rule.deleted")),
        Err(faults) => Ok(deleting(&call, &rule, &faults)),
    }
}
