/** Loads the engines' WebAssembly module, and moves values into and out of its memory. */

/** Something that the engine refused; the message is one line that says why. */
export class EngineError extends Error {}

/**
 * Loads the engines.
 * @param {string | URL | BufferSource} source The address of `ludus.wasm`, or its bytes.
 * @returns {Promise<Engine>}
 */
export async function loadEngine(source = new URL("ludus.wasm", import.meta.url)) {
  const isAddress = typeof source === "string" || source instanceof URL;
  const bytes = isAddress ? await (await fetch(source)).arrayBuffer() : source;
  const { instance } = await WebAssembly.instantiate(bytes, {});
  return new Engine(instance);
}

const decoder = new TextDecoder();
const encoder = new TextEncoder();

/** The functions of `ludus.h`, and the memory that they work on. */
export class Engine {
  /** @param {WebAssembly.Instance} instance */
  constructor(instance) {
    /** @type {Record<string, Function>} */
    this.call = instance.exports;
    this.memory = instance.exports.memory;
    this.handles = new FinalizationRegistry(([free, handle]) => this.call[free](handle));
  }

  /** The memory as numbers; to be asked for anew after every call, since memory can grow. */
  get view() {
    return new DataView(this.memory.buffer);
  }

  /** @returns {number} The code, unless it stands for an error. */
  check(code) {
    if (code < 0) throw new EngineError(this.text(this.call.ludus_last_error()));
    return code;
  }

  /** Frees a handle together with the object that holds it. */
  own(object, free, handle) {
    this.handles.register(object, [free, handle], object);
    return handle;
  }

  /**
   * Runs a function with memory that is given back when it returns.
   * @template T
   * @param {(scratch: Scratch) => T} work
   * @returns {T}
   */
  borrow(work) {
    const scratch = new Scratch(this);
    try {
      return work(scratch);
    } finally {
      scratch.free();
    }
  }

  /** @returns {string} The text at a place, up to its zero. */
  text(pointer) {
    if (!pointer) return "";
    const bytes = new Uint8Array(this.memory.buffer, pointer);
    return decoder.decode(bytes.subarray(0, bytes.indexOf(0)));
  }

  /** @returns {Uint8Array} A copy of bytes at a place. */
  bytes(pointer, count) {
    return new Uint8Array(this.memory.buffer, pointer, count).slice();
  }

  /** @returns {Float64Array} A copy of numbers at a place. */
  doubles(pointer, count) {
    return new Float64Array(this.memory.buffer, pointer, count).slice();
  }

  /**
   * Reads structures that lie one after the other.
   * @param {import("./layout.js").Layout} layout
   */
  records(pointer, layout, count) {
    const { view } = this;
    return Array.from({ length: count }, (_, n) => {
      const record = {};
      layout.forEach(({ name, real }, k) => {
        const at = pointer + 4 * (n * layout.length + k);
        record[name] = real ? view.getFloat32(at, true) : view.getInt32(at, true);
      });
      return record;
    });
  }

  /** Reads one structure that a function of the engine fills. */
  read(name, handle, layout, size = 4 * layout.length) {
    return this.borrow((scratch) => {
      const place = scratch.reserve(size);
      this.call[name](handle, place);
      return this.records(place, layout, 1)[0];
    });
  }

  /** Reads the structures of a function that takes a capacity and returns how many there are. */
  list(name, handle, layout) {
    const count = this.call[name](handle, 0, 0);
    return this.borrow((scratch) => {
      const place = scratch.reserve(4 * layout.length * count);
      this.call[name](handle, place, count);
      return this.records(place, layout, count);
    });
  }

  /** Reads items of one byte, or of so many, of such a function. */
  listBytes(name, handle, size = 1) {
    const count = this.call[name](handle, 0, 0);
    return this.borrow((scratch) => {
      const place = scratch.reserve(size * count);
      this.call[name](handle, place, count);
      return this.bytes(place, size * count);
    });
  }

  /** @returns {number} The handle that a function puts behind its other arguments. */
  make(name, ...rest) {
    return this.borrow((scratch) => {
      const place = scratch.reserve(4);
      this.check(this.call[name](...rest, place));
      return this.view.getUint32(place, true);
    });
  }
}

/** Memory of the module that is used for a while. */
export class Scratch {
  /** @param {Engine} engine */
  constructor(engine) {
    this.engine = engine;
    /** @type {number[]} */
    this.places = [];
  }

  /** @returns {number} Where so many bytes are; they hold anything. */
  reserve(size) {
    const place = this.engine.call.malloc(Math.max(size, 1));
    if (!place) throw new EngineError("there is no memory left");
    this.places.push(place);
    return place;
  }

  /** @returns {number} Where a copy of the bytes is. */
  put(bytes) {
    const place = this.reserve(bytes.length);
    new Uint8Array(this.engine.memory.buffer, place, bytes.length).set(bytes);
    return place;
  }

  /** @returns {number} Where the text is, with a zero behind it. */
  putText(text) {
    return this.put(encoder.encode(`${text}\0`));
  }

  /** @returns {number} Where whole numbers of 32 bits are. */
  putWords(words) {
    return this.put(new Uint8Array(Int32Array.from(words).buffer));
  }

  /** @returns {number} Where numbers of 64 bits are. */
  putDoubles(numbers) {
    return this.put(new Uint8Array(Float64Array.from(numbers).buffer));
  }

  /** @returns {number} Where structures are: rows of whole numbers. */
  putRows(rows) {
    return this.putWords(rows.flat());
  }

  /** Gives all of it back. */
  free() {
    this.places.forEach((place) => this.engine.call.free(place));
  }
}
