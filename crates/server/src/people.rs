//! Users as operators make them, and the links that they are given.

use accounts::{
    IssuedUserLink, NewUser, Password, People, PeopleError, Purpose, UserId, UserOffice,
};
use anyhow::{anyhow, bail};
use aws_lc_rs::rand::{SecureRandom, SystemRandom};
use kernel::{Refused, Timestamp, Written};

use crate::{
    answers::{outcome, read, waited},
    service,
    settings::Settings,
};

/// Bytes of randomness in a password that nobody is told: its user sets another by a link.
const UNTOLD_BYTES: usize = 24;

/// Where people open the panel: as it was set, or else on this machine.
pub(crate) fn base_url(settings: &Settings) -> String {
    let set = settings.public_url.as_ref().map(|url| url.0.clone());
    set.unwrap_or_else(|| service::url_of(settings.listen, settings.tls_cert.is_some()))
}

/// A user who has no password yet that anybody knows.
///
/// # Errors
/// When the operating system gives no randomness.
pub(crate) fn without_password(name: String, email: String) -> anyhow::Result<NewUser> {
    let mut random = [0; UNTOLD_BYTES];
    SystemRandom::new()
        .fill(&mut random)
        .map_err(|_| anyhow!("the operating system provides no random numbers"))?;
    let password: String = random.iter().map(|byte| format!("{byte:02x}")).collect();
    let password = Password::new(password);
    Ok(NewUser { name, email, password, language: None, account_name: None })
}

/// What was written about people, or a sentence that says why not.
///
/// # Errors
/// The sentence.
pub(crate) fn told<T>(answer: Written<T, PeopleError>, missing: &str) -> anyhow::Result<T> {
    match answer {
        Err(Refused::Rule(PeopleError::AlreadyMember)) => {
            bail!("the user is a member of the account already")
        }
        Err(Refused::Rule(PeopleError::UserExists)) => {
            bail!("there are users already; give the account that the link is to open: --account")
        }
        Err(Refused::Rule(PeopleError::TooMany { max })) => {
            bail!("the account has {max} members and invitations, which is as many as it may")
        }
        answer => outcome(answer, missing),
    }
}

/// A link that works once, as its holder is to open it.
///
/// # Errors
/// When what it is for is not there, or the database refuses.
pub(crate) fn link(
    office: &dyn UserOffice,
    purpose: Purpose,
    base: &str,
    now: Timestamp,
) -> anyhow::Result<String> {
    let issued = waited(office.issue_link(purpose, now))?;
    let IssuedUserLink { link, token } = told(issued, "what the link is for does not exist")?;
    Ok(format!("{base}{}{}", link.purpose.path(), token.reveal()))
}

/// The link by which the first user is made, if there is no user yet.
///
/// # Errors
/// When the database refuses.
pub(crate) fn set_up_link<S: People + UserOffice>(
    store: &S,
    base: &str,
    now: Timestamp,
) -> anyhow::Result<Option<String>> {
    if read(store.has_users())? {
        return Ok(None);
    }
    link(store, Purpose::SetUp, base, now).map(Some)
}

/// A link that signs a user in.
///
/// # Errors
/// When the database refuses.
pub(crate) fn sign_in_link(
    office: &dyn UserOffice,
    user: UserId,
    base: &str,
    now: Timestamp,
) -> anyhow::Result<String> {
    link(office, Purpose::SignIn(user), base, now)
}
