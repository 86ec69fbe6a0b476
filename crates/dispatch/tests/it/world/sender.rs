use std::{
    collections::HashMap,
    sync::{
        Arc, Mutex, MutexGuard,
        atomic::{AtomicUsize, Ordering},
    },
};

use tokio::sync::watch;
use webhooks::{Exchange, Post, Sender, Sending};

/// What an endpoint does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Behaviour {
    Answers(u16),
    /// Answers only once the sender is told to let go.
    Hangs,
    /// The sender panics.
    Panics,
}

/// A sender that does what the URL's endpoint was told to do: by default it answers 200.
pub(crate) struct FakeSender {
    behaviours: Mutex<HashMap<String, Behaviour>>,
    posts: Mutex<Vec<Post>>,
    under_way: Arc<Mutex<HashMap<String, usize>>>,
    most: Arc<AtomicUsize>,
    go: watch::Sender<bool>,
}

/// Counts a post as under way.
struct UnderWay(Arc<Mutex<HashMap<String, usize>>>, String);

impl Drop for UnderWay {
    fn drop(&mut self) {
        *self.0.lock().unwrap().get_mut(&self.1).unwrap() -= 1;
    }
}

impl FakeSender {
    pub(crate) fn new() -> Self {
        Self {
            behaviours: Mutex::default(),
            posts: Mutex::default(),
            under_way: Arc::default(),
            most: Arc::default(),
            go: watch::Sender::new(false),
        }
    }

    pub(crate) fn tell(&self, url: &str, behaviour: Behaviour) {
        self.behaviours.lock().unwrap().insert(url.to_owned(), behaviour);
    }

    /// Lets what hangs answer.
    pub(crate) fn let_go(&self) {
        self.go.send_replace(true);
    }

    pub(crate) fn posts(&self) -> MutexGuard<'_, Vec<Post>> {
        self.posts.lock().unwrap()
    }

    pub(crate) fn under_way(&self, url: &str) -> usize {
        self.under_way.lock().unwrap().get(url).copied().unwrap_or(0)
    }

    /// The most that ever were under way at once.
    pub(crate) fn most_under_way(&self) -> usize {
        self.most.load(Ordering::SeqCst)
    }
}

impl Sender for FakeSender {
    fn post(&self, post: Post) -> Sending {
        let url = post.url.clone();
        let behaviour = self.behaviours.lock().unwrap().get(&url).copied();
        self.posts().push(post);
        let all: usize = {
            let mut under_way = self.under_way.lock().unwrap();
            *under_way.entry(url.clone()).or_default() += 1;
            under_way.values().sum()
        };
        self.most.fetch_max(all, Ordering::SeqCst);
        let under_way = UnderWay(Arc::clone(&self.under_way), url);
        let mut go = self.go.subscribe();
        Box::pin(async move {
            let under_way = under_way;
            let status = match behaviour {
                None => 200,
                Some(Behaviour::Answers(status)) => status,
                Some(Behaviour::Panics) => panic!("told to panic"),
                Some(Behaviour::Hangs) => {
                    drop(go.wait_for(|go| *go).await);
                    200
                }
            };
            tokio::task::yield_now().await;
            drop(under_way);
            Exchange::Answered { status, body: b"seen".to_vec() }
        })
    }
}
