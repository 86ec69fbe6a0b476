//! `/invoices/cfdi/series`: the series of the account's invoices, and where their folios go on.

mod examples;
mod forms;

use std::fmt::Display;

use accounts::Scope;
use actix_web::http::{StatusCode, header::ETAG};
use intake::SentBack;
use invoices::{IssuerId, series::SeriesFolio};
use kernel::PageRequest;
use serde::Serialize;
use utoipa::ToSchema;

use crate::{
    answer::{Answer, Resource},
    call::Call,
    crud,
    endpoint::{Endpoint, Segment, changes, query, segment, taking},
    error::{ApiError, Code},
    etag::ETag,
    reply::{answered, written},
};

const ALL: &str = SeriesBody::PATH;
const ONE: &str = "/invoices/cfdi/series/{series}";
const SERIES: Segment<String> =
    segment("series", "The series, 1 to 25 characters.", forms::parse_series);

/// A series of invoices.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = InvoiceSeries)]
pub(super) struct SeriesBody {
    /// Issuer whose series it is.
    #[schema(value_type = String, example = "iss_01KG8VXT0N9B4C6D8E0F2G4H6J")]
    issuer_id: IssuerId,
    /// Name of the series.
    #[schema(example = "WEB")]
    series: String,
    /// Folio that the next stamped invoice of the series gets.
    #[schema(minimum = 1, example = 12345)]
    next_folio: u64,
}

impl Resource for SeriesBody {
    type Thing = SeriesFolio;

    const PATH: &'static str = "/invoices/cfdi/series";

    fn id(&self) -> impl Display {
        &self.series
    }

    fn etag(&self) -> ETag {
        ETag::version(i64::try_from(self.next_folio).unwrap_or(i64::MAX))
    }
}

impl From<SeriesFolio> for SeriesBody {
    fn from(series: SeriesFolio) -> Self {
        let SeriesFolio { issuer, series, next_folio } = series;
        Self { issuer_id: issuer, series, next_folio }
    }
}

pub(super) fn endpoints() -> Vec<Endpoint> {
    vec![
        Endpoint::get(ALL, Scope::Invoices, taking(query(forms::LIST), list))
            .summary("List series")
            .describes(
                "The series that the account's invoices have, and those that issuers and branches name, by \
                 issuer and name. An invoice begins a new series by naming it.",
            )
            .pages::<SeriesBody>("A page of series.", examples::PAGE),
        Endpoint::put(ONE, Scope::Invoices, taking((SERIES, query(forms::OF), changes(forms::SET)), set))
            .summary("Set the next folio of a series")
            .describes(
                "Continues a series where another system has left it. A folio that the series has \
                 been past is refused: folios are unique within the series of an issuer.",
            )
            .answers::<SeriesBody>(200, "The updated series.", examples::SERIES)
            .refuses(&[Code::Conflict, Code::IssuerMissing]),
    ]
}

async fn list(
    call: Call,
    (which, asked): (Option<IssuerId>, PageRequest),
) -> Result<Answer, ApiError> {
    let page = call.services().issuers.series(call.account, which, asked.clone());
    Answer::page::<SeriesBody>(answered(page).await?, &asked)
}

async fn set(
    call: Call,
    (series, which, (next_folio, sent_back)): (String, Option<IssuerId>, (u64, SentBack)),
) -> Result<Answer, ApiError> {
    let issuers = &call.services().issuers;
    if !sent_back.is_empty() {
        let issuer = answered(issuers.issuer(call.account, which)).await?;
        if let Some(issuer) = issuer {
            let present = SeriesBody { issuer_id: issuer.id, series: series.clone(), next_folio };
            crud::unchanged_at(&call, sent_back, &present, present.etag())?;
        }
    }
    let (series, version) = ((which, series), call.expected_version());
    let done = written(issuers.set_series(call.ctx()?, series, next_folio, version)).await?;
    let shown = SeriesBody::from(done.value);
    let tag = shown.etag();
    Answer::json(StatusCode::OK, &shown)?.with(ETAG, tag)
}
