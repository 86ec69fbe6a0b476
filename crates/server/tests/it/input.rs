//! Bad input is refused in the documented shape, never with a failure of the service, and leaves the
//! connection usable.

mod bodies;
mod faults;
mod fields;
mod fuzz;
mod http;
mod paths;
mod queries;
mod wire;

pub(crate) use wire::Wire;
