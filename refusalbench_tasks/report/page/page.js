"use strict";

/* Tables: a click on a head sorts by its column; what is undefined comes last. */
function sortBy(table, column, ascending) {
  const key = (row) => row.cells[column].dataset.value ?? row.cells[column].textContent;
  const rows = [...table.tBodies[0].rows];
  const numeric = table.tHead.rows[0].cells[column].dataset.kind === "number";
  rows.sort((a, b) => {
    const x = key(a), y = key(b), p = parseFloat(x), q = parseFloat(y);
    if (numeric && (Number.isNaN(p) || Number.isNaN(q))) return Number.isNaN(p) - Number.isNaN(q);
    const order = numeric ? p - q : x.localeCompare(y, undefined, { numeric: true });
    return ascending ? order : -order;
  });
  table.tBodies[0].append(...rows);
}
document.addEventListener("click", (event) => {
  const head = event.target.closest("table.sortable thead th");
  if (!head || !event.target.closest("button")) return;
  const heads = [...head.parentNode.cells], ascending = head.getAttribute("aria-sort") !== "ascending";
  heads.forEach((other) => other.setAttribute("aria-sort", "none"));
  head.setAttribute("aria-sort", ascending ? "ascending" : "descending");
  sortBy(head.closest("table"), heads.indexOf(head), ascending);
});

/* The browser of replies. All texts are outside text: they are set as text, never as HTML. */
const MOST = 500, ANY = "";

function made(tag, attributes = {}, ...inside) {
  const one = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) one.setAttribute(name, value);
  one.append(...inside.map(String));
  return one;
}
const option = (value, text) => made("option", { value }, text);

class Replies {
  constructor(section, data) {
    this.part = (name) => section.querySelector(`[data-part="${name}"]`);
    this.filters = [...section.querySelectorAll("select[data-filter]")];
    this.tasks = data.tasks;
    this.list = this.part("list");
    this.part("controls").hidden = false;
    this.part("unscripted").hidden = true;
    this.part("task").append(...this.tasks.map((task, k) => option(k, task.title)));
    this.part("task").closest("label").hidden = this.tasks.length < 2;
    this.part("task").addEventListener("change", () => this.open());
    this.part("system").addEventListener("change", () => this.choose());
    for (const one of [...this.filters, this.part("search")]) one.addEventListener("input", () => this.filter());
    this.list.addEventListener("click", (event) => {
      const row = event.target.closest("[data-at]");
      if (row) this.show(Number(row.dataset.at));
    });
    this.list.addEventListener("keydown", (event) => this.key(event));
    this.open();
  }
  open() {
    this.task = this.tasks[Number(this.part("task").value)];
    this.part("system").replaceChildren(...this.task.systems.map((system, k) => option(k, system.label)));
    for (const select of this.filters) select.replaceChildren();
    this.choose();
  }
  choose() {
    this.system = this.task.systems[Number(this.part("system").value)];
    this.own = this.task.replies[Number(this.part("system").value)];
    for (const select of this.filters) this.offer(select);
    this.filter();
  }
  value(reply, name) {
    return name === "outcome" ? reply.outcome : this.task.rows[reply.row].facts[name] ?? "";
  }
  /* Only values that some reply has, with how many have it; a filter with fewer than two is hidden. */
  offer(select) {
    const counts = new Map(), before = select.value;
    for (const reply of this.own) {
      const value = this.value(reply, select.dataset.filter);
      if (value) counts.set(value, (counts.get(value) ?? 0) + 1);
    }
    const options = [...counts].sort(([x], [y]) => x.localeCompare(y, undefined, { numeric: true }))
      .map(([value, n]) => option(value, `${value} (${n.toLocaleString("en")})`));
    select.replaceChildren(option(ANY, "any"), ...options);
    select.value = counts.has(before) ? before : ANY;
    select.closest("label").hidden = options.length < 2;
  }
  filter() {
    const words = this.part("search").value.trim().toLowerCase();
    const wanted = this.filters.filter((one) => one.value !== ANY).map((one) => [one.dataset.filter, one.value]);
    const found = this.own.filter((reply) => wanted.every(([name, value]) => this.value(reply, name) === value)
      && (!words || this.text(reply).includes(words)));
    this.hits = found.slice(0, MOST);
    const shown = found.length > MOST ? `, the first ${MOST} shown` : "";
    this.part("count").textContent =
      `${found.length.toLocaleString("en")} of ${this.own.length.toLocaleString("en")} replies${shown}`;
    this.list.replaceChildren(...this.hits.map((reply, k) => this.line(reply, k)));
    this.show(0);
  }
  text(reply) {
    const row = this.task.rows[reply.row];
    return [row.id, row.question, row.answers, reply.reply].join("\n").toLowerCase();
  }
  key(event) {
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10, Home: -Infinity, End: Infinity }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    this.show(Math.min(Math.max(this.at + step, 0), Math.max(0, this.hits.length - 1)));
    this.list.querySelector("[aria-selected=true]")?.scrollIntoView({ block: "nearest" });
  }
  show(at) {
    this.list.querySelector("[aria-selected=true]")?.setAttribute("aria-selected", "false");
    this.at = at;
    const chosen = this.list.querySelector(`[data-at="${at}"]`);
    this.list.setAttribute("aria-activedescendant", chosen?.id ?? "");
    chosen?.setAttribute("aria-selected", "true");
    this.part("detail").replaceChildren(...(chosen ? this.detail(this.hits[at]) : []));
  }
  line(reply, at) {
    const row = this.task.rows[reply.row];
    const one = made("div", { role: "option", id: `reply-${at}`, "data-at": at, "aria-selected": false,
      "aria-setsize": this.hits.length, "aria-posinset": at + 1 });
    const outcome = made("span", { class: "outcome" }, reply.outcome);
    one.append(made("span", { class: "question" }, row.question || row.id), outcome, made("span", { class: "id" }, row.id));
    return one;
  }
  detail(reply) {
    const row = this.task.rows[reply.row], facts = Object.values(row.facts).filter((value) => value).join(" · ");
    const found = [made("h3", {}, row.id), made("p", { class: "note" }, facts), made("p", { class: "question" }, row.question)];
    if (row.expected) found.push(made("p", {}, `Expected: ${row.expected}`));
    if (row.answers) found.push(made("p", {}, `Answers: ${row.answers}`));
    return [...found, this.card(reply), ...this.passages("Passage", row.passages)];
  }
  card(reply) {
    const card = made("div", { class: "card" }), head = made("h4"), dot = made("span", { class: "dot", "aria-hidden": "true" });
    dot.style.background = this.system.colour;
    head.append(dot, this.system.label);
    const given = [reply.outcome, reply.given && `given: ${reply.given}`, reply.by && `by ${reply.by}`, reply.reason];
    card.append(head, made("p", { class: "note" }, given.filter((one) => one).join(" · ")), made("blockquote", {}, reply.reply || "(empty)"));
    if (reply.why) card.append(made("p", { class: "why" }, `Explanation: ${reply.why}`));
    if (reply.retrieved) card.append(made("p", {}, `Retrieved: ${reply.retrieved.length}`), ...this.passages("Retrieved", reply.retrieved));
    return card;
  }
  passages(name, places) {
    return places.map((place, n) => {
      const box = made("details");
      box.open = places.length < 3;
      box.append(made("summary", {}, `${name} ${n + 1}`), made("div", { class: "passage" }, this.task.texts[place]));
      return box;
    });
  }
}
const section = document.querySelector("#replies-browser");
if (section) new Replies(section, JSON.parse(document.querySelector("#replies-data").textContent));
