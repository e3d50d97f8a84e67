#!/usr/bin/env node
// Runs to the right and jumps in front of walls and creatures: an agent in JavaScript.
"use strict";

const HERE = 8; // Mario's column and row in every grid

let buttons = {};

function blocked(message) {
  for (const ahead of [1, 2]) {
    for (const row of [HERE - 1, HERE]) {
      if (message.scene[HERE + ahead][row] || message.enemies[HERE + ahead][row]) return true;
    }
  }
  return message.scene[HERE + 1].slice(HERE + 1).every((cell) => cell === 0); // a gap
}

function act(message) {
  const { on_ground, may_jump } = message.mario;
  const jump = !on_ground || (may_jump && blocked(message));
  return buttons.right | buttons.speed | (jump ? buttons.jump : 0);
}

function answer(message) {
  switch (message.type) {
    case "hello":
      return { type: "hello", protocol: 1, name: "javascript", wants: ["mario", "scene", "enemies"] };
    case "reset":
      buttons = message.scenario.buttons;
      return { type: "ready" };
    case "act":
      return { type: "action", buttons: act(message) };
    default:
      return process.exit(0);
  }
}

require("readline")
  .createInterface({ input: process.stdin })
  .on("line", (line) => process.stdout.write(JSON.stringify(answer(JSON.parse(line))) + "\n"));
