// Hides the rows of a table whose names do not hold what is typed. On a board of several pages the
// form asks the server, which knows all rows.
const input = document.querySelector("input[data-filters]");
const table = input && document.getElementById(input.dataset.filters);
const found = document.getElementById("found");

if (table) {
  const rows = [...table.tBodies[0].rows];
  const names = rows.map((row) => row.querySelector("th").textContent.toLowerCase());
  input.addEventListener("input", () => {
    const wanted = input.value.trim().toLowerCase();
    let shown = 0;
    rows.forEach((row, place) => {
      row.hidden = !names[place].includes(wanted);
      shown += row.hidden ? 0 : 1;
    });
    found.textContent = wanted ? `${shown} of ${rows.length} on this page` : "";
  });
}
