//! Connections that are watched for [silence](crate::silence) while they are used.

use std::ops::{Deref, DerefMut};

use diesel::{
    Connection, ConnectionError,
    connection::{Instrumentation, InstrumentationEvent, get_default_instrumentation},
};

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
            let others = get_default_instrumentation();
            conn.set_instrumentation(Hearers { pulse: pulse.clone(), others });
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

/// Who hears what a connection does: a connection has one place for them.
struct Hearers {
    pulse: Pulse,
    /// Whoever hears it of every connection of the process.
    others: Option<Box<dyn Instrumentation>>,
}

impl Instrumentation for Hearers {
    fn on_connection_event(&mut self, event: InstrumentationEvent<'_>) {
        self.pulse.hear(&event);
        self.others.on_connection_event(event);
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

#[cfg(test)]
mod tests {
    use std::{
        sync::{Arc, mpsc},
        time::Duration,
    };

    use diesel::{RunQueryDsl, SqliteConnection, sql_query};

    use super::*;
    use crate::silence::Watch;

    #[test]
    fn whoever_hears_of_all_connections_hears_of_watched_ones() {
        let watch = Arc::new(Watch::new(Duration::from_secs(1)));
        let (hears, heard) = mpsc::channel();
        let other = move |event: InstrumentationEvent<'_>| {
            if let InstrumentationEvent::StartQuery { query, .. } = event {
                hears.send(query.to_string()).unwrap();
            }
        };
        let mut conn = SqliteConnection::establish(":memory:").unwrap();
        conn.set_instrumentation(Hearers { pulse: watch.pulse(), others: Some(Box::new(other)) });
        sql_query("SELECT 1").execute(&mut conn).unwrap();
        assert_eq!(watch.statements(), 1);
        let heard: Vec<String> = heard.try_iter().collect();
        assert!(heard.len() == 1 && heard[0].starts_with("SELECT 1"), "{heard:?}");
    }
}
