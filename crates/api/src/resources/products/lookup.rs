//! `/products/lookup`: what a code names that was scanned or typed.

use accounts::Scope;
use actix_web::http::StatusCode;
use catalog::{Code, Match, VariantId, lookup::MatchedBy, product::SKU_CHARS_MAX};
use intake::{Check, Fields, Form, checks::text};
use kernel::{Amount, Measure};
use serde::Serialize;
use utoipa::ToSchema;

use super::{body::ProductBody, examples};
use crate::{
    answer::Answer,
    call::Call,
    endpoint::{Endpoint, query, taking},
    error::ApiError,
    reply::answered,
    resources::shapes,
};

const LOOKUP: &str = "/products/lookup";
const FORM: Form<Code> = Form::query(read);

/// What a code names.
#[derive(Serialize, ToSchema)]
#[schema(as = ProductMatches)]
struct MatchesBody {
    /// Products and variants with that code, at most 20; SKUs come before barcode numbers, these before labels of scales. Empty where there
    /// is none.
    matches: Vec<MatchBody>,
}

/// A product or variant that a code names.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = ProductMatch)]
struct MatchBody {
    /// By what it was found.
    #[schema(value_type = shapes::ProductMatchedBy)]
    by: &'static str,
    /// The variant that was found; `null` when it is the product itself.
    #[schema(value_type = Option<String>, example = "var_01KG8VZ3D1F5H7K9M0N2P4Q6R9")]
    variant_id: Option<VariantId>,
    /// The product.
    product: ProductBody,
    /// How much of it there is by the label of a scale; `null` where none says it.
    #[schema(value_type = Option<shapes::Quantity>)]
    quantity: Option<Measure>,
    /// What it costs by the label of a scale; `null` where none says it.
    #[schema(value_type = Option<shapes::Amount>)]
    amount: Option<Amount>,
}

impl From<Match> for MatchBody {
    fn from(Match { product, variant, by, quantity, amount }: Match) -> Self {
        let (by, product) = (MatchedBy::name(by), product.into());
        Self { by, variant_id: variant, product, quantity, amount }
    }
}

pub(super) fn endpoint() -> Endpoint {
    Endpoint::get(LOOKUP, Scope::Products, taking(query(FORM), look_up))
        .summary("Look up a code")
        .describes(
            "Finds products and variants by a code that was scanned or typed: their SKU as it is written, or their EAN, UPC \
             or GTIN in any of its lengths (`036000291452` is `0036000291452`), or by the label of a scale, as `scaleCodes` of \
             `/stock/settings` say. Archived products are found too.",
        )
        .answers::<MatchesBody>(200, "What the code names.", examples::MATCHES)
}

fn read(fields: &mut Fields<'_>) -> Option<Code> {
    let code = text(Code::parse).chars(1, SKU_CHARS_MAX).example("7501031311309");
    fields.required("code", code.about("Code as it was scanned or typed."))
}

async fn look_up(call: Call, code: Code) -> Result<Answer, ApiError> {
    let found = answered(call.services().products.look_up(call.account, code)).await?;
    let matches = found.into_iter().map(MatchBody::from).collect();
    Answer::json(StatusCode::OK, &MatchesBody { matches })
}
