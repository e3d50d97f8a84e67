/** Answers questions about the engines in WebAssembly, in node and in a browser alike. */

const TABLE = Uint32Array.from({ length: 256 }, (_, n) => {
  for (let bit = 0; bit < 8; bit++) n = n & 1 ? (n >>> 1) ^ 0xedb88320 : n >>> 1;
  return n;
});

function crc32(bytes) {
  let crc = -1;
  for (const byte of bytes) crc = TABLE[(crc ^ byte) & 255] ^ (crc >>> 8);
  return (crc ^ -1) >>> 0;
}

/**
 * Returns a function for each question.
 * @param {string} folder Where the scripts of the engines are.
 * @param {Uint8Array} module The engines.
 * @param {object} art What pictures are made of.
 */
export async function makeAnswers(folder, module, art) {
  const load = (name) => import(`${folder}/${name}`);
  const { loadEngine, Level, World, WormWorld, encodeActions, generate } = await load("index.js");
  const { decodeActions } = await load("tracks.js");
  const { Artist } = await load("artist.js");
  const { measure } = await load("measures.js");
  const engine = await loadEngine(module);
  const artist = new Artist(engine, art);
  const rowDigest = (world) => crc32(engine.listBytes("ludus_world_trace", world.handle));

  return {
    /** The digest of every row of a play, and of its last state. */
    play({ level, actions, ...options }) {
      const world = new World(new Level(engine, level), options);
      const rows = [rowDigest(world)];
      for (const action of decodeActions(actions)) {
        if (world.status) break;
        world.step(action);
        rows.push(rowDigest(world));
      }
      return { rows, digest: world.digest };
    },

    /** The digests of the last states of many plays. */
    digests({ plays }) {
      return plays.map(({ level, actions, ...options }) => {
        const world = new World(new Level(engine, level), options);
        world.run(decodeActions(actions));
        return world.digest;
      });
    },

    /** Two states on the way of a play: one saved and gone on from, one cloned. */
    branch({ level, actions, at, ...options }) {
      const buttons = decodeActions(actions);
      const world = new World(new Level(engine, level), options);
      world.run(buttons.slice(0, at));
      const [copy, state] = [world.clone(), world.save()];
      world.run(buttons.slice(at));
      const first = world.digest;
      world.load(state);
      const restored = world.digest;
      world.run(buttons.slice(at));
      copy.run(buttons.slice(at));
      return { first, restored, again: world.digest, copy: copy.digest };
    },

    /** The digests of a track at these ticks, in this order, and where its marks are. */
    async seek({ level, actions, ticks, ...options }) {
      const { Track } = await import(`${folder}/../track.js`);
      const track = new Track(new Level(engine, level), options, { actions, digest: "" });
      const digests = ticks.map((tick) => {
        track.seek(tick);
        return track.world.digest;
      });
      return { digests, ticks: track.ticks, path: track.path, equal: track.proof.equal };
    },

    look({ level, actions, ...options }) {
      const world = new World(new Level(engine, level), options);
      world.run(decodeActions(actions));
      const { mario, sprites, events, platforms, facts, result } = world;
      const merged = Array.from(world.observe("merged"));
      return { mario, sprites, events, platforms, facts, result, merged, tiles: Array.from(world.tiles) };
    },

    generate: ({ generator, options }) => generate(engine, generator, options),

    measure: ({ level }) => measure(new Level(engine, level)),

    solve({ level, budget, ...options }) {
      const found = new World(new Level(engine, level), options).solve(budget);
      return { ...found, actions: encodeActions(found.actions) };
    },

    worm({ terms, seed, actions }) {
      const world = new WormWorld(engine, terms, seed);
      const rewards = actions.map((action) => world.step(action));
      const { facts, figures, digest } = world;
      const [foods, predators] = [Array.from(world.foods), Array.from(world.predators)];
      const scents = Array.from(world.concentration(5));
      return { rewards, facts, figures, digest, foods, predators, scents };
    },

    /** The digest of a picture's pixels. */
    picture({ level, actions, theme, ...options }) {
      const world = new World(new Level(engine, level), options);
      world.run(decodeActions(actions));
      const frame = artist.frame(world, { theme });
      const map = artist.levelPicture(world.level, { theme });
      return [frame, map].map(({ width, height, rgb }) => ({ width, height, crc: crc32(rgb) }));
    },

    refuse({ level, ...options }) {
      try {
        new World(new Level(engine, level), options);
        return null;
      } catch (error) {
        return error.message;
      }
    },

    /** Ticks a second of plays, and milliseconds to load the engines. */
    async time({ level, actions, seconds, ...options }) {
      const loading = performance.now();
      await loadEngine(module);
      const begin = performance.now();
      const [read, buttons] = [new Level(engine, level), decodeActions(actions)];
      let ticks = 0;
      while (performance.now() - begin < 1000 * seconds) ticks += new World(read, options).run(buttons);
      return { rate: (1000 * ticks) / (performance.now() - begin), load: begin - loading };
    },

    /** Pictures a second. */
    drawing({ level, actions, seconds, ...options }) {
      const world = new World(new Level(engine, level), options);
      world.run(decodeActions(actions));
      const begin = performance.now();
      let pictures = 0;
      for (; performance.now() - begin < 1000 * seconds; pictures++) artist.frame(world);
      return { rate: (1000 * pictures) / (performance.now() - begin) };
    },
  };
}
