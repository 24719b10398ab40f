"use strict";
function sortBy(table, column, ascending) {
  const key = (row) => row.cells[column].dataset.value ?? row.cells[column].textContent;
  const rows = Array.from(table.tBodies[0].rows);
  rows.sort((a, b) => {
    const x = key(a), y = key(b);
    const p = parseFloat(x), q = parseFloat(y);
    const numeric = table.tHead.rows[0].cells[column].dataset.kind === "number";
    if (numeric && (Number.isNaN(p) || Number.isNaN(q))) {
      return Number.isNaN(p) - Number.isNaN(q);
    }
    const order = numeric ? p - q : x.localeCompare(y, undefined, { numeric: true });
    return ascending ? order : -order;
  });
  table.tBodies[0].append(...rows);
}
for (const table of document.querySelectorAll("table.sortable")) {
  const heads = Array.from(table.tHead.rows[0].cells);
  heads.forEach((head, column) => {
    head.querySelector("button").addEventListener("click", () => {
      const ascending = head.getAttribute("aria-sort") !== "ascending";
      heads.forEach((other) => other.setAttribute("aria-sort", "none"));
      head.setAttribute("aria-sort", ascending ? "ascending" : "descending");
      sortBy(table, column, ascending);
    });
  });
}
