//! The audit log: who did what, for ever.

use std::{collections::BTreeMap, net::IpAddr};

use kernel::{AccountId, Actor, Message, PageRequest, Timestamp, message};

kernel::ids! {
    /// The identifier of an entry of the audit log.
    AuditEntryId = "aud";
}

macro_rules! actions {
    ($($(#[$doc:meta])* $name:ident = $text:literal;)+) => {
        /// What is done and recorded, all of it; entries of other releases may have others.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Action {
            $($(#[$doc])* $name,)+
        }

        impl Action {
            /// Every action.
            pub const EVERY: &'static [Self] = &[$(Self::$name,)+];

            /// Its name.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(Self::$name => $text,)+ }
            }

            /// The one of that name.
            #[must_use]
            pub fn named(name: &str) -> Option<Self> {
                Self::EVERY.iter().copied().find(|one| one.name() == name)
            }
        }
    };
}

actions! {
    /// A key was made.
    ApiKeyCreated = "api_key.created";
    /// A key has a new text.
    ApiKeyRotated = "api_key.rotated";
    /// A key opens nothing any more.
    ApiKeyRevoked = "api_key.revoked";
    /// Somebody was invited.
    InvitationCreated = "invitation.created";
    /// An invitation was taken back.
    InvitationRevoked = "invitation.revoked";
    /// Somebody has joined.
    MemberAdded = "member.added";
    /// A member has another role.
    MemberRoleChanged = "member.role_changed";
    /// A member has left, or was removed.
    MemberRemoved = "member.removed";
    /// Somebody signed in.
    UserSignedIn = "user.signed_in";
    /// Somebody gave a wrong password or code: recorded once for each run of failures, and when further ones are put off.
    UserSignInFailed = "user.sign_in_failed";
    /// Somebody has given the password of a user, and no code: others may know it. Recorded at the next sign-in, once for each run.
    UserCodeNotGiven = "user.code_not_given";
    /// An operator has made a link by which a user sets a password anew.
    UserResetLinkIssued = "user.reset_link_issued";
    /// An operator has made a link by which a user is signed in.
    UserSignInLinkIssued = "user.sign_in_link_issued";
    /// An operator has made a link by which somebody becomes an owner of the account.
    SetUpLinkIssued = "account.set_up_link_issued";
    /// A user has another password.
    UserPasswordChanged = "user.password_changed";
    /// A user is asked for a code at sign-in from now on.
    UserTotpEnabled = "user.totp_enabled";
    /// A user is not asked for a code any more.
    UserTotpDisabled = "user.totp_disabled";
    /// A user has new recovery codes.
    UserRecoveryCodesRenewed = "user.recovery_codes_renewed";
    /// A user signed in with a recovery code.
    UserRecoveryCodeUsed = "user.recovery_code_used";
    /// The account has another name or other settings.
    AccountChanged = "account.changed";
    /// Events are sent to another address.
    WebhookCreated = "webhook.created";
    /// A webhook has another address or other events, was enabled or disabled.
    WebhookChanged = "webhook.changed";
    /// A webhook has another secret.
    WebhookSecretRotated = "webhook.secret_rotated";
    /// A webhook gets no events any more.
    WebhookDeleted = "webhook.deleted";
    /// Something needs approval from now on.
    ApprovalRuleCreated = "approval_rule.created";
    /// A rule asks others, or of other things.
    ApprovalRuleChanged = "approval_rule.changed";
    /// A rule asks nobody any more.
    ApprovalRuleDeleted = "approval_rule.deleted";
    /// Somebody else issues invoices, too.
    IssuerCreated = "issuer.created";
    /// An issuer has other data.
    IssuerChanged = "issuer.changed";
    /// An issuer issues no more.
    IssuerDeleted = "issuer.deleted";
    /// There is another certificate to seal with.
    CertificateAdded = "certificate.added";
    /// Another certificate seals.
    CertificateActivated = "certificate.activated";
    /// A certificate and its private key are gone.
    CertificateDeleted = "certificate.deleted";
    /// Another provider certifies, or the same with other credentials.
    CertificationProviderChosen = "certification_provider.chosen";
    /// A series of invoices goes on with another folio.
    SeriesChanged = "series.changed";
    /// There is another branch to issue at.
    BranchCreated = "branch.created";
    /// A branch has other data.
    BranchChanged = "branch.changed";
    /// Nothing is issued at a branch any more.
    BranchDeleted = "branch.deleted";
    /// Global invoices are made otherwise.
    GlobalInvoicesChanged = "global_invoices.changed";
    /// There is another warehouse.
    WarehouseCreated = "warehouse.created";
    /// A warehouse has another name, address or priority.
    WarehouseChanged = "warehouse.changed";
    /// A warehouse is gone.
    WarehouseDeleted = "warehouse.deleted";
    /// There is another price list.
    PriceListCreated = "price_list.created";
    /// A price list is for others, or holds at another time.
    PriceListChanged = "price_list.changed";
    /// A price list holds no more.
    PriceListDeleted = "price_list.deleted";
    /// There is another group of customers.
    CustomerGroupCreated = "customer_group.created";
    /// A group of customers has another name.
    CustomerGroupChanged = "customer_group.changed";
    /// A group of customers is gone.
    CustomerGroupDeleted = "customer_group.deleted";
    /// A payment provider has other credentials or settings.
    PaymentProviderChanged = "payment_provider.changed";
    /// What a provider shows of a payment counts, though it is not what was asked for.
    PaymentAccepted = "payment.accepted";
    /// It counts for nothing.
    PaymentRejected = "payment.rejected";
    /// Something is to be done about each of many.
    BulkActionStarted = "bulk_action.started";
    /// Somebody wants that to stop.
    BulkActionCancelled = "bulk_action.cancelled";
    /// It goes on no more: all is done, or it has stopped before.
    BulkActionEnded = "bulk_action.ended";
    /// The account was granted credits.
    CreditsGranted = "credits.granted";
    /// An operator has a task tried again at once.
    TaskRetried = "task.retried";
    /// An operator has given a task up.
    TaskAbandoned = "task.abandoned";
    /// An operator has brought the stamp that a task was waiting for.
    TaskAttached = "task.attached";
}

impl Action {
    /// Whether it only tells which fields changed: where none did, nothing was done.
    const fn is_of_fields(self) -> bool {
        matches!(
            self,
            Self::MemberRoleChanged
                | Self::AccountChanged
                | Self::WebhookChanged
                | Self::ApprovalRuleChanged
                | Self::IssuerChanged
                | Self::CertificationProviderChosen
                | Self::SeriesChanged
                | Self::BranchChanged
                | Self::GlobalInvoicesChanged
                | Self::WarehouseChanged
                | Self::PriceListChanged
                | Self::CustomerGroupChanged
                | Self::PaymentProviderChanged
        )
    }
}

/// Fields and what they held, in words; never a secret.
pub type Fields = BTreeMap<String, String>;

/// The fields of a thing that hold something, each by the name that the API gives it.
#[must_use]
pub fn present(parts: impl IntoIterator<Item = (&'static str, Option<String>)>) -> Fields {
    parts.into_iter().filter_map(|(name, text)| Some((name.to_owned(), text?))).collect()
}

/// What stands for a secret in whose place there is another one.
pub const REPLACED: &str = "replaced";
/// What stands for a secret that is there no more.
pub const REMOVED: &str = "removed";
/// The most characters of the name of an operator that is looked for.
const OPERATOR_CHARS_MAX: usize = 100;
/// The most characters of a field that are kept.
const FIELD_CHARS_MAX: usize = 2_000;

fn cut(text: String) -> String {
    let end = text.char_indices().nth(FIELD_CHARS_MAX).map(|(end, _)| end);
    match end.and_then(|end| text.get(..end)) {
        Some(beginning) => format!("{beginning}…"),
        None => text,
    }
}

/// Something done, to be recorded with its effect.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct Act {
    pub action: Action,
    /// The identifier of what it was done to.
    pub resource: String,
    /// What whoever did it said about it.
    pub note: Option<String>,
    /// The fields that it changed, as they were; empty if there was nothing.
    pub before: Fields,
    /// The same as they are.
    pub after: Fields,
}

impl Act {
    /// Without fields.
    #[must_use]
    pub fn new(action: Action, resource: &impl ToString) -> Self {
        let (before, after) = (Fields::new(), Fields::new());
        Self { action, resource: resource.to_string(), note: None, before, after }
    }

    /// With what whoever did it said about it.
    #[must_use]
    pub fn noted(self, note: Option<String>) -> Self {
        Self { note, ..self }
    }

    /// Whether it is to be recorded: something that was saved as it was is no change.
    #[must_use]
    pub fn is_news(&self) -> bool {
        let has_fields = !self.before.is_empty() || !self.after.is_empty();
        has_fields || !self.action.is_of_fields()
    }

    /// With a field as it was and as it is, cut where it is long. One that has not changed is left out.
    #[must_use]
    pub fn with(mut self, field: &str, before: Option<String>, after: Option<String>) -> Self {
        if before != after {
            self.before.extend(before.map(|text| (field.to_owned(), cut(text))));
            self.after.extend(after.map(|text| (field.to_owned(), cut(text))));
        }
        self
    }

    /// The same of all that is told of a thing, as it was and as it is.
    #[must_use]
    pub fn with_all(self, before: &Fields, after: &Fields) -> Self {
        let names = before.keys().chain(after.keys().filter(|name| !before.contains_key(*name)));
        let held = |fields: &Fields, name: &String| fields.get(name).cloned();
        names.fold(self, |act, name| act.with(name, held(before, name), held(after, name)))
    }

    /// With a field that holds a secret: only that there is another one, or none any more, is told.
    #[must_use]
    pub fn with_secret<T: PartialEq + ?Sized>(
        mut self,
        field: &str,
        before: Option<&T>,
        after: Option<&T>,
    ) -> Self {
        if before != after {
            let told = if after.is_some() { REPLACED } else { REMOVED };
            self.after.insert(field.to_owned(), told.to_owned());
        }
        self
    }
}

/// An entry of the log.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct AuditEntry {
    pub id: AuditEntryId,
    pub account: AccountId,
    pub actor: Actor,
    /// What the actor was called at the time: the name of a key, the address of a user.
    pub actor_name: Option<String>,
    /// What was done, e.g. `api_key.created`.
    pub action: String,
    /// The identifier of what it was done to.
    pub resource: String,
    /// What whoever did it said about it.
    pub note: Option<String>,
    pub before: Fields,
    pub after: Fields,
    pub address: Option<IpAddr>,
    pub request_id: Option<String>,
    pub created_at: Timestamp,
}

/// Whose entries are looked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Whose {
    /// Those of a [kind](Actor::KINDS) of actors, by its name.
    Kind(&'static str),
    /// Those of one.
    One(Actor),
}

impl Whose {
    /// Reads the name of a kind, the identifier of a key or user, or `operator` with the name of one.
    ///
    /// # Errors
    /// A clause that follows the field's name.
    pub fn parse(text: &str) -> Result<Self, Message> {
        let kind = Actor::KINDS.iter().copied().find(|kind| *kind == text).map(Self::Kind);
        let one = || Actor::parse(text).filter(is_named).map(Self::One);
        kind.or_else(one).ok_or_else(|| {
            let kinds = Actor::KINDS.join(", ");
            message!(
                "must be the id of an API key or a user, or one of {kinds}",
                "debe ser el id de una clave de API o de un usuario, o uno de {kinds}"
            )
        })
    }
}

/// Whether an operator has a name of one line, where it is one.
fn is_named(actor: &Actor) -> bool {
    match actor {
        Actor::Operator(name) => {
            (1..=OPERATOR_CHARS_MAX).contains(&name.chars().count())
                && !name.chars().any(char::is_control)
        }
        Actor::System | Actor::Public | Actor::Key(_) | Actor::User(_) => true,
    }
}

/// Which entries are looked for, newest first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct AuditQuery {
    pub page: PageRequest,
    pub actor: Option<Whose>,
    pub action: Option<Action>,
    pub resource: Option<String>,
    /// From this moment on.
    pub from: Option<Timestamp>,
    /// Before this moment.
    pub to: Option<Timestamp>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_not_changed_is_not_recorded() {
        let text = |text: &str| Some(text.to_owned());
        let act = Act::new(Action::MemberRoleChanged, &"usr_1")
            .with("role", text("sales"), text("admin"))
            .with("name", text("Ana"), text("Ana"))
            .with("note", None, text("new"));
        assert_eq!(act.before, Fields::from([("role".to_owned(), "sales".to_owned())]));
        let after = [("role", "admin"), ("note", "new")];
        let after = after.map(|(field, text)| (field.to_owned(), text.to_owned()));
        assert_eq!(act.after, Fields::from(after));
    }

    #[test]
    fn all_that_is_told_of_a_thing_is_compared() {
        let fields = |pairs: &[(&str, &str)]| {
            let pairs = pairs.iter().map(|(field, text)| ((*field).to_owned(), (*text).to_owned()));
            pairs.collect::<Fields>()
        };
        let before = fields(&[("name", "a"), ("hours", "72")]);
        let after = fields(&[("hours", "24"), ("levels", "1")]);
        let act = Act::new(Action::ApprovalRuleChanged, &"arl_1").with_all(&before, &after);
        assert_eq!((act.before, act.after), (before, after.clone()));
        let act = Act::new(Action::ApprovalRuleChanged, &"arl_1").with_all(&after, &after);
        assert_eq!((act.before, act.after), (Fields::new(), Fields::new()));
    }

    #[test]
    fn long_fields_are_cut_once_they_are_compared() {
        let long = "é".repeat(FIELD_CHARS_MAX);
        let [before, after] = ["a", "b"].map(|end| Some(format!("{long}{end}")));
        let act = Act::new(Action::ApprovalRuleChanged, &"arl_1").with("levels", before, after);
        let kept = Fields::from([("levels".to_owned(), format!("{long}…"))]);
        assert!(act.is_news());
        assert_eq!((act.before, act.after), (kept.clone(), kept));
    }

    #[test]
    fn whatever_is_called_changed_is_told_by_its_fields() {
        for action in Action::EVERY.iter().filter(|action| action.name().ends_with(".changed")) {
            assert!(!Act::new(*action, &"x").is_news(), "{action:?}");
        }
    }

    #[test]
    fn a_change_is_news_where_a_field_has_changed() {
        let text = |text: &str| Some(text.to_owned());
        let changed = || Act::new(Action::IssuerChanged, &"iss_1");
        assert!(!changed().with("rfc", text("a"), text("a")).is_news());
        assert!(changed().with("rfc", text("a"), None).is_news());
        assert!(changed().with_secret("key", None, Some("a")).is_news());
        assert!(Act::new(Action::CertificateActivated, &"crt_1").is_news());
    }

    #[test]
    fn of_secrets_only_that_they_changed_is_told() {
        for (before, after, told) in [
            (None, None, None),
            (Some("a"), Some("a"), None),
            (None, Some("a"), Some("replaced")),
            (Some("a"), Some("b"), Some("replaced")),
            (Some("a"), None, Some("removed")),
        ] {
            let act = Act::new(Action::PaymentProviderChanged, &"stripe");
            let act = act.with_secret("key", before, after);
            let told = told.map(|told| ("key".to_owned(), told.to_owned()));
            let told = told.into_iter().collect::<Fields>();
            assert_eq!((act.before, act.after), (Fields::new(), told), "{before:?} {after:?}");
        }
    }

    #[test]
    fn entries_are_looked_for_by_those_who_can_have_some() {
        let long = format!("operator {}", "a".repeat(OPERATOR_CHARS_MAX + 1));
        for wrong in ["", "nope", "key_1", "operator ", "operator a\nb", "KEY", &long] {
            let refused = Whose::parse(wrong).unwrap_err();
            assert!(refused.in_language(kernel::Language::English).contains("operator"), "{wrong}");
        }
        for kind in Actor::KINDS {
            assert_eq!(Whose::parse(kind), Ok(Whose::Kind(kind)));
        }
        let user = Actor::User(kernel::UserId::from_u128(7));
        for one in [user, Actor::Operator("ana lópez".into())] {
            assert_eq!(Whose::parse(&one.to_string()), Ok(Whose::One(one)));
        }
    }

    #[test]
    fn actions_have_names_of_their_own() {
        let names: std::collections::BTreeSet<_> =
            Action::EVERY.iter().map(|one| one.name()).collect();
        assert_eq!(names.len(), Action::EVERY.len());
        assert!(Action::EVERY.iter().all(|one| Action::named(one.name()) == Some(*one)));
        assert_eq!(Action::named("api_key.painted"), None);
    }
}
