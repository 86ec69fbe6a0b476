//! The JSON API of Trastienda.
//!
//! An `endpoint::Endpoint` is one declaration that mounts and documents it; `serve::serve` is the one way
//! that every request takes. To add an endpoint, add it to the `endpoints()` of its resource; to add a
//! resource, add a module to `resources` and, where a rule can refuse, its errors to `refusals`. Everything
//! else follows: routing, limits, authentication, error shapes, metrics and the OpenAPI document.
//!
//! There is no rule and no SQL here: bodies become commands of the domain crates, their answers become
//! bodies. Nothing here blocks: services answer with [`kernel::Pending`], and what computes for long (printing)
//! is done on threads of its own.

mod alike;
mod answer;
mod api;
mod aside;
mod auth;
mod call;
mod compress;
mod connection;
mod context;
mod cors;
mod crud;
pub mod endpoint;
mod error;
mod etag;
mod filters;
mod hooks;
mod idempotency;
mod json;
mod language;
mod limits;
mod linked;
mod metrics;
mod mount;
mod needs;
mod neighbours;
mod network;
mod openapi;
mod origin;
mod packer;
mod page;
mod patience;
mod payload;
mod pieces;
mod ports;
mod refusals;
mod reply;
mod request_id;
mod resources;
mod route;
mod router;
mod serve;
mod settings;
mod site;
mod table;
mod turns;
mod unasked;
mod vary;
mod view;
mod writing;

pub use answer::Answer;
pub use api::Api;
pub use call::Call;
pub use connection::Connection;
pub use error::{ApiError, Code};
pub use kernel::Clock;
pub use limits::Rate;
pub use mount::{configure, configure_metrics};
pub use network::Network;
pub use openapi::openapi_document;
pub use origin::AllowedOrigin;
pub use payload::{Part, Upload};
pub use ports::{Backend, Services, SystemClock};
pub use refusals::told;
pub use settings::{KEY_CACHE_TTL, Settings, TWIN_TIMEOUT};
pub use site::DOCS_PATH;

/// The path that all resources lie below; it names the version.
pub const BASE_PATH: &str = "/api/v1";
