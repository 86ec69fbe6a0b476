//! What members of an account may do: roles, as sets of rights.

use crate::Scope;

/// A part of the panel that a right is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Area {
    /// What keys with this scope may call.
    Scope(Scope),
    /// The account's settings that no scope covers: its name, mail, retention.
    Settings,
    /// Members and invitations.
    Team,
    /// API keys.
    ApiKeys,
    /// The audit log and the log of requests.
    Audit,
}

/// What is done there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Access {
    /// Looking.
    Read,
    /// Changing.
    Write,
    /// Deciding about what others ask for.
    Approve,
}

impl Access {
    /// Every access.
    pub const EVERY: &'static [Self] = &[Self::Read, Self::Write, Self::Approve];
}

/// Something that a role allows or does not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs, reason = "self-explanatory")]
pub struct Right {
    pub area: Area,
    pub access: Access,
}

impl Right {
    /// To look at what a scope covers.
    #[must_use]
    pub const fn read(scope: Scope) -> Self {
        Self::of(Area::Scope(scope), Access::Read)
    }

    /// To change what a scope covers.
    #[must_use]
    pub const fn write(scope: Scope) -> Self {
        Self::of(Area::Scope(scope), Access::Write)
    }

    /// To decide about what others ask for in a scope.
    #[must_use]
    pub const fn approve(scope: Scope) -> Self {
        Self::of(Area::Scope(scope), Access::Approve)
    }

    /// Of any area.
    #[must_use]
    pub const fn of(area: Area, access: Access) -> Self {
        Self { area, access }
    }
}

/// What a member of an account is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Role {
    /// Everything, owners too. Every account keeps one.
    Owner,
    /// Everything but owners.
    Admin,
    /// Sells: orders, customers, leads, deals, charges and their invoices.
    Sales,
    /// Invoices, charges, and what they follow from.
    Accountant,
    /// Stock, and the shipping of orders.
    Warehouse,
    /// Looks, changes nothing.
    Viewer,
}

/// What a role may in a scope.
type Grant = (Scope, &'static [Access]);

const READ: &[Access] = &[Access::Read];
const WRITE: &[Access] = &[Access::Read, Access::Write];
const APPROVE: &[Access] = &[Access::Read, Access::Write, Access::Approve];

const SALES: &[Grant] = &[
    (Scope::Products, READ),
    (Scope::Orders, WRITE),
    (Scope::Customers, WRITE),
    (Scope::Leads, WRITE),
    (Scope::Deals, WRITE),
    (Scope::Invoices, WRITE),
    (Scope::Inbox, WRITE),
    (Scope::Campaigns, WRITE),
    (Scope::Payments, WRITE),
    (Scope::Analytics, READ),
    (Scope::Warehouses, READ),
];
const ACCOUNTANT: &[Grant] = &[
    (Scope::Products, READ),
    (Scope::Orders, READ),
    (Scope::Customers, WRITE),
    (Scope::Invoices, APPROVE),
    (Scope::Payments, APPROVE),
    (Scope::Analytics, READ),
    (Scope::Warehouses, READ),
];
const WAREHOUSE: &[Grant] = &[
    (Scope::Products, WRITE),
    (Scope::Orders, WRITE),
    (Scope::Customers, READ),
    (Scope::Warehouses, WRITE),
];

impl Role {
    /// Every role, the mightiest first.
    pub const EVERY: &'static [Self] =
        &[Self::Owner, Self::Admin, Self::Sales, Self::Accountant, Self::Warehouse, Self::Viewer];

    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Owner => "owner",
            Self::Admin => "admin",
            Self::Sales => "sales",
            Self::Accountant => "accountant",
            Self::Warehouse => "warehouse",
            Self::Viewer => "viewer",
        }
    }

    /// The one of this name.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        Self::EVERY.iter().copied().find(|role| role.name() == name)
    }

    /// Whether its members have the right.
    #[must_use]
    pub fn allows(self, right: Right) -> bool {
        let granted = |grants: &[Grant]| match right.area {
            Area::Scope(scope) => {
                let found = grants.iter().find(|(granted, _)| *granted == scope);
                found.is_some_and(|(_, accesses)| accesses.contains(&right.access))
            }
            Area::Settings | Area::Team | Area::ApiKeys | Area::Audit => false,
        };
        match self {
            Self::Owner | Self::Admin => true,
            Self::Sales => granted(SALES),
            Self::Accountant => granted(ACCOUNTANT),
            Self::Warehouse => granted(WAREHOUSE),
            Self::Viewer => matches!(right.area, Area::Scope(_)) && right.access == Access::Read,
        }
    }

    /// Whether its members may give somebody this role, or take it away.
    #[must_use]
    pub const fn governs(self, other: Self) -> bool {
        match self {
            Self::Owner => true,
            Self::Admin => !matches!(other, Self::Owner),
            Self::Sales | Self::Accountant | Self::Warehouse | Self::Viewer => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn areas() -> Vec<Area> {
        let scopes = Scope::EVERY.iter().copied().map(Area::Scope);
        scopes.chain([Area::Settings, Area::Team, Area::ApiKeys, Area::Audit]).collect()
    }

    #[test]
    fn who_may_change_or_approve_may_look() {
        for role in Role::EVERY {
            for area in areas() {
                let may = |access| role.allows(Right::of(area, access));
                assert!(may(Access::Read) || !may(Access::Write), "{role:?} {area:?}");
                assert!(may(Access::Read) || !may(Access::Approve), "{role:?} {area:?}");
            }
        }
    }

    #[test]
    fn only_who_governs_manages_people_and_keys() {
        for role in Role::EVERY {
            let governs = Role::EVERY.iter().any(|other| role.governs(*other));
            for area in [Area::Settings, Area::Team, Area::ApiKeys, Area::Audit] {
                for access in Access::EVERY {
                    assert_eq!(role.allows(Right::of(area, *access)), governs, "{role:?} {area:?}");
                }
            }
        }
        assert!(Role::Owner.governs(Role::Owner) && !Role::Admin.governs(Role::Owner));
    }

    #[test]
    fn each_role_has_its_rights() {
        let cases: &[(Role, Right, bool)] = &[
            (Role::Sales, Right::write(Scope::Orders), true),
            (Role::Sales, Right::write(Scope::Products), false),
            (Role::Sales, Right::approve(Scope::Orders), false),
            (Role::Sales, Right::read(Scope::Webhooks), false),
            (Role::Accountant, Right::approve(Scope::Invoices), true),
            (Role::Accountant, Right::write(Scope::Orders), false),
            (Role::Accountant, Right::read(Scope::Leads), false),
            (Role::Warehouse, Right::write(Scope::Warehouses), true),
            (Role::Warehouse, Right::read(Scope::Invoices), false),
            (Role::Viewer, Right::read(Scope::Payments), true),
            (Role::Viewer, Right::write(Scope::Payments), false),
            (Role::Admin, Right::approve(Scope::Warehouses), true),
        ];
        for (role, right, allowed) in cases {
            assert_eq!(role.allows(*right), *allowed, "{role:?} {right:?}");
        }
        assert!(Role::EVERY.iter().all(|role| Role::parse(role.name()) == Some(*role)));
    }
}
