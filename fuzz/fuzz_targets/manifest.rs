#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| infranoise_fuzz::run("manifest", data));
