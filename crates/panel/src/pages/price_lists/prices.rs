//! Setting prices of a list, as lines that are typed or pasted.

use catalog::{PriceList, Priced, SetPrice, SetPrices, product::checked_price};
use intake::{Form, checks::whole_from, noun};
use inventory::adjustment::Named;
use kernel::{FieldFault, Measure, Message, message};

use super::{PATH, WRITE, one, shown, told};
use crate::{
    answer::Answer,
    call::{Call, Member},
    failure::Failure,
    form::Values,
    markup::Markup,
    page::Page,
    pages::stock::shared::{Coded, ITEMS, coded, each, of_lines},
    parts::Field,
    reply::carried_out,
};

/// Stands where a price would, to have one removed.
const GONE: &str = "-";

const FORM: Form<(Vec<Coded>, Option<i64>)> = Form::body(
    "Prices",
    noun("this form", "este formulario"),
    |fields| {
        let lines = fields.required(ITEMS, coded(2));
        let version = fields.optional("version", whole_from(1));
        Some((lines?, version))
    },
    "",
);

/// The page.
pub(super) fn pages() -> Vec<Page> {
    vec![Page::post("price-lists/{id}/prices", WRITE, set)]
}

/// The form below the facts of a list.
pub(super) fn form(
    call: &Call<Member>,
    list: &PriceList,
    values: &Values,
    faults: &[FieldFault],
) -> Markup {
    let say = call.say();
    let lines = Field::area(ITEMS, say.set_prices(), 4, values).hint(say.set_prices_hint());
    let place = call.href(&format!("{PATH}/{}/prices", list.id));
    let form = call.form(place, vec![lines], say.save(), faults);
    Markup::of(&form.hidden("version", list.version.to_string()))
}

async fn set(call: Call<Member>) -> Result<Answer, Failure> {
    let list = one(&call).await?;
    let values = call.sent.values();
    let (lines, version) = match call.read(&FORM)? {
        Ok(given) => given,
        Err(faults) => return shown(&call, &list, values, &faults).await,
    };
    let prices = match each(&lines, price) {
        Ok(prices) => prices,
        Err(faults) => return shown(&call, &list, values, &faults).await,
    };
    let command = SetPrices { list: list.id, version, prices };
    let setting = call.services().price_lists.set_prices(call.ctx(), command);
    match carried_out(setting, |error| told(&error)).await? {
        Ok(_) => Ok(call.done_at(&format!("{PATH}/{}", list.id), "prices.saved")),
        Err(faults) => shown(&call, &list, values, &of_lines(faults, &lines)).await,
    }
}

/// What a line says: a code, then its price or a hyphen, then from how many units on.
fn price(line: &Coded) -> Result<SetPrice, Message> {
    let gone = line.code.strip_suffix(GONE).and_then(|code| code.strip_suffix(' '));
    let (line, price, from) = match gone {
        Some(code) => {
            let line = Coded { code: code.trim_end().to_owned(), ..line.clone() };
            (line, None, 0)
        }
        None => {
            let Some(price) = line.numbers.first() else {
                return Err(message!("must have a price behind it", "debe llevar su precio"));
            };
            (line.clone(), Some(checked_price(*price)?), 1)
        }
    };
    let min_quantity = line.numbers.get(from).map(|number| Measure::read(*number)).transpose()?;
    let priced = match line.named() {
        Named::Code(code) => Priced::Sku(code),
        Named::Ean(ean) => Priced::Ean(ean),
        Named::Id(sku) => Priced::Sku(sku.product.to_string()),
    };
    Ok(SetPrice { priced, min_quantity, price })
}

#[cfg(test)]
mod tests {
    use kernel::Amount;

    use super::*;

    #[test]
    fn lines_set_prices_and_remove_them() {
        let amounts =
            |texts: &[&str]| texts.iter().map(|text| Amount::parse(text).unwrap()).collect();
        let line = |code: &str, numbers: &[&str]| Coded {
            code: code.to_owned(),
            numbers: amounts(numbers),
        };
        let set = price(&line("TAZA AZUL", &["45.5", "12"])).unwrap();
        assert_eq!(set.priced, Priced::Sku("TAZA AZUL".to_owned()));
        assert_eq!(
            (set.min_quantity, set.price),
            (Some(Measure::whole(12)), Amount::parse("45.5").ok())
        );
        let removed = price(&line("TAZA -", &["12"])).unwrap();
        assert_eq!((removed.priced, removed.price), (Priced::Sku("TAZA".to_owned()), None));
        assert_eq!(removed.min_quantity, Some(Measure::whole(12)));
        let ean = price(&line("7501031311309", &["1"])).unwrap();
        assert_eq!(ean.priced, Priced::Ean("7501031311309".to_owned()));
        assert!(price(&line("TAZA", &[])).is_err());
    }
}
