/** Writes what to put on a page of one's own to show a replay there. */

const snippet = document.getElementById("snippet");
const address = new URL(snippet.dataset.embed, location.href).href;
const frame = document.createElement("iframe");
Object.assign(frame, { src: address, width: "100%", height: "620", title: document.title });
snippet.value = frame.outerHTML;
snippet.addEventListener("focus", () => snippet.select());
