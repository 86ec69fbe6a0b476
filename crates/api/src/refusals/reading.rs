//! What cannot be read as an answer.

use intake::Unreadable;

use crate::error::{ApiError, Code};

/// A body that cannot be read; faults of the fields in `codes` have a code of their own.
pub(crate) fn unreadable_body(why: Unreadable, codes: &[(&str, Code)]) -> ApiError {
    match why {
        Unreadable::Malformed(sentence) => ApiError::new(Code::MalformedRequest, sentence),
        Unreadable::Faulty(faults) => {
            let named = |(field, _): &&(&str, Code)| faults.iter().any(|f| f.field == *field);
            let own = codes.iter().find(named).map(|(_, code)| *code);
            let error = ApiError::of_faults(&faults);
            ApiError { code: own.unwrap_or(error.code), ..error }
        }
        Unreadable::Unexplained(_) => ApiError::internal(why.to_string()),
    }
}

/// A query that cannot be read.
pub(crate) fn unreadable_query(why: Unreadable) -> ApiError {
    let error = unreadable_body(why, &[]);
    match error.code {
        Code::MalformedRequest => ApiError { code: Code::ValidationFailed, ..error },
        _ => error,
    }
}
