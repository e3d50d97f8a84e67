/** What visits share, to vote or to play a seat: asking the server, consent, answers as big buttons. */

import { make } from "./parts.js";

/** Asks the server; what it refuses is thrown as its one line. */
export async function ask(address, body) {
  const options = body && {
    method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body),
  };
  const answer = await fetch(address, options);
  const values = await answer.json();
  if (!answer.ok) throw new Error(values.detail ?? answer.status);
  return values;
}

/** Returns the step of a visit that has begun, or waits for consent and begins one.
 * @param {(form: HTMLFormElement) => object} read Returns what the form says besides.
 */
export async function beginVisit(element, api, read = () => ({})) {
  const form = element.querySelector("form.consent");
  if (!form) return ask(`${api}/step`);
  form.querySelector("button").disabled = false;
  return new Promise((resolve) => {
    form.onsubmit = async (event) => {
      event.preventDefault();
      try {
        const step = await ask(`${api}/visit`, { consent: true, ...read(form) });
        form.remove();
        resolve(step);
      } catch (error) {
        complain(form, error);
      }
    };
  });
}

/** Says below an element what went wrong. */
export function complain(element, error) {
  element.querySelector(".warning")?.remove();
  element.append(make("p.warning", { role: "alert" }, error.message));
}

/** How far a visit is. */
export function showProgress(text, value, max) {
  return make("p.progress", {}, make("span", { role: "status" }, text), make("progress", { value, max, "aria-label": text }));
}

/** A question with one answer, as big buttons. @param {Record<string, string>} answers Words by value. */
export function buildQuestion(name, text, answers) {
  const choices = Object.entries(answers).map(([value, words]) =>
    make("label.choice", {}, make("input", { type: "radio", name, value, required: true }), words),
  );
  return make("fieldset", {}, make("legend", {}, text), make("div.choices", {}, ...choices));
}
