//! Sentences that a tax law prescribes: the complement *Leyendas fiscales* 1.0.

use serde::{Deserialize, Serialize};

/// A sentence that a law or rule prescribes for a document.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Legend {
    /// The law or resolution, in capitals without punctuation, such as `ISR`.
    pub law: Option<String>,
    /// The number of its article or rule.
    pub rule: Option<String>,
    /// The sentence.
    pub text: String,
}
