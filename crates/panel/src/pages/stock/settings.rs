//! Which warehouses orders take from, and how scales write their labels.

use intake::{
    Form,
    checks::{one_of, text, whole},
    noun,
};
use inventory::{Allocation, StockSettings, Warehouse, service::SetStockSettings};
use kernel::{FieldFault, Message, ScaleCode, message, scale::SCALE_CODES_MAX};

use super::{
    shared::{READ, WRITE, of_line, places, refused, warehouse},
    view::{Detail, asking},
};
use crate::{
    answer::Answer,
    call::{Call, Member},
    failure::Failure,
    form::Values,
    layout::Sheet,
    page::{Group, Page},
    parts::Field,
    reply::{answered, carried_out},
    texts::Say,
};

const PATH: &str = "settings/stock";
const SCALE_CODES: &str = "scaleCodes";

/// What is set, and the version that was seen.
const FORM: Form<(SetStockSettings, i64)> = Form::body(
    "StockSettings",
    noun("this form", "este formulario"),
    |fields| {
        let allocation = fields.required("allocation", one_of(Allocation::EVERY, Allocation::name));
        let default_warehouse = fields.required("defaultWarehouseId", warehouse());
        let scale_codes = fields.optional(SCALE_CODES, text(read_codes)).unwrap_or_default();
        let version = fields.required("version", whole(0..=i64::MAX));
        let default_warehouse = Some(default_warehouse?);
        let settings = SetStockSettings { allocation: allocation?, default_warehouse, scale_codes };
        Some((settings, version?))
    },
    "",
);

/// One pattern a line.
fn read_codes(given: &str) -> Result<Vec<ScaleCode>, Message> {
    let lines = given.lines().map(str::trim).filter(|line| !line.is_empty());
    let read = |(place, line): (usize, &str)| {
        ScaleCode::parse(line).map_err(|problem| of_line(place, line, &problem))
    };
    let codes = (1..).zip(lines).map(read).collect::<Result<Vec<_>, _>>()?;
    match codes.len() > SCALE_CODES_MAX {
        true => Err(message!(
            "must have at most {SCALE_CODES_MAX} lines",
            "debe tener a lo más {SCALE_CODES_MAX} renglones"
        )),
        false => Ok(codes),
    }
}

/// The pages.
pub(super) fn pages() -> Vec<Page> {
    vec![
        Page::get(PATH, READ, show).listed(Group::Settings, "layers", Say::stock_settings).key("8"),
        Page::post(PATH, WRITE, set),
    ]
}

/// The settings as the form has them.
async fn values_now(call: &Call<Member>) -> Result<Values, Failure> {
    let settings = answered(call.services().inventory.settings(call.account())).await?;
    let codes: Vec<&str> = settings.scale_codes.iter().map(ScaleCode::as_str).collect();
    let (default, codes) = (settings.default_warehouse.to_string(), codes.join("\n"));
    let version = settings.version.to_string();
    Ok(Values::with(&[
        ("allocation", settings.allocation.name()),
        ("defaultWarehouseId", default.as_str()),
        (SCALE_CODES, codes.as_str()),
        ("version", version.as_str()),
    ]))
}

/// From where orders are shipped.
pub(in crate::pages) const fn allocation_name(say: Say, allocation: Allocation) -> &'static str {
    match allocation {
        Allocation::Default => say.allocation_default(),
        Allocation::AnyAvailable => say.allocation_any(),
    }
}

/// The settings for who may look at them alone.
async fn seen(call: &Call<Member>) -> Result<Answer, Failure> {
    let say = call.say();
    let settings = answered(call.services().inventory.settings(call.account())).await?;
    let places = places(call).await?;
    let codes: Vec<&str> = settings.scale_codes.iter().map(ScaleCode::as_str).collect();
    let codes = (!codes.is_empty()).then(|| (say.scale_codes(), codes.join(", ")));
    let facts = [
        (say.allocation(), allocation_name(say, settings.allocation).to_owned()),
        (say.usual_warehouse(), places.name(settings.default_warehouse)),
    ];
    let facts = facts.into_iter().chain(codes).collect();
    let body = Detail { facts, ..Detail::default() };
    let sheet = Sheet::new(say.stock_settings(), &body);
    Ok(call.page(sheet.back(say.stock(), call.href(super::PATH))))
}

async fn show(call: Call<Member>) -> Result<Answer, Failure> {
    if !call.may(WRITE) {
        return seen(&call).await;
    }
    let now = values_now(&call).await?;
    page(&call, &now, &now, &[]).await
}

async fn page(
    call: &Call<Member>,
    now: &Values,
    values: &Values,
    faults: &[FieldFault],
) -> Result<Answer, Failure> {
    let say = call.say();
    let places = places(call).await?;
    let selling = places.all().iter().filter(|one| one.kind.is_sellable());
    let selling = selling.map(|one| (one.id.to_string(), one.name.clone())).collect();
    let allocation =
        |one: &Allocation| (one.name().to_owned(), allocation_name(say, *one).to_owned());
    let allocations = Allocation::EVERY.iter().map(allocation).collect();
    let fields = vec![
        Field::select("allocation", say.allocation(), allocations, values),
        Field::select("defaultWarehouseId", say.usual_warehouse(), selling, values),
        Field::area(SCALE_CODES, say.scale_codes(), 3, values).hint(say.scale_codes_hint()),
    ];
    let form = call.form(call.href(PATH), fields, say.save(), faults);
    let form = call.over(form, now);
    let title = say.stock_settings().to_owned();
    let back = (say.stock(), super::PATH);
    Ok(asking(call, (title, say.stock_settings_intro()), &form, !faults.is_empty(), back))
}

async fn set(call: Call<Member>) -> Result<Answer, Failure> {
    let (wanted, version) = match call.read(&FORM)? {
        Ok(given) => given,
        Err(faults) => {
            return page(&call, &values_now(&call).await?, call.sent.values(), &faults).await;
        }
    };
    let setting = call.services().inventory.set_settings(call.ctx(), wanted, Some(version));
    match carried_out(setting, refused).await? {
        Ok(_) => Ok(call.done_at(PATH, "stock.set")),
        Err(faults) => page(&call, &values_now(&call).await?, call.sent.values(), &faults).await,
    }
}

/// What has orders take from a warehouse unless they name another one.
pub(super) fn with_default(settings: StockSettings, warehouse: &Warehouse) -> SetStockSettings {
    SetStockSettings {
        allocation: settings.allocation,
        default_warehouse: Some(warehouse.id),
        scale_codes: settings.scale_codes,
    }
}

#[cfg(test)]
mod tests {
    use kernel::Language;

    use super::*;

    #[test]
    fn patterns_are_read_line_by_line() {
        let codes = read_codes("20PPPPPWWWWWC\n\n 21PPPPPMMMMMC ").unwrap();
        let codes: Vec<_> = codes.iter().map(ScaleCode::as_str).collect();
        assert_eq!(codes, ["20PPPPPWWWWWC", "21PPPPPMMMMMC"]);
        let problem = read_codes("20PPPPPWWWWWC\nX").unwrap_err();
        assert!(problem.in_language(Language::English).contains("line 2"));
        let many: Vec<String> =
            (10..=10 + SCALE_CODES_MAX).map(|number| format!("{number}PPPPPWWWWWC")).collect();
        assert!(read_codes(&many.join("\n")).is_err());
    }
}
