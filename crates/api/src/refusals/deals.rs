//! Refusals of deals and pipelines.

use crm::{ActivityError, DealError, PipelineError, pipeline::PIPELINES_MAX};
use kernel::message;

use crate::error::{ApiError, Code};

impl From<ActivityError> for ApiError {
    fn from(error: ActivityError) -> Self {
        match error {}
    }
}

impl From<DealError> for ApiError {
    fn from(error: DealError) -> Self {
        let message = match error {
            DealError::NotBeside { deal } => message!(
                "the deal {deal} is not in that stage; read the board again and choose another place",
                "la oportunidad {deal} no está en esa etapa; vuelva a consultar el tablero y elija otro lugar"
            ),
            DealError::HasQuotes => message!(
                "the deal has quotes; delete their drafts first, or lose the deal instead",
                "la oportunidad tiene cotizaciones; primero elimine los borradores, o márquela como perdida"
            ),
        };
        Self::new(Code::Conflict, message)
    }
}

impl From<PipelineError> for ApiError {
    fn from(error: PipelineError) -> Self {
        let message = match error {
            PipelineError::TooMany => message!(
                "the account has {PIPELINES_MAX} pipelines, the most it may have; delete one",
                "la cuenta tiene {PIPELINES_MAX} embudos, el máximo permitido; elimine uno"
            ),
            PipelineError::IsDefault => message!(
                "this is the default pipeline; make another one the default first",
                "este es el embudo predeterminado; primero haga que otro lo sea"
            ),
            PipelineError::StageInUse { stage, name } => message!(
                "there are deals in the stage {name:?} ({stage}); move them first",
                "hay oportunidades en la etapa {name:?} ({stage}); primero muévalas"
            ),
        };
        Self::new(Code::Conflict, message)
    }
}
