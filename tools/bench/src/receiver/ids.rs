//! Finding the ids in the body of an event, or of an order, without reading all of it as JSON.

/// The id of the order that `body` tells of.
pub(crate) fn order_id(body: &[u8]) -> Option<&str> {
    id(body, b"\"id\":\"ord_")
}

/// The id of the event that `body` is.
pub(crate) fn event_id(body: &[u8]) -> Option<&str> {
    id(body, b"\"id\":\"evt_")
}

fn id<'a>(body: &'a [u8], field: &[u8]) -> Option<&'a str> {
    let at = body.windows(field.len()).position(|window| window == field)?;
    // Past `"id":"`, whose prefix belongs to the id.
    let rest = body.get(at + b"\"id\":\"".len()..)?;
    let end = rest.iter().position(|byte| *byte == b'"')?;
    std::str::from_utf8(rest.get(..end)?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ids_are_found_wherever_they_stand() {
        let body = br#"{"id":"evt_1","event":"order.created","data":{"id":"ord_2","status":"x"}}"#;
        assert_eq!((event_id(body), order_id(body)), (Some("evt_1"), Some("ord_2")));
        let body = br#"{"data":{"total":1.0,"id":"ord_2"},"id":"evt_1"}"#;
        assert_eq!((event_id(body), order_id(body)), (Some("evt_1"), Some("ord_2")));
        assert_eq!(order_id(br#"{"id":"prd_1"}"#), None);
        assert_eq!(order_id(br#"{"id":"ord_1"#), None);
    }
}
