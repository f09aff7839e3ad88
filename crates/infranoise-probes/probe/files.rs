//! Page cache, and a little arithmetic.

use std::fs::{self, File};
use std::hint::black_box;
use std::io::{Read, Seek};

use super::Failure;
use super::arguments::Arguments;

/// `cache`: reads a sparse file again and again. Its holes fill the page cache and cost no disk; a kernel under a tight limit drops
/// them and reads them anew, and never has to kill for them.
pub(crate) fn cache(arguments: &mut Arguments) -> Result<(), Failure> {
    let name = arguments.text("file").ok_or_else(|| Failure::usage("--file is missing"))?;
    let mib = arguments.number("mib")?;
    let rounds = arguments.number_or("rounds", 1)?;
    let failed = |error: std::io::Error| Failure::file(&name, &error);
    File::create(&name).and_then(|file| file.set_len(mib << 20)).map_err(failed)?;
    let mut file = File::open(&name).map_err(failed)?;
    let mut block = vec![0; 256 << 10];
    for _ in 0..rounds {
        file.rewind().map_err(failed)?;
        while file.read(&mut block).map_err(failed)? > 0 {
            black_box(&block);
        }
    }
    fs::remove_file(&name).map_err(failed)
}

/// `sum`: the sum of the whole numbers in a file; other words do not count.
pub(crate) fn sum(name: &str) -> Result<u64, Failure> {
    let text = fs::read_to_string(name).map_err(|error| Failure::file(name, &error))?;
    Ok(text.split_whitespace().filter_map(|word| word.parse::<u64>().ok()).sum())
}
