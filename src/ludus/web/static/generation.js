/** Level generation: a test level, two levels made for the visitor, votes, and who made them. */

import { encodeActions } from "./engine/index.js";
import { make, mountOn } from "./parts.js";
import { mountRound } from "./play.js";
import { ask, beginVisit, buildQuestion, complain, showProgress } from "./voting.js";

const WIN = 1;
const NAMES = { A: "Level A", B: "Level B", both: "Both", neither: "Neither" };

async function mountGeneration(element) {
  const { api } = element.dataset;
  let step = await beginVisit(element, api);
  while (step.kind !== "done") {
    step = await (step.kind === "vote" ? vote(element, step, api) : play(element, step, api));
  }
  showResult(element, await ask(`${api}/result`));
}

function describe(step) {
  const name = step.kind === "test" ? "The test level" : step.kind === "vote" ? "Your vote" : NAMES[step.label];
  return showProgress(`${name}: step ${step.step + 1} of ${step.steps}`, step.step, step.steps);
}

/** Lets somebody play all lives of a level, and resolves with what comes then. */
async function play(element, step, api) {
  const stage = make("div.stage");
  const note = make("p", { role: "status" });
  const actions = make("div.send");
  element.replaceChildren(describe(step), stage, note, actions);
  const lives = [];
  return new Promise((resolve) => {
    const send = async (digest) => {
      note.textContent = step.kind === "test" ? "Two levels are being made for you …" : "Sending …";
      actions.replaceChildren();
      try {
        resolve(await ask(`${api}/plays`, { ticket: step.ticket, lives: lives.map(encodeActions), digest }));
      } catch (error) {
        complain(element, error);
        actions.replaceChildren(make("button.button", { type: "button", onclick: () => send(digest) }, "Send again"));
      }
    };
    const onEnd = ({ actions: pressed, world }) => {
      lives.push([...pressed]);
      const { digest, status } = world;
      const left = step.lives - lives.length;
      const go = make("button.button", { type: "button", onclick: () => send(digest) }, "Go on");
      if (status === WIN || !left) {
        note.textContent = status === WIN ? "You made it." : "That was your last life.";
        actions.replaceChildren(go);
        return;
      }
      note.textContent = `${left} ${left === 1 ? "life" : "lives"} left.`;
      const again = make("button.button", { type: "button", onclick: () => { actions.replaceChildren(); game.restart(); } }, "Next life");
      actions.replaceChildren(again, ...(step.kind === "test" ? [] : [make("button", { type: "button", onclick: () => send(digest) }, "Enough of this level")]));
    };
    let game;
    mountRound(stage, step.round, { onEnd }).then((mounted) => { game = mounted; }, (error) => complain(element, error));
  });
}

/** Asks which level was more fun, and resolves with what comes then. */
function vote(element, step, api) {
  const send = make("button.button", { type: "submit" }, "Vote");
  const form = make("form", {}, buildQuestion("answer", "Which level was more fun?", NAMES), make("div.send", {}, send));
  element.replaceChildren(describe(step), form);
  return new Promise((resolve) => {
    form.onsubmit = async (event) => {
      event.preventDefault();
      send.disabled = true;
      try {
        resolve(await ask(`${api}/votes`, { ticket: step.ticket, answer: new FormData(form).get("answer") }));
      } catch (error) {
        complain(form, error);
        send.disabled = false;
      }
    };
  });
}

function showResult(element, result) {
  const traits = result.profile.flatMap(({ name, share, value }) => [
    make("span", {}, name), make("progress", { value: share, max: 1, "aria-label": `${name}: ${value}` }), make("span.quiet", {}, value),
  ]);
  const [first, second] = result.generators;
  element.replaceChildren(
    make("p.score", { role: "status" }, `Level A was made by ${first}, level B by ${second}.`),
    make("p", {}, `You preferred: ${result.votes.join(", then ")}. The second time, ${second} came first.`),
    make("h2", {}, "What they saw of you"),
    make("div.traits", {}, ...traits),
  );
}

mountOn("generation", mountGeneration);
