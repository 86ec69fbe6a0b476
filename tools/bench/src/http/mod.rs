//! Just enough HTTP/1.1 to load a server without being the bottleneck.

pub(crate) mod connection;
pub(crate) mod request;
pub(crate) mod response;

pub(crate) use connection::{Connection, Lost};
pub(crate) use request::Request;
pub(crate) use response::Response;
