//! Chromium, used as people use it: pages are opened, keys are pressed, and what is shown is looked at.
//!
//! `chromedriver` starts it and is spoken to by JSON over HTTP (WebDriver), mostly to hand on commands of its DevTools. What
//! that takes is less than a crate for it brings.

use std::{
    env,
    net::{Ipv4Addr, TcpListener},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use base64::{Engine, prelude::BASE64_STANDARD};
use reqwest::{Method, blocking::Client as Http};
use serde_json::{Value, json};

use crate::client::plain_http;

const BROWSERS: [&str; 3] = ["chromium", "chromium-browser", "google-chrome"];
const DRIVER: &str = "chromedriver";
const MISSING: &str = "chromium and chromedriver are not installed (Debian: apt-get install chromium chromium-driver)";
/// By what name elements are told (WebDriver).
const ELEMENT: &str = "element-6066-11e4-a52e-4f735466cecf";
/// Longer than anything takes on a machine with other things to do.
const PATIENCE: Duration = Duration::from_secs(60);
const POLL_INTERVAL: Duration = Duration::from_millis(10);
/// How often a browser is started at most: where several start at once, one now and then ends at once.
const STARTS: usize = 3;
/// The browser is alone on its machine, and often run by root, whom its sandbox refuses.
const ARGUMENTS: [&str; 6] = [
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--hide-scrollbars",
    "--no-first-run",
];
/// As a hand moves a mouse, not at once.
const DRAG_STEPS: u32 = 5;
/// Of an expression that is told of in a failure.
const CHARS_TOLD: usize = 200;

/// A browser with one window, closed when it is dropped.
pub struct Chromium {
    driver: Child,
    http: Http,
    /// Where the driver is told what to do.
    session: String,
}

/// A key of the keyboard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "keys are called what they are called")]
pub enum Key {
    Tab,
    Enter,
    Space,
}

impl Chromium {
    /// Starts one. Where it is not installed there is none, and a warning says so; in continuous integration (`CI`) it must be.
    ///
    /// # Panics
    /// When it is missing there, or does not start.
    #[must_use]
    pub fn start() -> Option<Self> {
        let (Some(browser), Some(program)) = (BROWSERS.into_iter().find_map(find), find(DRIVER))
        else {
            assert!(env::var_os("CI").is_none(), "{MISSING}");
            eprintln!("warning: TESTS IN A BROWSER ARE SKIPPED: {MISSING}");
            return None;
        };
        let free = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).and_then(|free| free.local_addr());
        let port = free.expect("a free port").port();
        let mut driver = Command::new(program);
        driver.arg(format!("--port={port}"));
        driver.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        let driver = driver.spawn().expect("chromedriver starts");
        let session = format!("http://127.0.0.1:{port}");
        let mut chromium = Self { driver, http: plain_http(), session };
        chromium.until("chromedriver is ready", |it| it.ask(Method::GET, "/status", None).is_ok());
        let options = json!({"binary": browser.display().to_string(), "args": ARGUMENTS});
        let wanted = json!({"browserName": "chrome", "goog:loggingPrefs": {"browser": "ALL"},
            "goog:chromeOptions": options});
        let wanted = json!({"capabilities": {"alwaysMatch": wanted}});
        let mut tries = 1..STARTS;
        let started = loop {
            match chromium.ask(Method::POST, "/session", Some(&wanted)) {
                Err(_) if tries.next().is_some() => {}
                answer => break answer.unwrap_or_else(|error| panic!("no session: {error}")),
            }
        };
        let id = started.get("sessionId").and_then(Value::as_str).expect("a session");
        chromium.session = format!("{}/session/{id}", chromium.session);
        let _ = chromium.devtools("Emulation.setFocusEmulationEnabled", &json!({"enabled": true}));
        Some(chromium)
    }

    /// Opens a page and waits until it is there.
    pub fn open(&self, url: &str) {
        let _ = self.tell("/url", &json!({"url": url}));
        // The driver may answer before that where the page was open already, though it says that it waits.
        self.wait_for("document.readyState === 'complete'");
    }

    /// Presses a key.
    pub fn press(&self, key: Key) {
        let (name, code, number, text) = match key {
            Key::Tab => ("Tab", "Tab", 9, None),
            Key::Enter => ("Enter", "Enter", 13, Some("\r")),
            Key::Space => (" ", "Space", 32, Some(" ")),
        };
        let kind = if text.is_some() { "keyDown" } else { "rawKeyDown" };
        let mut down =
            json!({"type": kind, "key": name, "code": code, "windowsVirtualKeyCode": number});
        if let (Some(text), Some(down)) = (text, down.as_object_mut()) {
            down.insert("text".to_owned(), json!(text));
        }
        let up =
            json!({"type": "keyUp", "key": name, "code": code, "windowsVirtualKeyCode": number});
        for event in [down, up] {
            let _ = self.devtools("Input.dispatchKeyEvent", &event);
        }
    }

    /// Presses a key that leads to another page, and waits until that is there.
    pub fn press_through(&self, key: Key) {
        let _ = self.evaluate("globalThis.isPageBefore = true");
        self.press(key);
        let arrived = "!globalThis.isPageBefore && document.readyState === 'complete'";
        self.until("the next page", |it| it.evaluated(arrived).is_ok_and(|value| value == true));
    }

    /// Drags something by the mouse from one point of what is shown to another, by steps, and lets go of it there.
    pub fn drag(&self, from: (f64, f64), to: (f64, f64)) {
        let event = |kind: &str, (x, y): (f64, f64), buttons: u8| {
            let event = json!({"type": kind, "x": x, "y": y, "button": "left",
                "buttons": buttons, "clickCount": 1});
            let _ = self.devtools("Input.dispatchMouseEvent", &event);
        };
        event("mousePressed", from, 1);
        for point in between(from, to) {
            event("mouseMoved", point, 1);
        }
        event("mouseReleased", to, 0);
    }

    /// The same by a finger.
    pub fn drag_by_touch(&self, from: (f64, f64), to: (f64, f64)) {
        let event = |kind: &str, points: Value| {
            let event = json!({"type": kind, "touchPoints": points});
            let _ = self.devtools("Input.dispatchTouchEvent", &event);
        };
        event("touchStart", json!([{"x": from.0, "y": from.1}]));
        for (x, y) in between(from, to) {
            event("touchMove", json!([{"x": x, "y": y}]));
        }
        event("touchEnd", json!([]));
    }

    /// Writes a text where the keyboard is.
    pub fn write(&self, text: &str) {
        let _ = self.devtools("Input.insertText", &json!({"text": text}));
    }

    /// Chooses a file in the field that a selector finds, as a person does by the dialog of the browser.
    ///
    /// # Panics
    /// When there is no such field.
    #[track_caller]
    pub fn choose_file(&self, selector: &str, path: &Path) {
        let wanted = json!({"using": "css selector", "value": selector});
        let found = self.tell("/element", &wanted);
        let id = found.get(ELEMENT).and_then(Value::as_str).expect("an element");
        let path = path.display().to_string();
        let _ = self.tell(&format!("/element/{id}/value"), &json!({"text": path}));
    }

    /// The value of an expression of JavaScript in the page, of a promise once it is kept. Pages without script take them, too.
    ///
    /// # Panics
    /// When it fails.
    #[must_use]
    #[track_caller]
    pub fn evaluate(&self, expression: &str) -> Value {
        let told: String = expression.chars().take(CHARS_TOLD).collect();
        self.evaluated(expression).unwrap_or_else(|error| panic!("{told}: {error}"))
    }

    /// Waits until an expression is true of the page, or of one that it gives way to.
    #[track_caller]
    pub fn wait_for(&self, expression: &str) {
        self.until(expression, |it| it.evaluated(expression).is_ok_and(|value| value == true));
    }

    /// Runs a script in each page from now on, before anything else in it.
    pub fn run_in_every_page(&self, script: &str) {
        let _ = self.devtools("Page.addScriptToEvaluateOnNewDocument", &json!({"source": script}));
    }

    /// Whether pages run script from now on.
    pub fn let_script_run(&self, runs: bool) {
        let _ = self.devtools("Emulation.setScriptExecutionDisabled", &json!({"value": !runs}));
    }

    /// Gives the window another size.
    pub fn resize(&self, width: u32, height: u32) {
        let size =
            json!({"width": width, "height": height, "deviceScaleFactor": 1, "mobile": false});
        let _ = self.devtools("Emulation.setDeviceMetricsOverride", &size);
    }

    /// Shows pages in the light or in the dark, and without motion.
    pub fn prefer(&self, scheme: &str) {
        let features = json!([{"name": "prefers-color-scheme", "value": scheme},
            {"name": "prefers-reduced-motion", "value": "reduce"}]);
        let _ = self.devtools("Emulation.setEmulatedMedia", &json!({"features": features}));
    }

    /// Asks for pages in a language from now on.
    pub fn speak(&self, language: &str) {
        let headers = json!({"headers": {"Accept-Language": language}});
        let _ = self.devtools("Network.enable", &json!({}));
        let _ = self.devtools("Network.setExtraHTTPHeaders", &headers);
    }

    /// Forgets all cookies and keeps these for an origin.
    pub fn be_known<'a>(
        &self,
        origin: &str,
        cookies: impl IntoIterator<Item = (&'a String, &'a String)>,
    ) {
        let _ = self.devtools("Network.clearBrowserCookies", &json!({}));
        for (name, value) in cookies {
            let cookie = json!({"url": origin, "name": name, "value": value});
            let _ = self.devtools("Network.setCookie", &cookie);
        }
    }

    /// What its console was told since this was asked last that is an error: of scripts, of policies, of what is not there.
    #[must_use]
    pub fn complaints(&self) -> Vec<String> {
        let log = self.tell("/se/log", &json!({"type": "browser"}));
        let entries = log.as_array().map(Vec::as_slice).unwrap_or_default();
        let errors = entries
            .iter()
            .filter(|entry| entry.get("level").is_some_and(|level| level == "SEVERE"));
        errors.filter_map(|entry| entry.get("message")?.as_str()).map(str::to_owned).collect()
    }

    /// The whole page as a PNG.
    ///
    /// # Panics
    /// When there is none to be had.
    #[must_use]
    pub fn screenshot(&self) -> Vec<u8> {
        let size = self.evaluate(
            "[document.documentElement.scrollWidth, document.documentElement.scrollHeight]",
        );
        let clip = json!({"x": 0, "y": 0, "width": size.get(0), "height": size.get(1), "scale": 1});
        let whole = json!({"format": "png", "captureBeyondViewport": true, "clip": clip, "optimizeForSpeed": true});
        let taken = self.devtools("Page.captureScreenshot", &whole);
        let data = taken.get("data").and_then(Value::as_str).expect("a picture");
        BASE64_STANDARD.decode(data).expect("a picture in Base64")
    }

    /// A command of DevTools.
    #[track_caller]
    fn devtools(&self, command: &str, parameters: &Value) -> Value {
        self.asked_of_devtools(command, parameters)
            .unwrap_or_else(|error| panic!("{command}: {error}"))
    }

    fn asked_of_devtools(&self, command: &str, parameters: &Value) -> Result<Value, String> {
        let body = json!({"cmd": command, "params": parameters});
        self.ask(Method::POST, "/goog/cdp/execute", Some(&body))
    }

    fn evaluated(&self, expression: &str) -> Result<Value, String> {
        let parameters =
            json!({"expression": expression, "awaitPromise": true, "returnByValue": true});
        let answer = self.asked_of_devtools("Runtime.evaluate", &parameters)?;
        match answer.get("exceptionDetails") {
            None => Ok(answer.pointer("/result/value").cloned().unwrap_or_default()),
            Some(details) => Err(details.to_string()),
        }
    }

    #[track_caller]
    fn tell(&self, path: &str, body: &Value) -> Value {
        self.ask(Method::POST, path, Some(body)).unwrap_or_else(|error| panic!("{path}: {error}"))
    }

    /// What the driver answers, or why it does not.
    fn ask(&self, method: Method, path: &str, body: Option<&Value>) -> Result<Value, String> {
        let mut request = self.http.request(method, format!("{}{path}", self.session));
        request = request.timeout(PATIENCE);
        if let Some(body) = body {
            request = request.header("Content-Type", "application/json").body(body.to_string());
        }
        let response = request.send().map_err(|error| error.to_string())?;
        let is_done = response.status().is_success();
        let text = response.text().map_err(|error| error.to_string())?;
        let answer: Value = serde_json::from_str(&text).map_err(|_| text)?;
        let value = answer.get("value").cloned().unwrap_or_default();
        if is_done { Ok(value) } else { Err(value.to_string()) }
    }

    #[track_caller]
    fn until(&self, what: &str, is_so: impl Fn(&Self) -> bool) {
        let end = Instant::now() + PATIENCE;
        while !is_so(self) {
            assert!(Instant::now() < end, "{what} does not come");
            thread::sleep(POLL_INTERVAL);
        }
    }
}

impl Drop for Chromium {
    fn drop(&mut self) {
        // The browser ends with its session; the driver would leave it behind.
        drop(self.ask(Method::DELETE, "", None));
        drop(self.driver.kill());
        drop(self.driver.wait());
    }
}

/// Points on the way from one to another, the last of which is that other one.
fn between(from: (f64, f64), to: (f64, f64)) -> impl Iterator<Item = (f64, f64)> {
    (1..=DRAG_STEPS).map(move |step| {
        let part = f64::from(step) / f64::from(DRAG_STEPS);
        (from.0 + (to.0 - from.0) * part, from.1 + (to.1 - from.1) * part)
    })
}

fn find(program: &str) -> Option<PathBuf> {
    let folders = env::var_os("PATH")?;
    env::split_paths(&folders).map(|folder| folder.join(program)).find(|file| file.is_file())
}
