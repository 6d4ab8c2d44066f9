//! Any bytes from either end of the link, as they are and in frames with the right check sum: read
//! or refused, never a panic; how they are cut into chunks does not matter; what is read is written
//! and read back to the same.
#![no_main]

use libfuzzer_sys::fuzz_target;
use lodestone::link::{BoardDecoder, BoardEncoder, FromBoard, HostDecoder, HostEncoder, ToBoard};

/// Reads both ways, in chunks of at most `size` bytes; what came out, printed.
fn read(bytes: &[u8], size: usize) -> Vec<String> {
    let (mut board, mut host) = (BoardDecoder::new(), HostDecoder::new());
    let (mut requests, mut answers) = (Vec::new(), Vec::new());
    for chunk in bytes.chunks(size) {
        let mut rest = chunk;
        while let Some(read) = board.next::<ToBoard>(&mut rest) {
            requests.push(format!("{read:?}"));
            let Ok(message) = read else { continue };
            let mut encoder = HostEncoder::new();
            let mut frame = encoder.encode(&message).expect("what was read fits");
            assert_eq!(BoardDecoder::new().next(&mut frame), Some(Ok(message)));
        }
        let mut rest = chunk;
        while let Some(read) = host.next::<FromBoard>(&mut rest) {
            answers.push(format!("{read:?}"));
            let Ok(message) = read else { continue };
            let mut encoder = BoardEncoder::new();
            let mut frame = encoder.encode(&message).expect("what was read fits");
            assert_eq!(HostDecoder::new().next(&mut frame), Some(Ok(message)));
        }
    }
    requests.append(&mut answers);
    requests
}

/// A frame around any message: a fuzzer does not find check sums by itself.
fn framed(message: &[u8]) -> Vec<u8> {
    let sum = crc::Crc::<u32>::new(&crc::CRC_32_ISO_HDLC).checksum(message);
    let mut frame = cobs::encode_vec(&[message, &sum.to_le_bytes()].concat());
    frame.push(0);
    frame
}

fuzz_target!(|data: &[u8]| {
    let Some((&size, bytes)) = data.split_first() else { return };
    for stream in [bytes, &framed(bytes)] {
        let whole = read(stream, stream.len().max(1));
        assert_eq!(read(stream, usize::from(size).max(1)), whole);
    }
});
