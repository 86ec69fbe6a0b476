//! Approvals: what may only happen once others have agreed.
//!
//! Persons are API keys. Users and their roles are to join [`Person`] where an account has them.

mod condition;
mod entity;
mod facts;
mod field;
pub mod level;

pub use condition::{Condition, IN_MAX, Op, TEXT_CHARS_MAX, Value};
pub use entity::EntityType;
pub use facts::Facts;
pub use field::{Field, FieldKind};
pub use level::{APPROVERS_MAX, KeyId, LEVELS_MAX, Level, Person};
