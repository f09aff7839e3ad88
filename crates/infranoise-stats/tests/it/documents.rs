//! What the methods return survives a round trip through JSON.

use infranoise_stats::{Estimate, Method};

#[test]
fn infinite_numbers_survive_json() {
    let ratio = Estimate {
        value: f64::INFINITY,
        low: 0.5,
        high: f64::INFINITY,
        level: 0.95,
        method: Method::CmhExact,
        n: 20,
        clusters: 4,
    };
    let text = serde_json::to_string(&ratio).unwrap();
    assert_eq!(
        text,
        r#"{"value":"inf","low":0.5,"high":"inf","level":0.95,"method":"cmh_exact","n":20,"clusters":4}"#
    );
    assert_eq!(serde_json::from_str::<Estimate>(&text).unwrap(), ratio);
    let whole = text.replace("0.5", "1").replace(r#""high":"inf""#, r#""high":"-inf""#);
    let read: Estimate = serde_json::from_str(&whole).unwrap();
    assert_eq!((read.low, read.high), (1.0, f64::NEG_INFINITY));
    assert!(
        serde_json::from_str::<Estimate>(&text.replace(r#""value":"inf""#, r#""value":"infinite""#)).is_err()
    );
    assert!(serde_json::from_str::<Estimate>(&text.replace(r#""value":"inf""#, r#""value":null"#)).is_err());
}

#[test]
fn not_a_number_is_refused() {
    let broken = Estimate {
        value: f64::NAN,
        low: 0.0,
        high: 1.0,
        level: 0.95,
        method: Method::Wilson,
        n: 1,
        clusters: 1,
    };
    assert!(serde_json::to_string(&broken).is_err());
}
