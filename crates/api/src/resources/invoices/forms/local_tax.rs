//! Reading taxes of states and municipalities.

use intake::{
    Check, Fields,
    checks::{above_zero, flag, line, number, objects},
    noun,
};
use invoices::{DraftLocalTax, draft::LOCAL_TAXES_MAX};
use kernel::{Amount, Message, message};

/// Maximum characters of a name. SAT knows no limit; the laws' names are shorter.
const NAME_CHARS_MAX: usize = 100;
/// A rate as a share has at most four decimals: the complement states it in percent, with two.
const RATE_STEP_MICROS: i64 = 100;

pub(super) fn local_taxes() -> impl Check<Value = Vec<DraftLocalTax>> {
    objects(noun("a local tax", "un impuesto local"), 0..=LOCAL_TAXES_MAX, read_local_tax)
}

fn read_local_tax(fields: &mut Fields<'_>) -> Option<DraftLocalTax> {
    let name = fields.required(
        "name",
        line(NAME_CHARS_MAX).about("Name in the law that levies it, such as `ISH`."),
    );
    let rate = number(Some(0), checked_rate)
        .about("Rate as a share of at most four decimals: 0.03 is 3 %.");
    let rate = fields.required("rate", rate);
    let withheld = flag().about("Whether the receiver withholds it; defaults to `false`.");
    let withheld = fields.optional("withheld", withheld).unwrap_or_default();
    let base =
        above_zero().about("What it is levied on; defaults to what is sold, less discounts.");
    let base = fields.optional("base", base);
    fields.read_only(&["amount"]);
    Some(DraftLocalTax { name: name?, rate: rate?, base, withheld })
}

fn checked_rate(rate: Amount) -> Result<Amount, Message> {
    let micros = rate.micros();
    if (1..=1_000_000).contains(&micros) && micros % RATE_STEP_MICROS == 0 {
        return Ok(rate);
    }
    Err(message!(
        "must be a share above 0 and up to 1 with at most 4 decimals, such as 0.03 for 3 %",
        "debe ser una proporción mayor que 0 y hasta 1 con 4 decimales como máximo, como 0.03 para 3 %"
    ))
}
