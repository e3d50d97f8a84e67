//! Runs and jumps as soon as it may: an agent in Rust for WebAssembly.
//!
//!     rustup target add wasm32-unknown-unknown    # Debian: apt install libstd-rust-dev-wasm32
//!     rustc -O --edition 2021 --crate-type cdylib --target wasm32-unknown-unknown runner.rs
//!     ludus run platformer/punctual ./runner.wasm
//!
//! The structures are those of ludus/agent.h, as far as this agent reads them.
use std::os::raw::{c_char, c_void};

const VERSION: u32 = 1;
const SHOWS_MARIO: u32 = 1 << 3;

#[repr(C)]
#[derive(Clone, Copy, Default)]
pub struct Buttons {
    left: u8,
    right: u8,
    down: u8,
    speed: u8,
    jump: u8,
    up: u8,
}

#[repr(C)]
pub struct Scenario {
    size: u32,
    name: *const c_char,
    rules: *const c_char,
    level: *const c_char,
    seed: u64,
    mode: i32,
    time_limit: i32,
    play: i32,
    plays: i32,
    buttons: Buttons,
}

#[repr(C)]
pub struct Mario {
    x: f32,
    y: f32,
    vx: f32,
    vy: f32,
    jump_start_x: f32,
    mode: i32,
    on_ground: i32,
    was_on_ground: i32,
    may_jump: i32,
    ducking: i32,
    can_shoot: i32,
    jump_time: i32,
    invulnerable: i32,
    facing: i32,
    height: i32,
    alive: i32,
    listed: i32,
    sliding: i32,
    climbing: i32,
    carrying: i32,
}

#[repr(C)]
pub struct Observation {
    size: u32,
    shown: u32,
    tick: i32,
    timer: i32,
    coins: i32,
    reward: i32,
    mario: Mario,
}

#[derive(Default)]
struct Runner {
    buttons: Buttons,
}

impl Runner {
    /// An episode begins: forget the last one.
    fn reset(&mut self, scenario: &Scenario) {
        self.buttons = scenario.buttons;
    }

    /// The sum of the buttons to hold for one tick.
    fn act(&mut self, seen: &Observation) -> u8 {
        let jump = seen.mario.may_jump != 0 || seen.mario.on_ground == 0;
        self.buttons.right | if jump { self.buttons.jump } else { 0 }
    }
}

#[no_mangle]
pub extern "C" fn ludus_agent_version() -> u32 {
    VERSION
}

#[no_mangle]
pub extern "C" fn ludus_agent_name() -> *const c_char {
    b"runner-rust\0".as_ptr().cast()
}

/// What it reads of an observation: the less, the faster.
#[no_mangle]
pub extern "C" fn ludus_agent_wants() -> u32 {
    SHOWS_MARIO
}

#[no_mangle]
pub extern "C" fn ludus_agent_create() -> *mut c_void {
    Box::into_raw(Box::new(Runner::default())).cast()
}

/// # Safety
/// The agent is one that `ludus_agent_create` returned.
#[no_mangle]
pub unsafe extern "C" fn ludus_agent_destroy(agent: *mut c_void) {
    drop(Box::from_raw(agent.cast::<Runner>()));
}

/// # Safety
/// The agent is one that `ludus_agent_create` returned.
#[no_mangle]
pub unsafe extern "C" fn ludus_agent_reset(agent: *mut c_void, scenario: &Scenario) {
    (*agent.cast::<Runner>()).reset(scenario);
}

/// # Safety
/// The agent is one that `ludus_agent_create` returned.
#[no_mangle]
pub unsafe extern "C" fn ludus_agent_act(agent: *mut c_void, seen: &Observation) -> i32 {
    (*agent.cast::<Runner>()).act(seen).into()
}
