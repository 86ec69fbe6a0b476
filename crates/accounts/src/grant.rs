//! Making keys and giving them new texts, by keys and by users.

use kernel::{FieldFault, Mode, PageRequest, Timestamp, message};

use crate::{
    ApiKey, NewApiKey, Role, Scope, Scopes,
    role::{Access, Area, Right},
};

/// The most characters of a key's name.
pub const KEY_NAME_CHARS_MAX: usize = 200;
/// The most keys of an account that are not revoked.
pub const KEYS_MAX: u32 = 500;

/// For how long a key's text of before opens what it did, once it has another.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Overlap {
    /// Not at all.
    #[default]
    None,
    /// An hour.
    Hour,
    /// A day.
    Day,
    /// A week.
    Week,
}

impl Overlap {
    /// Every overlap, the shortest first.
    pub const EVERY: &'static [Self] = &[Self::None, Self::Hour, Self::Day, Self::Week];

    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::None => "0",
            Self::Hour => "1h",
            Self::Day => "24h",
            Self::Week => "7d",
        }
    }

    /// The one of this name.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        Self::EVERY.iter().copied().find(|one| one.name() == name)
    }

    /// In seconds.
    #[must_use]
    pub const fn seconds(self) -> i64 {
        match self {
            Self::None => 0,
            Self::Hour => 3_600,
            Self::Day => 86_400,
            Self::Week => 7 * 86_400,
        }
    }
}

/// A key to be made.
#[derive(Clone, Debug)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct GrantApiKey {
    pub name: String,
    pub scopes: Scopes,
    /// Whether its holder may approve what others ask for, within its scopes.
    pub may_approve: bool,
    /// Requests per hour, if different from the service's setting.
    pub rate_per_hour: Option<u32>,
    /// When the key expires.
    pub expires_at: Option<Timestamp>,
}

/// A key with its text, which is told this once.
#[derive(Clone, PartialEq, Eq)]
pub struct IssuedApiKey {
    /// The key.
    pub key: ApiKey,
    /// Its text, for the eyes of whoever asked for it alone.
    pub text: String,
}

impl std::fmt::Debug for IssuedApiKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("IssuedApiKey").field("key", &self.key).finish_non_exhaustive()
    }
}

/// Makes the text of a key for accounts of a mode; whoever knows the brand and has randomness gives it.
pub type KeyMaker = std::sync::Arc<dyn Fn(Mode) -> Result<NewApiKey, String> + Send + Sync>;

/// Which keys are listed, newest first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct ApiKeyQuery {
    pub page: PageRequest,
    /// Of this mode: a live account also sees the keys of its test account, and those of its own if absent.
    pub mode: Option<Mode>,
    /// Those that open something now, or those that are revoked or expired.
    pub active: Option<bool>,
}

/// What whoever makes a key has, beyond which it gives nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Grantor {
    /// An operator: everything.
    Operator,
    /// A user, by the role in the account.
    Member(Role),
    /// The holder of a key.
    Key(Box<ApiKey>),
}

impl Grantor {
    fn allows(&self, scope: Scope) -> bool {
        match self {
            Self::Operator => true,
            Self::Member(role) => role.allows(Right::write(scope)),
            Self::Key(key) => key.scopes.allow(scope),
        }
    }

    fn is_all(&self) -> bool {
        match self {
            Self::Operator => true,
            Self::Member(role) => role.allows(Right::of(Area::ApiKeys, Access::Write)),
            Self::Key(key) => key.scopes.is_all(),
        }
    }

    fn may_approve(&self) -> bool {
        match self {
            Self::Operator => true,
            Self::Member(role) => {
                Scope::EVERY.iter().all(|scope| role.allows(Right::approve(*scope)))
            }
            Self::Key(key) => key.may_approve,
        }
    }

    fn rate_per_hour(&self) -> Option<u32> {
        match self {
            Self::Operator | Self::Member(_) => None,
            Self::Key(key) => key.rate_per_hour,
        }
    }

    fn expires_at(&self) -> Option<Timestamp> {
        match self {
            Self::Operator | Self::Member(_) => None,
            Self::Key(key) => key.expires_at,
        }
    }
}

/// What is wrong with a key that somebody wants to make: it is in the past, or more than they have themselves.
#[must_use]
pub fn faults(by: &Grantor, wanted: &GrantApiKey, now: Timestamp) -> Vec<FieldFault> {
    let mut faults = Vec::new();
    if wanted.scopes.is_all() && !by.is_all() {
        faults.push(FieldFault::new(
            "scopes",
            message!(
                "must not be \"*\": you do not have all of them",
                "no debe ser \"*\": quien la crea no los tiene todos"
            ),
        ));
    }
    let lacking =
        Scope::EVERY.iter().find(|scope| wanted.scopes.names(**scope) && !by.allows(**scope));
    if let Some(scope) = lacking {
        let problem = message!(
            "must not have \"{scope}\", which you do not have yourself",
            "no debe incluir \"{scope}\", que no tiene quien la crea"
        );
        faults.push(FieldFault::new("scopes", problem));
    }
    if wanted.may_approve && !by.may_approve() {
        let problem = message!(
            "must not be true: you may not approve yourself",
            "no debe ser true: quien la crea no puede aprobar"
        );
        faults.push(FieldFault::new("mayApprove", problem));
    }
    if let Some(most) = by.rate_per_hour()
        && wanted.rate_per_hour.is_none_or(|rate| rate > most)
    {
        let problem = message!(
            "must be at most {most}, as your own",
            "debe ser a lo más {most}, como la de quien la crea"
        );
        faults.push(FieldFault::new("ratePerHour", problem));
    }
    if wanted.expires_at.is_some_and(|at| at <= now) {
        let problem = message!("must be in the future", "debe ser una fecha futura");
        faults.push(FieldFault::new("expiresAt", problem));
    } else if let Some(last) = by.expires_at()
        && wanted.expires_at.is_none_or(|at| at > last)
    {
        let problem = message!(
            "must be {last} or earlier, when your own key expires",
            "debe ser {last} o antes, cuando vence la clave con que se crea"
        );
        faults.push(FieldFault::new("expiresAt", problem));
    }
    faults
}

/// What is wrong with a key of this mode that an account of its own mode makes.
#[must_use]
pub fn mode_fault(own: Mode, wanted: Mode) -> Option<FieldFault> {
    let problem = message!(
        "must be test: a key of a test account makes no others",
        "debe ser test: con una clave de una cuenta de pruebas no se crean otras"
    );
    ((own, wanted) == (Mode::Test, Mode::Live)).then(|| FieldFault::new("mode", problem))
}

#[cfg(test)]
mod tests {
    use kernel::AccountId;

    use super::*;
    use crate::ApiKeyId;

    fn at(seconds: i64) -> Timestamp {
        Timestamp::from_micros(0).plus_seconds(seconds)
    }

    fn holder(
        may_approve: bool,
        rate_per_hour: Option<u32>,
        expires_at: Option<Timestamp>,
    ) -> Grantor {
        Grantor::Key(Box::new(ApiKey {
            id: ApiKeyId::from_u128(1),
            account: AccountId::from_u128(1),
            name: "holder".to_owned(),
            last4: "abcd".to_owned(),
            scopes: Scopes::all(),
            may_approve,
            rate_per_hour,
            created_at: at(0),
            expires_at,
            is_by_previous_text: false,
            previous_until: None,
            revoked_at: None,
            last_used_at: None,
            version: 1,
        }))
    }

    fn wanted(scopes: &str) -> GrantApiKey {
        GrantApiKey {
            name: "new".to_owned(),
            scopes: Scopes::parse(scopes).unwrap(),
            may_approve: false,
            rate_per_hour: None,
            expires_at: None,
        }
    }

    fn fields(by: &Grantor, wanted: &GrantApiKey) -> Vec<String> {
        faults(by, wanted, at(100)).into_iter().map(|fault| fault.field).collect()
    }

    #[test]
    fn nobody_grants_more_than_they_have() {
        let none: [&str; 0] = [];
        let plain = holder(false, None, None);
        assert_eq!(fields(&plain, &wanted("*")), none);
        let approving = GrantApiKey { may_approve: true, ..wanted("orders") };
        assert_eq!(fields(&plain, &approving), ["mayApprove"]);
        assert_eq!(fields(&holder(true, None, None), &approving), none);
        assert_eq!(fields(&Grantor::Member(Role::Admin), &approving), none);

        let slow = holder(false, Some(60), None);
        let rated = |rate| GrantApiKey { rate_per_hour: rate, ..wanted("orders") };
        assert_eq!(fields(&slow, &rated(Some(60))), none);
        assert_eq!(fields(&slow, &rated(Some(61))), ["ratePerHour"]);
        assert_eq!(fields(&slow, &rated(None)), ["ratePerHour"]);

        let ending = holder(false, None, Some(at(200)));
        let until = |at| GrantApiKey { expires_at: at, ..wanted("orders") };
        assert_eq!(fields(&ending, &until(Some(at(200)))), none);
        assert_eq!(fields(&ending, &until(Some(at(201)))), ["expiresAt"]);
        assert_eq!(fields(&ending, &until(None)), ["expiresAt"]);
        assert_eq!(fields(&plain, &until(Some(at(100)))), ["expiresAt"]);

        let viewer = Grantor::Member(Role::Viewer);
        assert_eq!(fields(&viewer, &wanted("*")), ["scopes"]);
        assert_eq!(fields(&viewer, &wanted("orders")), ["scopes"]);
        assert_eq!(fields(&Grantor::Operator, &wanted("*")), none);
    }

    #[test]
    fn a_test_account_makes_no_live_keys() {
        for (own, wanted, is_wrong) in [
            (Mode::Live, Mode::Live, false),
            (Mode::Live, Mode::Test, false),
            (Mode::Test, Mode::Test, false),
            (Mode::Test, Mode::Live, true),
        ] {
            assert_eq!(mode_fault(own, wanted).is_some(), is_wrong, "{own:?} {wanted:?}");
        }
    }

    #[test]
    fn overlaps_are_read_back() {
        assert!(Overlap::EVERY.iter().all(|one| Overlap::parse(one.name()) == Some(*one)));
        assert!(Overlap::EVERY.is_sorted_by_key(|one| one.seconds()));
    }
}
