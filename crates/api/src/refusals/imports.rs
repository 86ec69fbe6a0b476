//! Refusals about imports.

use imports::{ImportRefusal, WAITING_MAX};
use kernel::message;

use crate::error::{ApiError, Code};

impl From<ImportRefusal> for ApiError {
    fn from(refusal: ImportRefusal) -> Self {
        match refusal {
            ImportRefusal::SameFile(id) => Self::new(
                Code::Conflict,
                message!(
                    "the same file is being imported: see {id}",
                    "el mismo archivo se está importando: consulte {id}"
                ),
            ),
            ImportRefusal::TooMany => Self::new(
                Code::Conflict,
                message!(
                    "{WAITING_MAX} imports of this kind are under way or wait: send the next one when one of them has ended",
                    "hay {WAITING_MAX} importaciones de este tipo en curso o en espera: envíe la siguiente cuando termine una"
                ),
            ),
            ImportRefusal::HasEnded(state) => Self::new(
                Code::InvalidTransition,
                message!(
                    "the import has ended: it is {state}",
                    "la importación ya terminó; su estado es {state}",
                    state = state.name()
                ),
            ),
        }
    }
}
