//! Connections that are watched for [silence](crate::silence) while they are used.

use std::ops::{Deref, DerefMut};

use diesel::{Connection, ConnectionError};

use crate::{
    db::{Connector, Db, Target, Use},
    silence::Pulse,
};

/// A connection that is watched while it is used.
pub(crate) struct Watched {
    db: Db,
    /// Of PostgreSQL alone: a file cannot fall silent.
    pulse: Option<Pulse>,
}

impl Watched {
    /// Opens a connection, which is watched as well.
    ///
    /// # Errors
    /// When the database cannot be reached or refuses.
    pub(crate) fn connect(connector: &Connector, usage: Use) -> Result<Self, ConnectionError> {
        let Target::Postgres(url) = &connector.target else {
            return Ok(Self { db: connector.connect(usage)?, pulse: None });
        };
        let watch = connector.watch();
        watch.look_up(url);
        let pulse = watch.pulse();
        pulse.begin();
        let connected = connector.connect(usage);
        pulse.end();
        let mut db = connected?;
        if let Db::Postgres(conn) = &mut db {
            conn.set_instrumentation(pulse.clone());
        }
        Ok(Self { db, pulse: Some(pulse) })
    }

    /// The connection, to be used now.
    pub(crate) fn in_use(&mut self) -> InUse<'_> {
        if let Some(pulse) = &self.pulse {
            pulse.begin();
        }
        InUse { db: &mut self.db, pulse: self.pulse.as_ref() }
    }
}

/// A connection in use.
pub(crate) struct InUse<'a> {
    db: &'a mut Db,
    pulse: Option<&'a Pulse>,
}

impl Deref for InUse<'_> {
    type Target = Db;

    fn deref(&self) -> &Db {
        self.db
    }
}

impl DerefMut for InUse<'_> {
    fn deref_mut(&mut self) -> &mut Db {
        self.db
    }
}

impl Drop for InUse<'_> {
    fn drop(&mut self) {
        if let Some(pulse) = self.pulse {
            pulse.end();
        }
    }
}
