//! How the mail server serves: it reads commands, answers them, and keeps emails.

use std::{
    collections::VecDeque,
    io::{BufRead, BufReader, Write},
    net::TcpStream,
};

use base64::{Engine, engine::general_purpose::STANDARD};
use doubles::server::{End, Served, Shared};

use super::{Behaviour, Email, FakeSmtp, Step};

/// What the mail server knows.
#[derive(Default)]
pub(super) struct Mailbox {
    pub(super) emails: Vec<Email>,
    pub(super) commands: Vec<String>,
    first: VecDeque<Behaviour>,
    then: Option<Behaviour>,
}

impl Mailbox {
    pub(super) fn script(&mut self, first: VecDeque<Behaviour>, then: Behaviour) {
        (self.first, self.then) = (first, Some(then));
    }
}

impl Served for Mailbox {
    type Turn = Behaviour;

    fn turn(&mut self) -> Behaviour {
        let next = self.first.pop_front().or_else(|| self.then.clone());
        next.unwrap_or(Behaviour::Accept)
    }

    fn serve(shared: &Shared<Self>, connection: &TcpStream, behaviour: Behaviour) -> End {
        let reader = BufReader::new(connection);
        // Nothing when the other side has left.
        let _: Option<()> = Talk { shared, behaviour, reader, user: None }.hold();
        End::Close
    }
}

/// One connection. Every step ends with nothing when the connection is to be closed.
struct Talk<'a> {
    shared: &'a Shared<Mailbox>,
    behaviour: Behaviour,
    reader: BufReader<&'a TcpStream>,
    user: Option<String>,
}

impl Talk<'_> {
    fn hold(mut self) -> Option<()> {
        let (mut from, mut to) = (String::new(), Vec::new());
        self.answer(Step::Greeting, "220 mail.example ESMTP")?;
        loop {
            let line = self.command()?;
            let verb = line.split([' ', ':']).next().unwrap_or_default().to_ascii_uppercase();
            match verb.as_str() {
                "EHLO" => self.answer(Step::Ehlo, "250-mail.example\r\n250 AUTH PLAIN LOGIN")?,
                "AUTH" => self.auth(&line)?,
                "MAIL" => {
                    (from, to) = (path(&line), Vec::new());
                    self.answer(Step::Mail, "250 2.1.0 Ok")?;
                }
                "RCPT" => {
                    to.push(path(&line));
                    self.answer(Step::Rcpt, "250 2.1.5 Ok")?;
                }
                "DATA" => {
                    let email = (from.clone(), std::mem::take(&mut to));
                    self.data(email)?;
                }
                "QUIT" => return self.say("221 2.0.0 Bye"),
                "NOOP" | "RSET" => self.say("250 2.0.0 Ok")?,
                _ => self.say("502 5.5.2 Error: command not recognized")?,
            }
        }
    }

    fn data(&mut self, (from, to): (String, Vec<String>)) -> Option<()> {
        let goes_on = !matches!(&self.behaviour, Behaviour::Say(Step::Data, words) if !words.starts_with('3'));
        self.answer(Step::Data, "354 End data with <CR><LF>.<CR><LF>")?;
        if !goes_on {
            return Some(());
        }
        let mut raw = Vec::new();
        loop {
            let line = self.line()?;
            match line.strip_prefix(b".") {
                Some(b"\r\n") => break,
                Some(stuffed) => raw.extend_from_slice(stuffed),
                None => raw.extend_from_slice(&line),
            }
        }
        let refused = matches!(&self.behaviour, Behaviour::Say(Step::Email, words) if !words.starts_with('2'));
        if !refused {
            let email = Email::read(from, to, self.user.clone(), raw);
            self.shared.state().emails.push(email);
            self.shared.tell();
        }
        self.answer(Step::Email, "250 2.0.0 Ok: queued")
    }

    fn auth(&mut self, line: &str) -> Option<()> {
        let mut words = line.split(' ').skip(1);
        let (user, password) = if words.next() == Some("LOGIN") {
            self.say("334 VXNlcm5hbWU6")?;
            let user = decoded(&self.line()?);
            self.say("334 UGFzc3dvcmQ6")?;
            (user, decoded(&self.line()?))
        } else {
            let both = decoded(words.next().unwrap_or_default().as_bytes());
            let mut parts = both.split('\0').skip(1).map(str::to_owned);
            (parts.next().unwrap_or_default(), parts.next().unwrap_or_default())
        };
        if (user.as_str(), password.as_str()) == (FakeSmtp::USER, FakeSmtp::PASSWORD) {
            self.user = Some(user);
            self.answer(Step::Auth, "235 2.7.0 Authentication successful")
        } else {
            self.answer(Step::Auth, "535 5.7.8 Authentication failed")
        }
    }

    /// Answers as documented, or does what was scripted for the step.
    fn answer(&mut self, step: Step, documented: &str) -> Option<()> {
        match self.behaviour.clone() {
            Behaviour::Say(at, words) if at == step => self.say(&words),
            Behaviour::Hang(at) if at == step => {
                self.shared.hang();
                None
            }
            Behaviour::Close(at) if at == step => None,
            _ => self.say(documented),
        }
    }

    fn say(&mut self, words: &str) -> Option<()> {
        let mut stream: &TcpStream = self.reader.get_ref();
        stream.write_all(format!("{words}\r\n").as_bytes()).ok()
    }

    fn command(&mut self) -> Option<String> {
        let line = String::from_utf8_lossy(&self.line()?).trim_end().to_owned();
        let kept = if line.starts_with("AUTH") { "AUTH".to_owned() } else { line.clone() };
        self.shared.state().commands.push(kept);
        Some(line)
    }

    fn line(&mut self) -> Option<Vec<u8>> {
        let mut line = Vec::new();
        self.reader.read_until(b'\n', &mut line).ok()?;
        line.ends_with(b"\n").then_some(line)
    }
}

/// What is between `<` and `>`.
fn path(line: &str) -> String {
    let path = line.split_once('<').and_then(|(_, rest)| rest.split_once('>'));
    path.map(|(path, _)| path.to_owned()).unwrap_or_default()
}

fn decoded(base64: &[u8]) -> String {
    let bytes = STANDARD.decode(base64.trim_ascii()).unwrap_or_default();
    String::from_utf8_lossy(&bytes).into_owned()
}
