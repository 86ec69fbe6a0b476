//! What the server does for us, each in one step.

use std::{sync::LazyLock, time::Duration};

use kernel::rate::{Quota, Verdict};
use redis::{RedisResult, Script, aio::MultiplexedConnection};

/// GCRA, as a node counts it by itself, in microseconds of the server's clock. What is kept of a holder is the moment at
/// which its allowance is whole again, and until then; after it there is nothing to keep. A moment beyond what the
/// allowance can be used up to is of a clock that was set back, of a rate that was lowered, or of requests that were let through
/// without being counted and are counted with the next one.
const COUNT: &str = r"
local interval, tolerance, untold = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local now = tonumber(ARGV[4])
if not now then
  local time = redis.call('TIME')
  now = tonumber(time[1]) * 1000000 + tonumber(time[2])
end
local whole = tonumber(redis.call('GET', KEYS[1]) or now)
whole = math.min(whole, now + tolerance + interval)
if now < whole - tolerance then
  return {0, whole - tolerance - now}
end
whole = math.max(whole, now) + interval * (1 + untold)
redis.call('SET', KEYS[1], string.format('%.0f', whole), 'PX', math.ceil((whole - now) / 1000))
return {1, math.max(0, math.floor((now + tolerance + interval - whole) / interval))}
";

/// Says that a node is there and counts those that have said so of late.
const BEAT: &str = r"
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
local lasting = tonumber(ARGV[2])
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
redis.call('ZADD', KEYS[1], now + lasting, ARGV[1])
redis.call('PEXPIRE', KEYS[1], lasting)
return redis.call('ZCARD', KEYS[1])
";

static COUNTING: LazyLock<Script> = LazyLock::new(|| Script::new(COUNT));
static BEATING: LazyLock<Script> = LazyLock::new(|| Script::new(BEAT));

/// Lets the server know the scripts, so that it need not be told when it matters.
pub(super) async fn load(connection: &mut MultiplexedConnection) -> RedisResult<()> {
    COUNTING.load_async(connection).await?;
    BEATING.load_async(connection).await.map(drop)
}

/// Counts a request, with others that were not counted before, at a moment in microseconds, by default now.
pub(super) async fn count(
    connection: &mut MultiplexedConnection,
    name: &str,
    (quota, untold): (Quota, u32),
    now: Option<u64>,
) -> RedisResult<Verdict> {
    let interval = u64::try_from(quota.interval.as_micros()).unwrap_or(u64::MAX).max(1);
    let tolerance = interval.saturating_mul(u64::from(quota.at_once.saturating_sub(1)));
    let mut call = COUNTING.key(name);
    call.arg(interval).arg(tolerance).arg(untold);
    if let Some(now) = now {
        call.arg(now);
    }
    let (is_allowed, number): (bool, u64) = call.invoke_async(connection).await?;
    Ok(if is_allowed {
        Verdict::Allowed { remaining: u32::try_from(number).unwrap_or(u32::MAX) }
    } else {
        Verdict::Refused { wait: Duration::from_micros(number) }
    })
}

/// Says that a node is there, for as long as `lasting`; how many there are.
pub(super) async fn beat(
    connection: &mut MultiplexedConnection,
    nodes: &str,
    node: &str,
    lasting: Duration,
) -> RedisResult<u32> {
    let lasting = u64::try_from(lasting.as_millis()).unwrap_or(u64::MAX);
    BEATING.key(nodes).arg(node).arg(lasting).invoke_async(connection).await
}

/// Says that a node is gone.
pub(super) async fn leave(
    connection: &mut MultiplexedConnection,
    nodes: &str,
    node: &str,
) -> RedisResult<()> {
    redis::cmd("ZREM").arg(nodes).arg(node).query_async(connection).await
}
