//! Why a call to a provider or a mail server came to nothing, in the language of whoever reads it.
//!
//! What is kept is a text: a code with what belongs into its sentence, `timed_out: 5 s`. What begins with no code that is
//! known, as what providers say themselves and what earlier releases have kept, is told as it is. The records that hold a
//! reason have a text for it anyway, since a provider may give its own words. What is wrong with a draft has a code, too, and
//! both its texts: what is found follows from rules that change. So has what a rule of the service itself refuses.

mod words;

use std::fmt::Display;

use crate::{Language, Message, message};

macro_rules! reasons {
    ($($(#[doc = $about:literal])+ $name:ident = $code:literal;)+) => {
        /// Why a call came to nothing.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Reason {
            $($(#[doc = $about])+ $name,)+
        }

        impl Reason {
            /// Every reason.
            pub const EVERY: &'static [Self] = &[$(Self::$name,)+];

            /// Its code.
            #[must_use]
            pub const fn code(self) -> &'static str {
                match self {
                    $(Self::$name => $code,)+
                }
            }
        }
    };
}

reasons! {
    /// The host has no address, or nobody could say.
    HostUnresolved = "host_unresolved";
    /// It took longer than it may: how long that is.
    TimedOut = "timed_out";
    /// The network gave the connection up.
    ConnectionTimedOut = "connection_timed_out";
    /// Nobody listens there.
    ConnectionRefused = "connection_refused";
    /// No way leads there.
    HostUnreachable = "host_unreachable";
    /// No connection was made, for another reason.
    ConnectionFailed = "connection_failed";
    /// The connection was closed.
    ConnectionClosed = "connection_closed";
    /// The connection was closed before the response's head was complete.
    NoResponse = "no_response";
    /// The connection was closed within the response's body.
    IncompleteResponse = "incomplete_response";
    /// The response is not HTTP, or its head is too large.
    NotHttp = "not_http";
    /// The response is longer than so many MiB.
    ResponseTooLarge = "response_too_large";
    /// The connection was closed within the TLS handshake.
    TlsClosed = "tls_closed";
    /// The other side has ended the TLS handshake: its alert, as RFC 8446 names it.
    TlsAlert = "tls_alert";
    /// There is no TLS version or cipher in common.
    TlsIncompatible = "tls_incompatible";
    /// What answers does not speak TLS.
    NotTls = "not_tls";
    /// The TLS handshake failed for another reason.
    TlsFailed = "tls_failed";
    /// The certificate is too old.
    CertificateExpired = "certificate_expired";
    /// The certificate begins later.
    CertificateNotYetValid = "certificate_not_yet_valid";
    /// Nobody who is trusted has issued the certificate.
    CertificateUnknownIssuer = "certificate_unknown_issuer";
    /// The certificate is for other hosts.
    CertificateWrongHost = "certificate_wrong_host";
    /// The certificate was revoked.
    CertificateRevoked = "certificate_revoked";
    /// The certificate is not for servers.
    CertificateWrongPurpose = "certificate_wrong_purpose";
    /// The certificate proves nothing, for another reason.
    CertificateInvalid = "certificate_invalid";
    /// The address that is set is none.
    InvalidAddress = "invalid_address";
    /// The provider answered with a status that says no more: its number.
    HttpStatus = "http_status";
    /// The provider does not know us, or does not let us.
    CredentialsRejected = "credentials_rejected";
    /// The account has no credentials for the provider.
    CredentialsMissing = "credentials_missing";
    /// The account has not given user and password.
    UserMissing = "user_missing";
    /// The account has given neither a token nor user and password.
    TokenOrUserMissing = "token_or_user_missing";
    /// The token or key has characters that cannot be sent.
    CredentialsUnsendable = "credentials_unsendable";
    /// Such a provider is not called over the network: its name.
    NotOverNetwork = "not_over_network";
    /// The provider has too many requests.
    LimitsRequests = "limits_requests";
    /// The provider has no time: for how long.
    AsksToWait = "asks_to_wait";
    /// The answer is not what the provider documents.
    UndocumentedResponse = "undocumented_response";
    /// The provider refuses the request itself.
    RequestRejected = "request_rejected";
    /// SAT refuses the expression by which a document is asked after.
    QueryRejected = "query_rejected";
    /// It was refused, and nobody says why.
    Refused = "was_refused";
    /// SAT has not decided.
    NotDecided = "not_decided";
    /// The provider tells of an accident of its own: its words.
    ProviderFailed = "provider_failed";
    /// The provider tells something of the account: its words.
    ProviderAnswered = "provider_answered";
    /// Signing in to the provider took too long.
    SignInTimedOut = "sign_in_timed_out";
    /// Signing in to the provider failed: the reason.
    SignInFailed = "sign_in_failed";
    /// The key of the call cannot be sent.
    KeyUnsendable = "key_unsendable";
    /// The provider has seen the key of the call with another request.
    KeyReused = "key_reused";
    /// The database took too long before the call; it is going to be made.
    SentLater = "sent_later";
    /// A draft is not to be stamped as it is: what is wrong with it, in [both languages](Reason::in_both).
    DraftFindings = "draft_findings";
    /// What the service says where a rule of its own refuses, in [both languages](Reason::in_both).
    OwnWords = "own_words";
    /// The document that was to be sent is not sealed.
    NotSealed = "not_sealed";
    /// What came back is another document, or has no stamp.
    OtherDocument = "other_document";
    /// The document is stamped, and its stamp has not come.
    StampNotReturned = "stamp_not_returned";
    /// The provider says that it has stamped the document, and that it has not.
    Contradiction = "contradiction";
    /// The repetition of a call was refused: the words of the refusal.
    RetryRejected = "retry_rejected";
    /// The provider lists more than can be looked through.
    TooMuchToSearch = "too_much_to_search";
    /// The provider lists more payments of one moment than can be compared.
    TooManyOfOneMoment = "too_many_of_one_moment";
    /// The provider does not know the payment.
    PaymentUnknownThere = "payment_unknown_there";
    /// The provider does not know the refund.
    RefundUnknownThere = "refund_unknown_there";
    /// The provider has never had the payment.
    PaymentNeverThere = "payment_never_there";
    /// The provider has not done what it was asked for.
    NotDone = "not_done";
    /// The provider shows another payment.
    OtherPayment = "other_payment";
    /// No payment here has the identifier that a notification names.
    PaymentUnknownHere = "payment_unknown_here";
    /// A notification is about no payment of the account.
    NoPaymentOfAccount = "no_payment_of_account";
    /// The sandbox was told to give no answer.
    SandboxSilent = "sandbox_silent";
    /// The sandbox was told that nobody listens.
    SandboxAway = "sandbox_away";
    /// The sandbox was told to lose the answer.
    SandboxLostAnswer = "sandbox_lost_answer";
    /// The sandbox cannot reach what it keeps.
    SandboxWithoutRecords = "sandbox_without_records";
    /// The sandbox has no certificate to seal stamps with.
    SandboxCannotSeal = "sandbox_cannot_seal";
    /// About one of an email's recipients: the address, and the reason.
    OfRecipient = "of_recipient";
    /// The email is larger than so many MiB.
    EmailTooLarge = "email_too_large";
    /// An email has from 1 to so many recipients.
    RecipientsCount = "recipients_count";
    /// What was given is not an email address.
    NotAnAddress = "not_an_address";
    /// The mail server does not speak TLS.
    MailWithoutTls = "mail_without_tls";
    /// The mail server has no way to sign in that is known here.
    MailCannotSignIn = "mail_cannot_sign_in";
    /// What the mail server sent is no SMTP.
    MailUndocumented = "mail_undocumented";
    /// The mail server closed the connection, or sent no SMTP.
    MailBrokeOff = "mail_broke_off";
}

impl Reason {
    /// As it is kept, with what belongs into its sentence.
    #[must_use]
    pub fn kept(self, detail: impl Display) -> String {
        format!("{}: {detail}", self.code())
    }

    /// The same without anything.
    #[must_use]
    pub fn alone(self) -> String {
        self.code().to_owned()
    }

    /// With what belongs into its sentence in both languages; a line break in it becomes a space.
    #[must_use]
    pub fn in_both(self, detail: &Message) -> String {
        let [english, spanish] =
            Language::EVERY.map(|language| detail.in_language(language).replace('\n', " "));
        self.kept(format_args!("{english}\n{spanish}"))
    }

    /// Whether a reason that is kept is this one.
    #[must_use]
    pub fn is_of(self, kept: &str) -> bool {
        read(kept).is_some_and(|(reason, _)| reason == self)
    }
}

/// The reason that is kept, if it begins with a code that is known, and what belongs into its sentence.
fn read(kept: &str) -> Option<(Reason, &str)> {
    let (code, detail) = kept.split_once(": ").unwrap_or((kept, ""));
    let reason = Reason::EVERY.iter().find(|reason| reason.code() == code)?;
    Some((*reason, detail))
}

/// What people are told of a reason that is kept, if it begins with a code that is known.
#[must_use]
pub fn known(kept: &str) -> Option<Message> {
    read(kept).map(|(reason, detail)| reason.message(detail))
}

/// What people are told of a reason that is kept: what has no code that is known, as it is.
#[must_use]
pub fn told(kept: &str) -> Message {
    known(kept).unwrap_or_else(|| message!("{kept}", "{kept}"))
}

/// A sentence around a reason that is kept, each in the language of the other.
///
/// ```
/// use kernel::{Language, message, reason::{Reason, within}};
///
/// let kept = Reason::ConnectionRefused.alone();
/// let said = within(&kept, |why| message!("It failed: {why}.", "Falló: {why}."));
/// assert_eq!(said.in_language(Language::Spanish), "Falló: conexión rechazada.");
/// ```
#[must_use]
pub fn within(kept: &str, sentence: impl Fn(&str) -> Message) -> Message {
    around(&told(kept), sentence)
}

fn around(part: &Message, sentence: impl Fn(&str) -> Message) -> Message {
    Message::both(|language: Language| {
        sentence(part.in_language(language)).in_language(language).to_owned()
    })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    fn both(message: &Message) -> [String; 2] {
        Language::EVERY.map(|language| message.in_language(language).to_owned())
    }

    #[test]
    fn each_has_a_code_and_is_told_in_both_languages() {
        let codes: BTreeSet<_> = Reason::EVERY.iter().map(|reason| reason.code()).collect();
        assert_eq!(codes.len(), Reason::EVERY.len());
        let mut sentences = BTreeSet::new();
        for reason in Reason::EVERY {
            let kept = reason.kept("8 s");
            assert_eq!(known(&kept), Some(reason.message("8 s")), "{kept}");
            assert_eq!(known(&reason.alone()), Some(reason.message("")));
            let [english, spanish] = both(&told(&kept));
            let is_detail = [Reason::OfRecipient, Reason::DraftFindings, Reason::OwnWords];
            let is_detail = is_detail.contains(reason);
            assert!(english != spanish || is_detail, "{english}");
            assert!(sentences.insert(english) || is_detail, "{kept}");
            assert!(Reason::EVERY.iter().all(|other| other.is_of(&kept) == (other == reason)));
        }
    }

    #[test]
    fn what_is_kept_in_both_languages_is_told_in_each() {
        for reason in [Reason::DraftFindings, Reason::OwnWords] {
            let kept = reason.in_both(&message!("a: b\nc", "d: e"));
            assert_eq!(both(&told(&kept)), ["a: b c".to_owned(), "d: e".to_owned()]);
        }
        assert!(!Reason::DraftFindings.is_of("draft: a"));
    }

    #[test]
    fn a_reason_within_a_reason_is_told_in_the_same_language() {
        let refused = Reason::ConnectionRefused.alone();
        for around in [
            Reason::SignInFailed.kept(&refused),
            Reason::OfRecipient.kept(format_args!("ana@cliente.example: {refused}")),
        ] {
            let [english, spanish] = both(&told(&around));
            let [in_english, in_spanish] = both(&told(&refused));
            assert!(english.ends_with(&in_english) && spanish.ends_with(&in_spanish), "{around}");
        }
        let sentence = within(&refused, |why| message!("a {why}", "b {why}"));
        let [in_english, in_spanish] = both(&told(&refused));
        assert_eq!(both(&sentence), [format!("a {in_english}"), format!("b {in_spanish}")]);
    }

    #[test]
    fn other_words_are_left_as_they_are() {
        for kept in ["", "connection refused", "450 4.2.1 busy", "CFDI40147: sello", "timed out"] {
            assert_eq!(
                (known(kept), both(&told(kept))),
                (None, [kept.to_owned(), kept.to_owned()])
            );
        }
    }
}
