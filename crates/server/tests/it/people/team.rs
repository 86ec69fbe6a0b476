//! Who belongs to an account, and how they come to.

use accounts::{
    Action, PeopleError, Purpose, Role, Team, TeamError, Token, UserId, UserOffice,
    team::{INVITATION_SECONDS, INVITATIONS_PER_HOUR, SAME_ADDRESS_SECONDS},
};
use kernel::{Ctx, Idempotency, Pending};
use store::Store;
use testkit::{DatabaseKind, on_both};

use super::{House, done, outcome, user};

on_both!(
    invitations_are_bounded_and_one_however_often_they_are_sent,
    an_invitation_is_for_one_address_and_accepted_once,
    the_last_owner_stays_however_many_go_at_once,
);

fn invitations_are_bounded_and_one_however_often_they_are_sent(kind: DatabaseKind) {
    let house = House::open(kind);
    let store = house.store();
    let (ana, luis) = (
        house.member("ana@example.com", Role::Owner),
        house.member("luis@example.com", Role::Admin),
    );
    let once = |key: &str| {
        let (operation, key) = ("POST invite".to_owned(), key.to_owned());
        let idempotency = Some(Idempotency { operation, key, digest: "d".to_owned() });
        Ctx { idempotency, ..house.by(ana) }
    };
    let invite = |ctx, email: &str, role| outcome(store.invite(ctx, email.to_owned(), role));
    let first = invite(once("k"), "eva@example.com", Role::Owner).unwrap();
    assert_eq!(invite(once("k"), "eva@example.com", Role::Owner).unwrap(), first);
    assert_eq!(house.recorded(Action::InvitationCreated), 1);
    let answers = house.app.database.lines("SELECT answer AS line FROM idempotency_answers");
    assert!(answers.iter().all(|line| !line.contains(first.token.reveal())), "{answers:?}");
    // Who may not take an invitation back does not do so by another one.
    house.app.advance_seconds(SAME_ADDRESS_SECONDS);
    let instead = invite(house.by(luis), "eva@example.com", Role::Viewer).unwrap_err();
    assert_eq!(instead, PeopleError::Team(TeamError::OwnersOnly));
    let again = invite(house.by(ana), "eva@example.com", Role::Viewer).unwrap();
    assert_eq!(house.recorded(Action::InvitationRevoked), 1);
    for number in 2..INVITATIONS_PER_HOUR {
        let _ = invite(house.by(luis), &format!("a{number}@example.com"), Role::Viewer).unwrap();
    }
    let many = invite(house.by(luis), "more@example.com", Role::Viewer).unwrap_err();
    assert!(matches!(many, PeopleError::Throttled { .. }), "{many:?}");
    house.app.advance_seconds(INVITATION_SECONDS + 31 * 86_400);
    house.app.housekeep();
    let kept = store.invitation(again.token.digest()).wait().unwrap().unwrap();
    assert!(kept.is_none(), "what ended long ago is not kept");
    // Links of operators are on record.
    let _ = done(store.issue_link(Purpose::ResetPassword(ana), house.app.now()));
    assert_eq!(house.recorded(Action::UserResetLinkIssued), 1);
    // Nor does anybody become a member unasked because their address is known.
    let known = store.add_user(
        Ctx::system(house.account, house.app.now()),
        user("ana@example.com"),
        Role::Viewer,
    );
    assert_eq!(outcome(known).unwrap_err(), PeopleError::UserExists);
}

fn an_invitation_is_for_one_address_and_accepted_once(kind: DatabaseKind) {
    let house = House::open(kind);
    let store = house.store();
    let ana = house.member("ana@example.com", Role::Admin);
    let invite = |email: &str, role| outcome(store.invite(house.by(ana), email.to_owned(), role));
    assert_eq!(
        invite("luis@example.com", Role::Owner).unwrap_err(),
        PeopleError::Team(TeamError::OwnersOnly)
    );
    assert_eq!(invite("Ana@example.com", Role::Sales).unwrap_err(), PeopleError::AlreadyMember);
    let first = invite("luis@example.com", Role::Sales).unwrap();
    // Nobody gets one mail after the other.
    let soon = invite("luis@example.com", Role::Warehouse).unwrap_err();
    assert!(matches!(soon, PeopleError::Throttled { .. }), "{soon:?}");
    house.app.advance_seconds(SAME_ADDRESS_SECONDS);
    let second = invite("luis@example.com", Role::Warehouse).unwrap();
    let open = store.invitations(house.account, house.app.now()).wait().unwrap().unwrap();
    assert_eq!(open.len(), 1, "another one of the address is over");
    let join = |token: &Token| {
        outcome(store.join(token.digest(), user("somebody@example.com"), house.visit()))
    };
    assert_eq!(join(&first.token).unwrap_err(), PeopleError::LinkIsOver);
    let luis = join(&second.token).unwrap();
    assert_eq!(luis.user.email, "luis@example.com", "the address is that of the invitation");
    assert_eq!(join(&second.token).unwrap_err(), PeopleError::LinkIsOver);
    let members = store.members(house.account).wait().unwrap().unwrap();
    let roles: Vec<_> = members.iter().map(|member| member.role).collect();
    assert_eq!(roles, [Role::Admin, Role::Warehouse]);
    // Who may not manage the team invites nobody.
    let forbidden =
        store.invite(house.by(luis.user.id), "eva@example.com".to_owned(), Role::Viewer);
    assert_eq!(outcome(forbidden).unwrap_err(), PeopleError::Team(TeamError::OwnersOnly));

    // A user of another account accepts as the one they are, if it is their address.
    let other = house.app.live_account();
    let ctx = Ctx::system(other, house.app.now());
    let eva = done(store.add_user(ctx, user("eva@example.com"), Role::Owner)).id;
    let invited = invite("eva@example.com", Role::Viewer).unwrap();
    let seen = store.invitation(invited.token.digest()).wait().unwrap().unwrap().unwrap();
    assert!(seen.has_user && seen.account_name == "Shop");
    assert_eq!(join(&invited.token).unwrap_err(), PeopleError::UserExists);
    let accept = |user| outcome(store.accept(invited.token.digest(), user, house.visit()));
    let expected = PeopleError::OtherAddress { email: "eva@example.com".to_owned() };
    assert_eq!(accept(ana).unwrap_err(), expected);
    assert_eq!(accept(eva).unwrap().role, Role::Viewer);
    assert_eq!(store.entries(eva).wait().unwrap().unwrap().len(), 2);

    let late = invite("late@example.com", Role::Viewer).unwrap();
    let taken = invite("back@example.com", Role::Viewer).unwrap();
    let _ = done(store.revoke_invitation(house.by(ana), taken.invitation.id));
    assert_eq!(join(&taken.token).unwrap_err(), PeopleError::LinkIsOver);
    house.app.advance_seconds(INVITATION_SECONDS);
    assert_eq!(join(&late.token).unwrap_err(), PeopleError::LinkIsOver);
    assert_eq!(house.recorded(Action::MemberAdded), 3);
}

fn the_last_owner_stays_however_many_go_at_once(kind: DatabaseKind) {
    let house = House::open(kind);
    let store = house.store();
    let owners: Vec<UserId> = (0..6)
        .map(|number| house.member(&format!("owner{number}@example.com"), Role::Owner))
        .collect();
    // As another node would.
    let beside = Store::open(&house.app.database.settings()).unwrap();
    let pending: Vec<_> = owners
        .iter()
        .enumerate()
        .map(|(number, owner)| {
            let node: &Store = if number.is_multiple_of(2) { store } else { &beside };
            let ctx = house.by(*owner);
            match number % 3 {
                0 => node.remove_member(ctx, *owner),
                _ => {
                    let (answer, pending) = Pending::channel();
                    let changed = node.change_role(ctx, *owner, Role::Viewer);
                    std::thread::spawn(move || {
                        let changed = changed.wait().unwrap();
                        answer.send(changed.map(|_| kernel::Done::now(())));
                    });
                    pending
                }
            }
        })
        .collect();
    let outcomes: Vec<_> = pending.into_iter().map(outcome).collect();
    let stayed = outcomes.iter().filter(|outcome| outcome.is_err()).count();
    assert_eq!(stayed, 1, "{outcomes:?}");
    let last = PeopleError::Team(TeamError::LastOwner);
    assert!(outcomes.iter().all(|outcome| outcome.as_ref().err().is_none_or(|e| *e == last)));
    let members = store.members(house.account).wait().unwrap().unwrap();
    assert_eq!(members.iter().filter(|member| member.role == Role::Owner).count(), 1);
}
