//! Statements that are written twice, once for each database: the same commands leave the same rows and get the same
//! answers, whatever the batches they share.

use std::collections::HashMap;

use diesel::{
    Connection, PgConnection, QueryableByName, RunQueryDsl, SqliteConnection, sql_query,
    sql_types::Text,
};
use kernel::{Amount, Pending, Written};
use orders::{
    CustomerId, Discount, Order, OrderChanges, OrderStatus, Orders, PlaceDiscount, PlaceError,
    PlaceItem, PlaceOrder, PlaceShipping, ReviseOrder, order::ItemProductId,
};
use testkit::{Database, DatabaseKind};
use webhooks::{NewSubscription, Topics, Webhooks};

use crate::batches::{Shop, ctx};

#[derive(QueryableByName)]
struct Line {
    #[diesel(sql_type = Text)]
    line: String,
}

/// Every row of every table: `table`, then its columns as a JSON array. The position of an event and its counter are a matter
/// of the database, and a sealed secret differs each time.
const SQLITE_TABLES: &str = "SELECT 'SELECT ''' || t.name || ' '' || json_array(' || \
    (SELECT group_concat(c.name) FROM (SELECT name FROM pragma_table_info(t.name) WHERE name NOT IN ('position', 'secret') ORDER BY name) c) || \
    ') AS line FROM ' || t.name || ' ORDER BY 1' AS line FROM pragma_table_list t \
    WHERE t.schema = 'main' AND t.type = 'table' AND t.name NOT LIKE 'sqlite%' AND t.name NOT LIKE '\\_\\_%' ESCAPE '\\' AND t.name <> 'search_rows' ORDER BY t.name";
const POSTGRES_TABLES: &str = "SELECT 'SELECT ''' || table_name || ' '' || json_build_array(' || \
    string_agg(column_name, ',' ORDER BY column_name COLLATE \"C\") || ')::text AS line FROM ' || table_name || ' ORDER BY 1' AS line \
    FROM information_schema.columns WHERE table_schema = current_schema() AND table_name NOT LIKE '\\_\\_%' \
    AND column_name NOT IN ('position', 'secret') GROUP BY table_name ORDER BY table_name COLLATE \"C\"";

fn percent(percent: i64) -> Discount {
    Discount::Percent(Amount::from_micros(percent * 1_000_000))
}

fn contents(database: &Database) -> Vec<String> {
    let load = |sql: &str| -> Vec<String> {
        let rows: Vec<Line> = match database.kind {
            DatabaseKind::Sqlite => {
                let path = database.url.strip_prefix("sqlite://").unwrap();
                sql_query(sql).load(&mut SqliteConnection::establish(path).unwrap()).unwrap()
            }
            DatabaseKind::Postgres => {
                sql_query(sql).load(&mut PgConnection::establish(&database.url).unwrap()).unwrap()
            }
        };
        rows.into_iter().map(|row| row.line).collect()
    };
    let tables = match database.kind {
        DatabaseKind::Sqlite => load(SQLITE_TABLES),
        DatabaseKind::Postgres => load(POSTGRES_TABLES),
    };
    assert!(tables.len() > 25, "{tables:?}");
    let rows = tables.iter().flat_map(|sql| load(sql)).map(|line| spelled_alike(&line));
    rows.filter(|row| !(row.starts_with("counters ") && row.contains("\"events\""))).collect()
}

/// A row in one spelling of JSON, in which `true` is 1 as in SQLite.
fn spelled_alike(line: &str) -> String {
    let (table, columns) = line.split_once(' ').unwrap();
    let columns: Vec<serde_json::Value> = serde_json::from_str(columns).unwrap();
    let columns = columns.into_iter().map(|column| match column {
        serde_json::Value::Bool(flag) => i64::from(flag).into(),
        other => other,
    });
    format!("{table} {}", serde_json::Value::from_iter(columns))
}

/// Texts with identifiers numbered as they were made: they ascend.
fn numbered(texts: &[String]) -> Vec<String> {
    let is_id = |word: &str| {
        word.len() == 30
            && word.as_bytes()[3] == b'_'
            && word.bytes().skip(4).all(|byte| byte.is_ascii_alphanumeric())
    };
    let words = |text: &str| {
        let separators = |c: char| !c.is_ascii_alphanumeric() && c != '_';
        text.split(separators).filter(|word| is_id(word)).map(str::to_owned).collect::<Vec<_>>()
    };
    let mut ids: Vec<String> = texts.iter().flat_map(|text| words(text)).collect();
    ids.sort();
    ids.dedup();
    let mut counts: HashMap<String, usize> = HashMap::new();
    let mut names = HashMap::new();
    for id in ids {
        let count = counts.entry(id[..3].to_owned()).or_default();
        *count += 1;
        names.insert(id.clone(), format!("{}#{count}", &id[..3]));
    }
    let rename = |text: &String| {
        words(text).into_iter().fold(text.clone(), |text, id| text.replace(&id, &names[&id]))
    };
    let mut renamed: Vec<String> = texts.iter().map(rename).collect();
    renamed.sort();
    renamed
}

/// An answer without its identifiers, which are long numbers in it; the rows tell which they are.
fn without_ids(answer: &str) -> String {
    let is_id = |part: &str| part.len() > 20 && part.bytes().all(|byte| byte.is_ascii_digit());
    let parts = answer.split_inclusive(|c: char| !c.is_ascii_digit());
    parts.filter(|part| !is_id(part.trim_end_matches(|c: char| !c.is_ascii_digit()))).collect()
}

/// The same numbers for the same seed, on every machine.
struct Dice(u64);

impl Dice {
    fn below(&mut self, end: u64) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % end
    }

    fn one_of<'a, T>(&mut self, all: &'a [T]) -> &'a T {
        let place = self.below(all.len() as u64);
        &all[usize::try_from(place).unwrap()]
    }
}

/// Orders, most of which can be placed, in batches of many, with changes of them in between. What was answered and
/// what is stored.
fn story(kind: DatabaseKind, seed: u64) -> (Vec<String>, Vec<String>) {
    let shop = Shop::open(kind);
    let hook = NewSubscription {
        url: "https://shop.example.com/".to_owned(),
        events: Topics::all(),
        description: None,
    };
    let _ = Webhooks::create(&*shop.store, ctx(shop.account, None), hook).wait().unwrap().unwrap();
    let products: Vec<_> =
        [3, 40, 1_000].iter().map(|stock| shop.product(&format!("S{stock}"), *stock)).collect();
    let mut items: Vec<_> =
        products.iter().map(|product| ItemProductId::from_u128(product.id.to_u128())).collect();
    items.push(ItemProductId::from_u128(7));
    let customers =
        [shop.customer.id.to_u128(), shop.customer.id.to_u128(), shop.customer.id.to_u128(), 7];
    let mut dice = Dice(seed);
    let (mut answers, mut placed) = (Vec::new(), Vec::<Order>::new());
    for round in 0..12 {
        let batch: Vec<Pending<Written<Order, PlaceError>>> = (0..1 + dice.below(20))
            .map(|_| {
                let lines = (0..1 + dice.below(3)).map(|_| {
                    let product = *dice.one_of(&items);
                    let quantity = i64::try_from(1 + dice.below(4)).unwrap();
                    let wanted = orders::ItemSku { product, variant: None };
                    let discount = (dice.below(4) == 0).then_some(percent(12));
                    PlaceItem {
                        discount,
                        ..PlaceItem::new(wanted, kernel::Measure::whole(quantity))
                    }
                });
                let items = lines.collect();
                let customer = CustomerId::from_u128(*dice.one_of(&customers));
                let discount = (dice.below(4) == 0)
                    .then(|| PlaceDiscount { asked: percent(5), reason: Some("5 %".to_owned()) });
                let shipping = (dice.below(4) == 0).then(|| PlaceShipping {
                    name: "Estafeta".to_owned(),
                    amount: Amount::from_micros(99_000_000),
                    taxes: None,
                });
                // Some keys are used again, for the same request or for another.
                let key = (dice.below(3) == 0).then(|| format!("k{}", dice.below(8)));
                let order = PlaceOrder { discount, shipping, ..PlaceOrder::new(customer, items) };
                shop.store.place(ctx(shop.account, key.as_deref()), order)
            })
            .collect();
        for answer in batch {
            let answer = answer.wait().unwrap();
            answers.push(without_ids(&format!("{answer:?}")));
            placed.extend(answer.ok().map(|done| done.value));
        }
        if placed.is_empty() {
            continue;
        }
        for _ in 0..3 {
            let changes = OrderChanges {
                status: Some(*dice.one_of(OrderStatus::EVERY)),
                reason: Some(format!("round {round}")),
                ..OrderChanges::default()
            };
            let id = dice.one_of(&placed).id;
            let command = ReviseOrder { id, version: None, changes };
            let changed = Orders::update(&*shop.store, ctx(shop.account, None), command).wait();
            answers.push(without_ids(&format!("{:?}", changed.unwrap())));
        }
    }
    (answers, contents(&shop.database))
}

#[test]
fn both_databases_answer_and_store_the_same() {
    for seed in [1, 20_261_122, 987_654_321] {
        let stories = [DatabaseKind::Sqlite, DatabaseKind::Postgres].map(|kind| story(kind, seed));
        let told = stories.map(|(answers, rows)| {
            let count = answers.len();
            let placed = answers.iter().filter(|answer| answer.starts_with("Ok")).count();
            assert!(
                placed > 20 && placed < count,
                "seed {seed}: {placed} of {count} were accepted"
            );
            let answers = answers.into_iter().enumerate();
            let answers = answers.map(|(place, answer)| format!("answer {place:04} {answer}"));
            numbered(&answers.chain(rows).collect::<Vec<_>>())
        });
        let [sqlite, postgres] = told;
        for (one, other) in sqlite.iter().zip(&postgres) {
            assert_eq!(one, other, "seed {seed}");
        }
        assert_eq!(sqlite.len(), postgres.len(), "seed {seed}");
    }
}
