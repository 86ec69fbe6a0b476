//! Where forms of the panel led: answers under their idempotency keys, as plain text.

use ::accounts::FormResults;
use diesel::prelude::*;
use engine::answers::AnswerForm;
use kernel::{Ctx, Fault, Idempotency, Pending, Written};

use crate::{
    error::Failure,
    readers::Cost,
    schema::idempotency_answers::{self as table, dsl},
    store::Store,
};

const LOCATION: AnswerForm<String> =
    AnswerForm { write: |location| Ok(location.clone()), read: |text| Ok(text.to_owned()) };

impl FormResults for Store {
    fn form_result(&self, ctx: Ctx) -> Pending<Result<Option<String>, Fault>> {
        let Some(Idempotency { operation, key, digest }) = ctx.idempotency else {
            return Pending::ready(Ok(None));
        };
        let account = ctx.account.to_string();
        self.engine.read(Cost::Small, move |db| {
            let this = table::table.find((account.clone(), operation.clone(), key.clone()));
            let kept: Option<(String, String)> =
                this.select((dsl::digest, dsl::answer)).first(db).optional()?;
            Ok(kept.filter(|(of, _)| *of == digest).map(|(_, location)| location))
        })
    }

    fn keep_form_result(&self, ctx: Ctx, location: String) -> Pending<Written<String, ()>> {
        self.engine.write(ctx, LOCATION, move |_, _| Ok::<_, Failure<()>>(location.clone()))
    }
}
