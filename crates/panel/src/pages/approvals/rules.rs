//! The rules of approvals: what needs whose approval. They are made and changed through the API.

use approvals::{Condition, Op, Rule, Value};
use askama::Template;

use super::{PATH, READ, covers, entity_name, field_name, told};
use crate::{
    answer::Answer,
    call::{Call, Member},
    failure::Failure,
    layout::Sheet,
    page::Page,
    parts::Empty,
    reply::answered,
    texts::Say,
};

/// The page.
pub(super) fn pages() -> Vec<Page> {
    vec![Page::get("approvals/rules", READ, show)]
}

#[derive(Template)]
#[template(path = "approvals/rules.html", whitespace = "minimize")]
struct Rules {
    say: Say,
    lines: Vec<Line>,
    empty: Option<Empty>,
}

struct Line {
    name: String,
    what: &'static str,
    conditions: String,
    levels: usize,
    hours: u32,
}

async fn show(call: Call<Member>) -> Result<Answer, Failure> {
    let say = call.say();
    let rules = answered(call.services().approval_rules.rules(call.account())).await?;
    let line = |rule: Rule| Line {
        what: entity_name(say, rule.entity),
        conditions: conditions(say, &rule),
        levels: rule.levels.len(),
        hours: rule.expires_after_hours,
        name: rule.name.unwrap_or_else(|| rule.id.to_string()),
    };
    let is_without = rules.is_empty();
    let covered = rules.into_iter().filter(|rule| covers(&call, rule.entity));
    let lines: Vec<_> = covered.map(line).collect();
    let url = call.public_url();
    let command =
        format!("curl -sS '{url}/api/v1/approval-rules' -H 'Authorization: Bearer <API_KEY>'");
    let empty = lines.is_empty().then(|| match is_without {
        true => Empty::new(say.no_rules()).curl(command),
        false => Empty::new(say.not_allowed_text()),
    });
    let sheet = Sheet::new(say.approval_rules(), &Rules { say, lines, empty });
    Ok(call.page(sheet.back(say.approvals(), call.href(PATH))))
}

/// What must be met, all of it.
fn conditions(say: Say, rule: &Rule) -> String {
    let condition = |Condition { field, op, values }: &Condition| {
        let value = |value: &Value| told(value, field.kind(), rule.currency);
        let values = values.iter().map(value).collect::<Vec<_>>().join(", ");
        let sign = match op {
            Op::Eq => "=",
            Op::Ne => "≠",
            Op::Gt => ">",
            Op::Gte => "≥",
            Op::Lt => "<",
            Op::Lte => "≤",
            Op::In => "∈",
        };
        format!("{} {sign} {values}", field_name(say, *field))
    };
    rule.conditions.iter().map(condition).collect::<Vec<_>>().join(" · ")
}
