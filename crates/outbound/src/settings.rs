//! How calls are made.

use std::{error::Error, fmt, io, path::PathBuf, time::Duration};

use webhooks::Reach;

/// How calls are made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Which addresses may be called.
    pub reach: Reach,
    /// Timeout for one exchange, from resolving the name to the last byte of the response.
    pub exchange_timeout: Duration,
    /// A PEM file of certificate authorities to trust besides those of Mozilla's list, which are compiled in.
    pub ca_file: Option<PathBuf>,
    /// Connections that are kept open for each host while nobody uses them. They are closed after
    /// [90 seconds](crate::client::IDLE_TIME).
    pub idle_per_host: usize,
    /// The value of the header `user-agent`.
    pub user_agent: String,
}

impl Default for Settings {
    /// Public addresses, 5 seconds, no further authorities, 64 idle connections.
    fn default() -> Self {
        Self {
            reach: Reach::Public,
            exchange_timeout: Duration::from_secs(5),
            ca_file: None,
            idle_per_host: 64,
            user_agent: concat!("trastienda/", env!("CARGO_PKG_VERSION")).to_owned(),
        }
    }
}

/// Why no calls can be made.
#[derive(Debug)]
pub enum SetupError {
    /// The file of certificate authorities cannot be used.
    CaFile {
        /// Which file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// The user agent cannot be the value of a header.
    UserAgent,
    /// The address of a certification or payment provider or of the mail server cannot be used.
    Url {
        /// Whose: `sw_url`, `finkok_url`, `sat_url`, `stripe_url`, `mercadopago_url`,
        /// `conekta_url` or `smtp_url`.
        setting: &'static str,
        /// A clause that says what is wrong with it.
        reason: &'static str,
    },
    /// The sender of mail is not an email address.
    MailFrom,
    /// TLS or the HTTP client cannot be set up.
    Http(Box<dyn Error + Send + Sync>),
    /// The system gives no thread.
    Thread(io::Error),
}

impl fmt::Display for SetupError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::CaFile { path, reason } => {
                write!(f, "cannot use the certificate authorities in {}: {reason}", path.display())
            }
            Self::UserAgent => {
                f.write_str("the user agent contains characters not allowed in a header")
            }
            Self::Url { setting, reason } => write!(f, "{setting} {reason}"),
            Self::MailFrom => f.write_str("mail_from must be like Tienda <ventas@tienda.example>"),
            Self::Http(_) => f.write_str("cannot set up the HTTP client"),
            Self::Thread(_) => f.write_str("cannot start a thread"),
        }
    }
}

impl Error for SetupError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Http(error) => Some(error.as_ref()),
            Self::Thread(error) => Some(error),
            Self::CaFile { .. } | Self::UserAgent | Self::Url { .. } | Self::MailFrom => None,
        }
    }
}
