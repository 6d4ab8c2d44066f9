//! Any text as a file of records: read or refused with a place inside the text; what is read
//! writes and reads back to the same.
#![no_main]

use board_sim::record;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|source: &str| {
    match record::read(source) {
        Ok(records) => {
            let written: String = records.iter().map(|r| format!("{r}\n")).collect();
            assert_eq!(record::read(&written).as_ref(), Ok(&records), "{written}");
        }
        Err(error) => assert!(error.line <= source.lines().count() + 1, "{error}"),
    }
});
