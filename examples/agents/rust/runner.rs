//! A program in Rust that speaks binary frames: it runs right, and jumps whenever it can.
//!
//!     rustc -O --edition 2021 runner.rs
//!     ludus run platformer/sprint ./runner
use std::io::{stdin, stdout, Read, Result, Write};

const ACT: u8 = 3;
const CLOSE: u8 = 5;
const MAY_JUMP: usize = 9 + 5 * 4 + 3 * 4; // behind type, parts, tick, five floats, three numbers
const READY: [u8; 5] = [1, 0, 0, 0, 16];
const HELLO: &[u8] =
    b"{\"type\":\"hello\",\"protocol\":1,\"frames\":\"binary\",\"wants\":[\"mario\"]}\n";
const RIGHT_SPEED: u8 = 2 + 8;
const JUMP: u8 = 16;

fn read_frame(input: &mut impl Read) -> Result<Vec<u8>> {
    let mut length = [0; 4];
    input.read_exact(&mut length)?;
    let mut frame = vec![0; u32::from_le_bytes(length) as usize];
    input.read_exact(&mut frame)?;
    Ok(frame)
}

fn main() -> Result<()> {
    let (mut input, mut output) = (stdin().lock(), stdout().lock());
    let mut byte = [0];
    while byte[0] != b'\n' {
        input.read_exact(&mut byte)?; // the hello of Ludus is a line
    }
    output.write_all(HELLO)?;
    output.flush()?;
    loop {
        let frame = read_frame(&mut input)?;
        match frame[0] {
            CLOSE => return Ok(()),
            ACT => {
                let jump = if frame[MAY_JUMP] != 0 { JUMP } else { 0 };
                output.write_all(&[2, 0, 0, 0, 17, RIGHT_SPEED | jump])?;
            }
            _ => output.write_all(&READY)?,
        }
        output.flush()?;
    }
}
