/** Draws a worm's dish: scent, temperature, oxygen, food, predators, trails and worms. */

import { trackColour } from "./overlay.js";

const POINTS = 49; // a side, where fields are measured
const BODY = 3.4; // cells of trail that are the worm's body
const LIGHT = {
  dish: "#fffcf4", rim: "#c4bcaa", lines: "#e2dbcb", scent: [122, 178, 96], food: "#388036", core: "#c4e282",
  predator: "#be2e42", warm: [240, 112, 64], cold: [70, 128, 226], air: [128, 88, 190], worm: "#eec49e",
  edge: "#603e28", empty: "#ded8ca", satiety: "#d69428", health: "#cc4658",
};
const DARK = {
  dish: "#161b25", rim: "#465268", lines: "#212836", scent: [34, 130, 118], food: "#74e28e", core: "#e8ffce",
  predator: "#ff5c6e", warm: [236, 96, 52], cold: [56, 112, 236], air: [170, 128, 246], worm: "#fad8b2",
  edge: "#3c281e", empty: "#2c3444", satiety: "#f6b848", health: "#ff6a7c",
};

/** A dish of one task; all worlds that it paints have that task. */
export class Dish {
  constructor({ terms, continuous }) {
    this.terms = terms;
    this.shift = continuous ? 0 : 0.5;
    this.ground = document.createElement("canvas");
    this.ground.width = this.ground.height = POINTS;
  }

  /** Sets a canvas to so many pixels of the page from wall to wall. */
  resize(canvas, side) {
    const sharp = window.devicePixelRatio || 1;
    [canvas.width, canvas.height] = [side * sharp, (side + 30) * sharp];
    canvas.style.width = `${side}px`;
    this.side = side;
    this.scale = side / this.terms.size;
    this.key = "";
  }

  /** Paints a track's world, and other tracks as ghosts. */
  paint(canvas, main, ghosts, shown) {
    const context = canvas.getContext("2d");
    const sharp = canvas.width / this.side;
    context.setTransform(sharp, 0, 0, sharp, 0, 0);
    this.context = context;
    this.colours = matchMedia("(prefers-color-scheme: dark)").matches ? DARK : LIGHT;
    this.#drawGround(main.world, shown.scent);
    if (shown.trail) [main, ...ghosts].forEach((track, n) => this.#drawTrail(track, trackColour(n)));
    this.#drawFoods(main.world);
    this.#drawPredators(main.world);
    ghosts.forEach((ghost, n) => this.#drawWorm(ghost, trackColour(n + 1), 0.7));
    this.#drawWorm(main, this.colours.worm, 1);
    this.#drawStrip(main.world.figures);
  }

  /** The pixel of a place in the dish; y points up there. */
  #pixel([x, y]) {
    return [(x + this.shift) * this.scale, this.side - (y + this.shift) * this.scale];
  }

  // ---- what lies still

  #drawGround(world, scent) {
    const { context, side, colours } = this;
    context.clearRect(0, 0, side, side + 30);
    context.fillStyle = colours.dish;
    context.fillRect(0, 0, side, side);
    this.#measure(world, scent);
    context.imageSmoothingEnabled = true;
    context.drawImage(this.ground, 0, 0, side, side);
    if (this.shift && this.scale >= 12) this.#drawLines();
    context.strokeStyle = colours.rim;
    context.lineWidth = 3;
    context.strokeRect(1.5, 1.5, side - 3, side - 3);
  }

  /** Measures the fields again when the food has changed. */
  #measure(world, scent) {
    const key = `${world.foods} ${scent} ${this.colours === DARK}`;
    if (key === this.key) return;
    this.key = key;
    const ends = [-this.shift, this.terms.size - this.shift];
    const image = new ImageData(POINTS, POINTS);
    if (this.terms.thermal) this.#tint(image, world.temperature(POINTS, ends), (value) => this.#heat(value));
    if (this.terms.aerial) this.#tint(image, world.oxygen(POINTS, ends), (value) => this.#breath(value));
    const smell = scent ? spread(world.concentration(POINTS, ends)) : [];
    this.#tint(image, smell, (value) => [this.colours.scent, 0.7 * value ** 1.2]);
    this.ground.getContext("2d").putImageData(image, 0, 0);
  }

  #heat(degrees) {
    const off = degrees - this.terms.cultivation;
    const share = Math.min(Math.abs(off) / this.terms.danger_delta, 1);
    return [off > 0 ? this.colours.warm : this.colours.cold, 0.55 * share ** 1.3];
  }

  #breath(percent) {
    const { oxygen_danger_below: low, oxygen_comfort_to: high } = this.terms;
    return [this.colours.air, percent < low || percent > high ? 0.3 : 0];
  }

  /** Lays a colour over an image, point by point; fields begin at y = 0, images at the top. */
  #tint(image, values, choose) {
    values.forEach((value, n) => {
      const row = POINTS - 1 - Math.floor(n / POINTS);
      const at = 4 * (row * POINTS + (n % POINTS));
      const [colour, alpha] = choose(value);
      const below = image.data[at + 3] / 255;
      const covered = alpha + below * (1 - alpha);
      for (let k = 0; k < 3; k++) {
        const mixed = colour[k] * alpha + image.data[at + k] * below * (1 - alpha);
        image.data[at + k] = covered ? mixed / covered : 0;
      }
      image.data[at + 3] = 255 * covered;
    });
  }

  #drawLines() {
    const { context, side, scale } = this;
    context.strokeStyle = this.colours.lines;
    context.globalAlpha = 0.6;
    context.lineWidth = 1;
    context.beginPath();
    for (let n = 1; n < this.terms.size; n++) {
      const at = Math.round(n * scale) + 0.5;
      context.moveTo(at, 0);
      context.lineTo(at, side);
      context.moveTo(0, at);
      context.lineTo(side, at);
    }
    context.stroke();
    context.globalAlpha = 1;
  }

  // ---- what moves

  #disc([x, y], radius, colour) {
    this.context.fillStyle = colour;
    this.context.beginPath();
    this.context.arc(x, y, radius, 0, 2 * Math.PI);
    this.context.fill();
  }

  #drawFoods(world) {
    const radius = 0.3 * clamp(this.scale, 9, 26);
    for (const place of pairs(world.foods)) {
      const [x, y] = this.#pixel(place);
      this.#disc([x, y], radius, this.colours.food);
      this.#disc([x - radius / 4, y - radius / 4], radius / 2, this.colours.core);
    }
  }

  #drawPredators(world) {
    const { context } = this;
    const size = 0.45 * clamp(this.scale, 11, 26);
    for (const place of pairs(world.predators)) {
      const at = this.#pixel(place);
      context.globalAlpha = 0.12;
      this.#disc(at, Math.max(this.terms.damage_radius, 0.5) * this.scale + size, this.colours.predator);
      context.globalAlpha = 1;
      context.strokeStyle = this.colours.predator;
      context.lineWidth = Math.max(2, size / 3);
      for (let arm = 0; arm < 4; arm++) {
        const [dx, dy] = [Math.cos((arm * Math.PI) / 4) * size, Math.sin((arm * Math.PI) / 4) * size];
        context.beginPath();
        context.moveTo(at[0] - dx, at[1] - dy);
        context.lineTo(at[0] + dx, at[1] + dy);
        context.stroke();
      }
    }
  }

  #drawTrail(track, colour) {
    this.#drawLine(track.path.slice(0, track.step + 1), colour, Math.max(1.5, 0.12 * this.scale), 0.55);
  }

  #drawLine(places, colour, width, alpha) {
    const { context } = this;
    Object.assign(context, { strokeStyle: colour, lineWidth: width, globalAlpha: alpha, lineJoin: "round", lineCap: "round" });
    context.beginPath();
    places.forEach((place) => context.lineTo(...this.#pixel(place)));
    context.stroke();
    context.globalAlpha = 1;
  }

  /** Draws the body along the way that it came, thick in the middle, with eyes at its head. */
  #drawWorm(track, colour, alpha) {
    const { x, y, heading } = track.world.facts;
    const body = this.#findBody(track.path.slice(0, track.step + 1), [x, y], heading);
    const thick = 0.2 * clamp(this.scale, 14, 26);
    this.context.globalAlpha = alpha;
    for (const [grown, paint] of [[1.3, this.colours.edge], [0, colour]]) {
      body.forEach((place, n) => {
        const share = n / (body.length - 1);
        const width = thick * Math.min(1, 0.3 + 1.6 * (1 - share)) * Math.min(1, 0.8 + 2 * share);
        const swing = 0.35 * thick * Math.sin(4 * Math.PI * share + 1.1 * track.step) * share ** 0.5;
        const [px, py] = this.#pixel(place);
        this.#disc([px - Math.sin(heading) * swing, py - Math.cos(heading) * swing], width + grown, paint);
      });
    }
    const [hx, hy] = this.#pixel([x, y]);
    for (const side of [-0.45, 0.45]) {
      this.#disc([hx - Math.sin(heading) * side * thick, hy - Math.cos(heading) * side * thick], Math.max(0.7, 0.18 * thick), this.colours.edge);
    }
    this.context.globalAlpha = 1;
  }

  /** Places from head to tail, close together. */
  #findBody(path, head, heading) {
    const length = this.scale >= 12 ? BODY : 2 * BODY;
    const way = [...path].reverse();
    const body = [head];
    let [left, last] = [length, head];
    for (const place of way) {
      const gap = Math.hypot(place[0] - last[0], place[1] - last[1]);
      if (!gap) continue;
      const reach = Math.min(left, gap);
      for (let at = 0.12; at <= reach; at += 0.12) body.push(between(last, place, at / gap));
      left -= reach;
      last = place;
      if (left <= 0) return body;
    }
    const tail = [last[0] - Math.cos(heading) * left, last[1] - Math.sin(heading) * left];
    for (let at = 0.12; at <= left; at += 0.12) body.push(between(last, tail, at / left));
    return body;
  }

  /** Draws satiety, health and the food eaten below the dish. */
  #drawStrip({ satiety, health, foods }) {
    const { context, side, colours, terms } = this;
    const bars = [[satiety / terms.satiety, colours.satiety]];
    if (terms.health) bars.push([health / terms.health, colours.health]);
    bars.forEach(([share, colour], row) => {
      for (const [part, paint] of [[1, colours.empty], [share, colour]]) {
        context.fillStyle = paint;
        context.fillRect(0, side + 8 + 11 * row, Math.max(0, 0.45 * side * part), 6);
      }
    });
    const step = Math.min(18, (0.5 * side) / terms.target);
    for (let n = 0; n < terms.target; n++) {
      this.#disc([side - step * (terms.target - n - 0.5), side + 16], 0.36 * step, n < foods ? colours.food : colours.empty);
    }
  }
}

const clamp = (value, least, most) => Math.min(Math.max(value, least), most);
const between = ([ax, ay], [bx, by], share) => [ax + (bx - ax) * share, ay + (by - ay) * share];

/** Values scaled so that the least is 0 and the most is 1. */
function spread(values) {
  const [least, most] = [Math.min(...values), Math.max(...values)];
  return values.map((value) => (value - least) / (most - least || 1));
}

function* pairs(numbers) {
  for (let n = 0; n < numbers.length; n += 2) yield [numbers[n], numbers[n + 1]];
}
