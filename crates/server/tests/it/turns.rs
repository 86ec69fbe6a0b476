//! Turns of accounts: what one of them leaves half sent or unread keeps no other waiting.

use std::{
    io::{ErrorKind, Read, Write},
    net::TcpStream,
    thread,
    time::{Duration, Instant},
};

use kernel::AccountId;
use serde_json::{Value, json};
use testkit::{App, Client, DatabaseKind, Reply, on_both};

on_both!(
    lists_that_nobody_reads_keep_no_other_account_waiting,
    lists_that_nobody_reads_leave_their_account_its_other_lists,
    a_long_list_comes_in_small_pieces_and_is_what_it_was,
    a_list_of_very_many_lines_is_whole_and_in_order,
    a_list_of_very_many_lines_with_what_they_name_is_read_while_it_is_sent,
    a_list_that_is_not_taken_is_cut_off_and_a_slow_reader_is_not,
    bodies_that_do_not_end_keep_no_other_account_waiting,
    an_export_comes_in_small_pieces_and_has_turns_of_its_own,
    an_export_that_is_not_taken_is_cut_off_and_a_slow_reader_is_not,
    an_export_reads_nothing_before_its_turn,
);

const PATIENCE: Duration = Duration::from_secs(30);
/// A page of 20 MB: more than a connection holds.
const LARGE: &str = "orders?expand=items.product";
const LARGE_BYTES: usize = 20_000_000;
/// Bytes of an export of 20 MB: every item of an order has its notes.
const EXPORT_BYTES: usize = 20_000_000;
const PIECE_BYTES: usize = 65_536;
/// For how long nobody may leave an answer untaken, where that is tried.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(2);
/// Between two of the 77 reads of who takes such an answer slowly: more than twice as long in all.
const SLOWLY: Duration = Duration::from_millis(60);

/// One account that asks for too much, and another.
struct Two {
    app: App,
    greedy: AccountId,
    client: Client,
    other: Client,
}

impl Two {
    /// Requests may take so many seconds.
    fn start(kind: DatabaseKind, seconds: u64) -> Self {
        Self::with(kind, |api| api.request_timeout = Duration::from_secs(seconds))
    }

    fn with(kind: DatabaseKind, change: impl FnOnce(&mut api::Settings)) -> Self {
        let app = App::with(kind).api(change).start();
        let greedy = app.account();
        let (client, other) = (app.client_of(greedy, "*"), app.client());
        let _ = other.post("/products", &json!({"name": "Taza", "price": 1})).expect(201);
        Self { app, greedy, client, other }
    }

    /// Makes what the [`LARGE`] page shows: an order and its customer.
    fn stock_up(&self) -> (Value, Value) {
        let long = json!({"name": "Cactus", "price": 1, "inventory": 500, "description": "🌵".repeat(10_000)});
        let product = self.client.post("/products", &long).expect(201);
        let ana = self.client.post("/customers", &json!({"name": "Ana"})).expect(201);
        let items = vec![json!({"productId": product["id"], "quantity": 1}); 500];
        let order = json!({"customerId": ana["id"], "items": items});
        (self.client.post("/orders", &order).expect(201), ana)
    }

    /// Makes what an export of [`EXPORT_BYTES`] has: two orders of many items with long notes.
    fn stock_up_for_exports(&self) {
        let cactus = json!({"name": "Cactus", "price": 1, "inventory": 1_000});
        let cactus = self.client.post("/products", &cactus).expect(201);
        let ana = self.client.post("/customers", &json!({"name": "Ana"})).expect(201);
        let items = vec![json!({"productId": cactus["id"], "quantity": 1}); 500];
        let order = json!({"customerId": ana["id"], "items": items, "notes": "🌵".repeat(5_000)});
        for _ in 0..2 {
            let _ = self.client.post("/orders", &order).expect(201);
        }
    }

    /// As many connections as have their turns at once or more, each with this request and what follows its headers.
    fn open(&self, method: &str, path: &str, lines: &str, follows: &str) -> Vec<TcpStream> {
        let many = thread::available_parallelism().map_or(4, usize::from).max(4);
        (0..many).map(|_| self.connect(method, path, lines, follows)).collect()
    }

    /// As many connections as have their turns at once. The answer of each has begun before the next is asked for: what all
    /// of them ask for at once is not ready within the time of a request on a busy machine.
    fn open_begun(&self, method: &str, path: &str, lines: &str) -> Vec<TcpStream> {
        let mut begun = Vec::new();
        loop {
            let mut stream = self.connect(method, path, lines, "");
            let mut head = [0; 12];
            stream.read_exact(&mut head).unwrap();
            match &head {
                b"HTTP/1.1 200" => begun.push(stream),
                b"HTTP/1.1 429" if !begun.is_empty() => return begun,
                other => panic!("{}", String::from_utf8_lossy(other)),
            }
        }
    }

    fn connect(&self, method: &str, path: &str, lines: &str, follows: &str) -> TcpStream {
        let key = self.app.key(self.greedy, "*").0;
        let request = format!(
            "{method} /api/v1/{path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {key}\r\n{lines}\r\n{follows}"
        );
        let mut stream = TcpStream::connect(self.app.origin().replace("http://", "")).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        stream.write_all(request.as_bytes()).unwrap();
        stream
    }
}

fn lists_that_nobody_reads_keep_no_other_account_waiting(kind: DatabaseKind) {
    let two = Two::with(kind, |api| {
        api.request_timeout = Duration::from_secs(8);
        api.answer_timeout = 2 * PATIENCE;
    });
    let (order, ana) = two.stock_up();
    let mut unread = two.open_begun("GET", LARGE, "");
    let large = format!("/orders/{}?expand=items.product", order["id"].as_str().unwrap());
    let message = two.client.get(&large).refused(429, "rate_limited");
    assert!(message.contains("other lists"), "{message}");
    // Neither its other lists nor other accounts wait for them.
    assert_eq!(two.client.get("/orders").expect(200)["total"], 1);
    assert_eq!(two.client.get("/customers").expect(200)["total"], 1);
    let one = format!("/customers/{}", ana["id"].as_str().unwrap());
    assert_eq!(two.client.get(&one).expect(200)["name"], "Ana");
    assert_eq!(two.other.get("/products").expect(200)["total"], 1);
    // One that is read to its end is a turn for the next.
    let mut first = unread.remove(0);
    let (mut read, mut piece) = (0, [0; 65_536]);
    while read < LARGE_BYTES {
        let more = first.read(&mut piece).unwrap();
        assert!(more > 0, "broken off after {read} bytes");
        read += more;
    }
    assert_eq!(two.client.get(&large).expect(200)["id"], order["id"]);
    // So is one whose caller is gone.
    drop((first, unread));
    let started = Instant::now();
    while two.client.get(&large).status != 200 {
        assert!(started.elapsed() < PATIENCE);
    }
}

/// As long as they are few, however long they are: what is held of each is little.
fn lists_that_nobody_reads_leave_their_account_its_other_lists(kind: DatabaseKind) {
    const ORDERS: usize = 20;
    let two = Two::with(kind, |api| {
        api.request_timeout = PATIENCE;
        api.answer_timeout = 4 * PATIENCE;
    });
    let mug = json!({"name": "Taza", "price": 1, "inventory": 500 * ORDERS});
    let mug = two.client.post("/products", &mug).expect(201);
    let ana = two.client.post("/customers", &json!({"name": "Ana"})).expect(201);
    let item = json!({"productId": mug["id"], "quantity": 1, "note": "🌵".repeat(200)});
    let order = json!({"customerId": ana["id"], "items": vec![item; 500]});
    let placed = (0..ORDERS).map(|_| two.client.post("/orders", &order).expect(201)["id"].clone());
    let placed: Vec<Value> = placed.collect();
    let begin = || {
        let mut stream = two.connect("GET", "orders", "Connection: close\r\n", "");
        let mut head = [0; 12];
        stream.read_exact(&mut head).unwrap();
        assert_eq!(&head, b"HTTP/1.1 200");
        stream
    };
    let mut unread = [(); 3].map(|()| begin());
    let ids = |page: &Value| -> Vec<Value> {
        page["data"].as_array().unwrap().iter().rev().map(|order| order["id"].clone()).collect()
    };
    assert_eq!(ids(&two.client.get("/orders").expect(200)), placed);
    assert_eq!(two.client.get("/orders?limit=1").expect(200)["total"], ORDERS);
    assert_eq!(two.client.get("/customers").expect(200)["total"], 1);
    // Those that are read at last come to their ends.
    for stream in &mut unread {
        let (sizes, is_whole) = pieces(stream);
        assert!(is_whole && sizes.iter().sum::<usize>() > 500 * 800 * ORDERS, "{}", sizes.len());
    }
}

fn a_long_list_comes_in_small_pieces_and_is_what_it_was(kind: DatabaseKind) {
    let two = Two::start(kind, 5);
    let (order, ana) = two.stock_up();
    let mut stream = two.connect("GET", "orders", "Connection: close\r\n", "");
    let (sizes, is_whole) = pieces(&mut stream);
    assert!(is_whole && sizes.len() > 2, "{sizes:?}");
    assert!(sizes.iter().all(|size| *size <= PIECE_BYTES), "{sizes:?}");
    let page = two.client.get("/orders");
    assert_eq!(page.header("content-type"), Some("application/json"));
    assert_eq!(page.header("vary"), Some("Accept-Encoding"));
    let page = page.expect(200);
    assert_eq!(page["data"], json!([order]));
    assert_eq!((&page["total"], &page["limit"], &page["page"]), (&json!(1), &json!(20), &json!(1)));
    assert_eq!((&page["totalIsExact"], &page["nextCursor"]), (&json!(true), &Value::Null));
    let some = two.client.get("/orders?fields=items,id").expect(200);
    assert_eq!(some["data"], json!([{"id": order["id"], "items": order["items"]}]));
    for encoding in ["gzip", "br", "zstd"] {
        let packed = two.client.request("GET", "/orders").header("Accept-Encoding", encoding);
        let packed = Reply::to(packed);
        assert_eq!((packed.status, packed.header("content-encoding")), (200, Some(encoding)));
    }
    let head = Reply::to(two.client.request("HEAD", "/orders"));
    assert_eq!((head.status, head.text.as_str()), (200, ""));
    // One of them by itself, with what it names.
    let path = format!("/orders/{}", order["id"].as_str().unwrap());
    let long = two.client.get(&format!("{path}?expand=customer,items.product"));
    assert_eq!(long.header("etag"), two.client.get(&path).header("etag"));
    let long = long.expect(200);
    assert_eq!((&long["customer"], &long["totalAmount"]), (&ana, &order["totalAmount"]));
    assert_eq!(long["items"][499]["product"]["name"], "Cactus");
}

/// Only as many orders are read at first as have some thousands of lines, of a list as of an export, which takes many at once
/// behind some that are short.
fn a_list_of_very_many_lines_is_whole_and_in_order(kind: DatabaseKind) {
    let app = App::start(kind);
    let client = app.client();
    let mug = json!({"name": "Taza", "price": 1, "inventory": 7_000});
    let mug = client.post("/products", &mug).expect(201);
    let ana = client.post("/customers", &json!({"name": "Ana"})).expect(201);
    let order = |number: usize| {
        let lines = if number < 8 { 1 } else { 200 };
        let items = vec![json!({"productId": mug["id"], "quantity": 1}); lines];
        json!({"customerId": ana["id"], "items": items})
    };
    let placed = (0..38).map(|number| client.post("/orders", &order(number)).expect(201));
    let placed: Vec<Value> = placed.collect();
    let newest: Vec<Value> = placed.iter().rev().cloned().collect();
    let all = client.get("/orders?limit=100").expect(200);
    assert!(all["data"] == json!(newest) && all["total"] == 38 && all["nextCursor"].is_null());
    let all = client.get("/orders?limit=38&sort=updatedAt&fields=id").expect(200);
    let ids: Vec<Value> = placed.iter().map(|order| json!({"id": order["id"]})).collect();
    assert_eq!((&all["data"], &all["nextCursor"]), (&json!(ids), &Value::Null));
    let most = client.get("/orders?limit=37").expect(200);
    assert!(most["data"] == json!(newest[..37]));
    let cursor = most["nextCursor"].as_str().unwrap();
    let last = client.get(&format!("/orders?limit=37&cursor={cursor}")).expect(200);
    assert!(last["data"] == json!(newest[37..]) && last["nextCursor"].is_null());

    let export = client.get("/orders/export?format=jsonl&status=pending").text;
    let rows = export.lines().map(|row| serde_json::from_str::<Value>(row).unwrap());
    let rows: Vec<_> = rows.map(|row| (row["id"].clone(), row["line"].as_u64().unwrap())).collect();
    let expected = placed.iter().flat_map(|order| {
        let lines = order["items"].as_array().unwrap().iter().zip(1_u64..);
        lines.map(|(_, line)| (order["id"].clone(), line))
    });
    assert!(rows == expected.collect::<Vec<_>>(), "{} rows", rows.len());
}

/// So little of it is held. What it has in all is known before all the same.
fn a_list_of_very_many_lines_with_what_they_name_is_read_while_it_is_sent(kind: DatabaseKind) {
    const ORDERS: usize = 36;
    const LINES: usize = 400;
    let two = Two::with(kind, |api| {
        api.request_timeout = PATIENCE;
        api.answer_timeout = 4 * PATIENCE;
    });
    let stock = LINES * ORDERS;
    let mug =
        json!({"name": "Taza", "price": 1, "inventory": stock, "description": "x".repeat(1_200)});
    let mug = two.client.post("/products", &mug).expect(201);
    let ana = two.client.post("/customers", &json!({"name": "Ana"})).expect(201);
    let item = json!({"productId": mug["id"], "quantity": 1, "note": "🌵".repeat(200)});
    let order = json!({"customerId": ana["id"], "items": vec![item; LINES]});
    let placed = (0..ORDERS).map(|_| two.client.post("/orders", &order).expect(201)["id"].clone());
    let placed: Vec<Value> = placed.collect();
    let path = "orders?limit=100&expand=customer,items.allocations";
    let mut stream = two.connect("GET", path, "Connection: close\r\n", "");
    let mut head = [0; 12];
    stream.read_exact(&mut head).unwrap();
    assert_eq!(&head, b"HTTP/1.1 200");
    // More of it is left than a connection holds: the oldest order has not been read yet.
    let oldest = format!("/orders/{}", placed[0].as_str().unwrap());
    let _ = two.client.patch(&oldest, &json!({"notes": "tarde ".repeat(20)})).expect(200);
    let mut page = Vec::new();
    let _ = stream.read_to_end(&mut page);
    assert!(String::from_utf8_lossy(&page).contains("tarde tarde"), "{} bytes", page.len());

    let page = two.client.get(&format!("/{path}")).expect(200);
    let rows: Vec<&Value> = page["data"].as_array().unwrap().iter().rev().collect();
    assert!(rows.iter().map(|order| &order["id"]).eq(&placed), "{} orders", rows.len());
    assert!(rows.iter().all(|order| order["customer"] == ana), "each with its customer");
    let parts = |order: &Value| order["items"][LINES - 1]["allocations"].clone();
    let first = parts(rows[0]);
    assert_eq!(first[0]["quantity"], 1);
    assert!(rows.iter().all(|order| parts(order) == first), "each with its allocations");
    // What the orders that are read first come to would be few enough.
    let products = "/orders?limit=100&expand=items.product";
    let _ = two.client.get(products).refused(400, "validation_failed");
    let some = two.client.get("/orders?limit=20&expand=items.product&fields=id,items").expect(200);
    assert_eq!(some["data"][19]["items"][LINES - 1]["product"]["id"], mug["id"]);
}

fn a_list_that_is_not_taken_is_cut_off_and_a_slow_reader_is_not(kind: DatabaseKind) {
    let two = Two::with(kind, |api| {
        api.answer_timeout = ANSWER_TIMEOUT;
        api.request_timeout = PATIENCE;
    });
    let _ = two.stock_up();
    let unread = [(); 2].map(|()| two.connect("GET", LARGE, "", ""));
    assert_eq!(two.client.get("/orders").expect(200)["total"], 1);
    let mut slow = two.connect("GET", LARGE, "", "");
    let (mut read, mut piece) = (0, vec![0; 256 << 10]);
    while read < LARGE_BYTES {
        slow.read_exact(&mut piece).expect("who goes on reading is not cut off");
        read += piece.len();
        thread::sleep(SLOWLY);
    }
    for mut stream in unread {
        let mut read = Vec::new();
        // Cut off, with or without a word.
        let end = stream.read_to_end(&mut read).map_err(|error| error.kind());
        assert!(!matches!(end, Err(ErrorKind::WouldBlock | ErrorKind::TimedOut)), "{end:?}");
        assert!(read.len() < LARGE_BYTES, "{} bytes", read.len());
    }
}

fn bodies_that_do_not_end_keep_no_other_account_waiting(kind: DatabaseKind) {
    let two = Two::start(kind, 2);
    let lines = "Content-Type: application/json\r\nContent-Length: 200000\r\n";
    let unfinished = two.open("POST", "products", lines, &" ".repeat(100_000));
    let large = json!({"name": "Grande", "price": 1, "description": "x".repeat(100_000)});
    let started = Instant::now();
    // Until what was sent has arrived.
    while two.client.post("/products", &large).status != 429 {
        assert!(started.elapsed() < PATIENCE);
    }
    let message = two.client.post("/products", &large).refused(429, "rate_limited");
    assert!(message.contains("large bodies"), "{message}");
    let message = two.other.post("/products", &large).refused(400, "validation_failed");
    assert!(message.contains("description"), "{message}");
    let _ = two.client.post("/products", &json!({"name": "Chica", "price": 1})).expect(201);
    drop(unfinished);
    while two.client.post("/products", &large).status != 400 {
        assert!(started.elapsed() < 2 * PATIENCE);
    }
}

/// The pieces of an answer behind its head, as their sizes, and whether the last of them says that it is the end.
fn pieces(stream: &mut TcpStream) -> (Vec<usize>, bool) {
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer);
    let head = answer.windows(4).position(|bytes| bytes == b"\r\n\r\n");
    // What has come may be lost with the connection.
    let Some(head) = head else { return (Vec::new(), false) };
    let (mut rest, mut sizes) = (&answer[head + 4..], Vec::new());
    while let Some(line) = rest.windows(2).position(|bytes| bytes == b"\r\n") {
        let size = std::str::from_utf8(&rest[..line]).unwrap();
        let size = usize::from_str_radix(size, 16).expect("the size of a piece");
        if size == 0 {
            return (sizes, true);
        }
        sizes.push(size);
        rest = rest.get(line + 2 + size + 2..).unwrap_or_default();
    }
    (sizes, false)
}

fn an_export_comes_in_small_pieces_and_has_turns_of_its_own(kind: DatabaseKind) {
    let two = Two::start(kind, 4);
    two.stock_up_for_exports();
    let open = || two.open("GET", "orders/export?format=jsonl", "Connection: close\r\n", "");
    let mut read = open();
    read.truncate(1);
    let (sizes, is_whole) = pieces(&mut read[0]);
    assert!(is_whole && sizes.iter().sum::<usize>() > EXPORT_BYTES);
    assert!(sizes.iter().all(|size| *size <= PIECE_BYTES), "{:?}", sizes.iter().max());
    drop(read);
    // Those that nobody reads keep further ones of their account waiting, but neither its lists nor other accounts.
    let unread = two.open_begun("GET", "orders/export?format=jsonl", "Connection: close\r\n");
    let _ = two.client.get("/orders/export").refused(429, "rate_limited");
    assert_eq!(two.client.get("/customers").expect(200)["total"], 1);
    assert_eq!(two.other.get("/products/export").status, 200);
    drop(unread);
    let started = Instant::now();
    while two.client.get("/customers/export").status != 200 {
        assert!(started.elapsed() < PATIENCE);
    }
}

fn an_export_that_is_not_taken_is_cut_off_and_a_slow_reader_is_not(kind: DatabaseKind) {
    let two = Two::with(kind, |api| {
        api.answer_timeout = ANSWER_TIMEOUT;
        api.request_timeout = PATIENCE;
    });
    two.stock_up_for_exports();
    let mut unread = two.open("GET", "orders/export", "Connection: close\r\n", "");
    // Each has its turn, since something has come of it; the next one waits until one of them is cut.
    unread.iter().for_each(|stream| assert!(stream.peek(&mut [0; 64]).unwrap() > 0));
    assert_eq!(two.client.get("/customers/export").status, 200);
    // One or more of them: the others are read to their ends now.
    let is_cut = |(sizes, is_whole): (Vec<usize>, bool)| {
        !is_whole && sizes.iter().sum::<usize>() < EXPORT_BYTES
    };
    let cut: Vec<bool> = unread.iter_mut().map(|stream| is_cut(pieces(stream))).collect();
    assert!(cut.contains(&true), "{cut:?}");
    drop(unread);
    let mut slow = two.open("GET", "orders/export", "Connection: close\r\n", "").remove(0);
    let (mut read, mut piece) = (0, vec![0; 256 << 10]);
    while read < EXPORT_BYTES {
        slow.read_exact(&mut piece).expect("who goes on reading is not cut off");
        read += piece.len();
        thread::sleep(SLOWLY);
    }
}

fn an_export_reads_nothing_before_its_turn(kind: DatabaseKind) {
    let two = Two::with(kind, |api| api.request_timeout = PATIENCE);
    two.stock_up_for_exports();
    let home = two.client.post("/categories", &json!({"name": "Hogar"})).expect(201);
    let mug = json!({"name": "Taza", "price": 1, "categoryIds": [home["id"]]});
    let _ = two.client.post("/products", &mug).expect(201);
    let mut unread = two.open("GET", "orders/export", "Connection: close\r\n", "");
    unread.truncate(2);
    unread.iter().for_each(|stream| assert!(stream.peek(&mut [0; 64]).unwrap() > 0));
    let csv = thread::scope(|scope| {
        let waiting = scope.spawn(|| two.client.get("/products/export").text);
        thread::sleep(Duration::from_millis(500));
        let path = format!("/categories/{}", home["id"].as_str().unwrap());
        let _ = two.client.patch(&path, &json!({"name": "Cocina"})).expect(200);
        drop(unread);
        waiting.join().unwrap()
    });
    assert!(csv.contains("Cocina") && !csv.contains("Hogar"), "{csv}");
}
