//! The sentences of reasons.

use super::{Reason, around, told};
use crate::{Message, message};

impl Reason {
    /// A clause that tells it, with what belongs into it.
    #[must_use]
    pub fn message(self, detail: &str) -> Message {
        match self {
            Self::HostUnresolved
            | Self::TimedOut
            | Self::ConnectionTimedOut
            | Self::ConnectionRefused
            | Self::HostUnreachable
            | Self::ConnectionFailed
            | Self::ConnectionClosed
            | Self::NoResponse
            | Self::IncompleteResponse
            | Self::NotHttp
            | Self::ResponseTooLarge => self.of_network(detail),
            Self::TlsClosed
            | Self::TlsAlert
            | Self::TlsIncompatible
            | Self::NotTls
            | Self::TlsFailed
            | Self::CertificateExpired
            | Self::CertificateNotYetValid
            | Self::CertificateUnknownIssuer
            | Self::CertificateWrongHost
            | Self::CertificateRevoked
            | Self::CertificateWrongPurpose
            | Self::CertificateInvalid => {
                let why = self.of_tls(detail);
                around(&why, |why| {
                    message!("TLS handshake failed: {why}", "falló la negociación TLS: {why}")
                })
            }
            Self::OfRecipient
            | Self::EmailTooLarge
            | Self::RecipientsCount
            | Self::NotAnAddress
            | Self::MailWithoutTls
            | Self::MailCannotSignIn
            | Self::MailUndocumented
            | Self::MailBrokeOff => self.of_mail(detail),
            Self::SandboxSilent
            | Self::SandboxAway
            | Self::SandboxLostAnswer
            | Self::SandboxWithoutRecords
            | Self::SandboxCannotSeal => self.of_sandbox(),
            Self::DraftFindings | Self::OwnWords => {
                let (english, spanish) = detail.split_once('\n').unwrap_or((detail, detail));
                message!("{english}", "{spanish}")
            }
            Self::NotSealed
            | Self::OtherDocument
            | Self::StampNotReturned
            | Self::Contradiction
            | Self::RetryRejected => self.of_document(detail),
            Self::TooMuchToSearch
            | Self::TooManyOfOneMoment
            | Self::PaymentUnknownThere
            | Self::RefundUnknownThere
            | Self::PaymentNeverThere
            | Self::NotDone
            | Self::OtherPayment
            | Self::PaymentUnknownHere
            | Self::NoPaymentOfAccount => self.of_payment(),
            _ => self.of_provider(detail),
        }
    }

    fn of_network(self, detail: &str) -> Message {
        match self {
            Self::HostUnresolved => message!(
                "the host name could not be resolved",
                "no se pudo resolver el nombre del servidor"
            ),
            Self::TimedOut => {
                message!("timed out after {detail}", "no hubo respuesta en {detail}")
            }
            Self::ConnectionTimedOut => {
                message!("the connection timed out", "se agotó el tiempo de espera de la conexión")
            }
            Self::ConnectionRefused => message!("connection refused", "conexión rechazada"),
            Self::HostUnreachable => message!("host unreachable", "no se pudo llegar al servidor"),
            Self::ConnectionClosed => {
                message!("the connection was closed", "se cerró la conexión")
            }
            Self::NoResponse => message!(
                "the connection was closed before a response was received",
                "la conexión se cerró antes de recibir una respuesta"
            ),
            Self::IncompleteResponse => message!(
                "the connection was closed before the response was complete",
                "la conexión se cerró antes de recibir la respuesta completa"
            ),
            Self::NotHttp => message!(
                "the response is not HTTP, or its headers are too large",
                "la respuesta no es HTTP o sus encabezados son demasiado grandes"
            ),
            Self::ResponseTooLarge => message!(
                "the response is larger than {detail} MiB",
                "la respuesta pesa más de {detail} MiB"
            ),
            _ => message!("connection failed", "no se pudo conectar"),
        }
    }

    /// Why the TLS handshake failed.
    fn of_tls(self, detail: &str) -> Message {
        match self {
            Self::TlsClosed => message!("the connection was closed", "se cerró la conexión"),
            Self::TlsAlert => message!(
                "the endpoint sent the alert {detail}",
                "el servidor envió la alerta {detail}"
            ),
            Self::TlsIncompatible => message!(
                "no version or cipher in common",
                "no hay una versión ni un cifrado en común"
            ),
            Self::NotTls => message!("the response is not TLS", "la respuesta no es TLS"),
            Self::CertificateExpired => message!("certificate expired", "certificado vencido"),
            Self::CertificateNotYetValid => {
                message!("certificate not valid yet", "el certificado aún no está vigente")
            }
            Self::CertificateUnknownIssuer => message!("unknown issuer", "emisor desconocido"),
            Self::CertificateWrongHost => message!(
                "certificate not valid for the host name",
                "el certificado no es del nombre del servidor"
            ),
            Self::CertificateRevoked => message!("certificate revoked", "certificado revocado"),
            Self::CertificateWrongPurpose => message!(
                "certificate not meant for servers",
                "el certificado no es para servidores"
            ),
            Self::CertificateInvalid => message!("certificate not valid", "certificado no válido"),
            _ => message!("the handshake could not be completed", "no se pudo completar"),
        }
    }

    fn of_mail(self, detail: &str) -> Message {
        match self {
            Self::OfRecipient => {
                let (to, why) = detail.split_once(": ").unwrap_or(("", detail));
                around(&told(why), |why| message!("{to}: {why}", "{to}: {why}"))
            }
            Self::EmailTooLarge => message!(
                "the email is larger than {detail} MiB",
                "el correo pesa más de {detail} MiB"
            ),
            Self::RecipientsCount => message!(
                "the email must have from 1 to {detail} recipients",
                "el correo debe tener de 1 a {detail} destinatarios"
            ),
            Self::NotAnAddress => message!(
                "{detail} is not an email address",
                "{detail} no es una dirección de correo"
            ),
            Self::MailWithoutTls => message!(
                "the mail server does not support TLS",
                "el servidor de correo no admite TLS"
            ),
            Self::MailCannotSignIn => message!(
                "the mail server supports no usable authentication method",
                "el servidor de correo no admite ningún método de autenticación utilizable"
            ),
            Self::MailUndocumented => message!(
                "the mail server sent an invalid response",
                "el servidor de correo envió una respuesta no válida"
            ),
            _ => message!(
                "the connection was closed or the mail server sent an invalid response",
                "se cerró la conexión o el servidor de correo envió una respuesta no válida"
            ),
        }
    }

    fn of_sandbox(self) -> Message {
        match self {
            Self::SandboxSilent => message!(
                "the sandbox was told to give no answer",
                "se pidió al sandbox no dar respuesta"
            ),
            Self::SandboxAway => message!(
                "the sandbox was told that nobody listens",
                "se pidió al sandbox actuar como si no hubiera nadie"
            ),
            Self::SandboxLostAnswer => message!(
                "the sandbox was told to lose the answer",
                "se pidió al sandbox perder la respuesta"
            ),
            Self::SandboxWithoutRecords => message!(
                "the sandbox cannot reach its records",
                "el sandbox no puede consultar sus registros"
            ),
            _ => message!(
                "the sandbox could not seal its stamp",
                "el sandbox no pudo sellar su timbre"
            ),
        }
    }

    fn of_document(self, detail: &str) -> Message {
        match self {
            Self::NotSealed => {
                message!("the document is not a sealed XML", "el comprobante no es un XML sellado")
            }
            Self::OtherDocument => message!(
                "the provider returned a different document, or one without a stamp",
                "el proveedor devolvió otro comprobante, o uno sin timbre"
            ),
            Self::StampNotReturned => message!(
                "the document is stamped, but the provider does not return the stamp yet",
                "el comprobante está timbrado, pero el proveedor aún no devuelve el timbre"
            ),
            Self::Contradiction => message!(
                "the provider says that it stamped the document before, and that it did not",
                "el proveedor dice que ya había timbrado el comprobante, y también que no"
            ),
            _ => {
                message!("the retry was rejected: {detail}", "el reintento fue rechazado: {detail}")
            }
        }
    }

    fn of_payment(self) -> Message {
        match self {
            Self::TooMuchToSearch => {
                message!("there is too much to look through", "hay demasiado que revisar")
            }
            Self::TooManyOfOneMoment => message!(
                "it lists too many payments of one moment",
                "muestra demasiados pagos de un mismo momento"
            ),
            Self::PaymentUnknownThere => message!(
                "the provider does not know the payment yet",
                "el proveedor aún no conoce el pago"
            ),
            Self::RefundUnknownThere => message!(
                "the provider does not know the refund yet",
                "el proveedor aún no conoce el reembolso"
            ),
            Self::PaymentNeverThere => message!(
                "the provider has never had this payment",
                "el proveedor nunca tuvo este pago"
            ),
            Self::OtherPayment => {
                message!("the provider shows another payment", "el proveedor muestra otro pago")
            }
            Self::PaymentUnknownHere => message!(
                "no payment is known by this identifier yet",
                "aún no se conoce ningún pago con este identificador"
            ),
            Self::NoPaymentOfAccount => message!(
                "it concerns no payment of this account",
                "no se refiere a ningún pago de esta cuenta"
            ),
            _ => message!("the provider has not done it", "el proveedor no lo hizo"),
        }
    }

    fn of_provider(self, detail: &str) -> Message {
        match self {
            Self::InvalidAddress => {
                message!("the address is not a URL", "la dirección no es una URL")
            }
            Self::HttpStatus => message!(
                "the provider answered with HTTP {detail}",
                "el proveedor respondió con HTTP {detail}"
            ),
            Self::CredentialsRejected => message!(
                "the provider rejected the credentials",
                "el proveedor rechazó las credenciales"
            ),
            Self::CredentialsMissing => message!(
                "the provider's key is not set up",
                "la clave del proveedor no está configurada"
            ),
            Self::UserMissing => {
                message!("user and password are required", "se requieren usuario y contraseña")
            }
            Self::TokenOrUserMissing => message!(
                "a token, or user and password, are required",
                "se requiere un token, o usuario y contraseña"
            ),
            Self::CredentialsUnsendable => message!(
                "the token or key must not contain control characters",
                "el token o la clave no debe contener caracteres de control"
            ),
            Self::NotOverNetwork => message!(
                "{detail} is not called over the network",
                "{detail} no se llama por la red"
            ),
            Self::LimitsRequests => message!(
                "the provider is limiting requests (HTTP 429)",
                "el proveedor está limitando las solicitudes (HTTP 429)"
            ),
            Self::AsksToWait => message!(
                "the provider asks us to wait {detail}",
                "el proveedor pide esperar {detail}"
            ),
            Self::UndocumentedResponse => message!(
                "the provider sent an undocumented response",
                "el proveedor envió una respuesta no documentada"
            ),
            Self::RequestRejected => {
                message!("the provider rejected the request", "el proveedor rechazó la solicitud")
            }
            Self::QueryRejected => message!(
                "SAT rejected the query expression (601)",
                "el SAT rechazó la expresión de la consulta (601)"
            ),
            Self::Refused => message!("it was refused", "fue rechazado"),
            Self::NotDecided => message!("no decision yet", "aún no hay respuesta"),
            Self::ProviderFailed => {
                message!("the provider failed: {detail}", "el proveedor falló: {detail}")
            }
            Self::ProviderAnswered => {
                message!("the provider returned {detail}", "el proveedor respondió {detail}")
            }
            Self::SignInTimedOut => message!(
                "signing in to the provider timed out",
                "se agotó el tiempo para iniciar sesión con el proveedor"
            ),
            Self::SignInFailed => around(&told(detail), |why| {
                message!("signing in failed: {why}", "no se pudo iniciar sesión: {why}")
            }),
            Self::KeyReused => message!(
                "the provider has seen the key with another request",
                "el proveedor ya recibió la clave con otra solicitud"
            ),
            Self::SentLater => message!(
                "the database took too long; it is going to be sent",
                "la base de datos tardó demasiado; se va a enviar"
            ),
            _ => message!("the key cannot be sent", "la clave no se puede enviar"),
        }
    }
}
