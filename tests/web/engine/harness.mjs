/** Answers the questions of a pipe: one JSON object a line, in and out. */

import { readFile } from "node:fs/promises";
import { createInterface } from "node:readline";
import { makeAnswers } from "./answers.mjs";

const [folder] = process.argv.slice(2);
const art = JSON.parse(await readFile(`${folder}/art.json`, "utf8"));
const answers = await makeAnswers(folder, await readFile(`${folder}/ludus.wasm`), art);

for await (const line of createInterface({ input: process.stdin })) {
  const { question, ...values } = JSON.parse(line);
  process.stdout.write(`${JSON.stringify(await answers[question](values))}\n`);
}
