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
const PAGE = 100, ANY = "";

function made(tag, attributes = {}, ...inside) {
  const one = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) one.setAttribute(name, value);
  one.append(...inside.map(String));
  return one;
}
function option(value, text) {
  return made("option", { value }, text);
}
/* A system's name behind its colour, as in the figures. */
function named(system) {
  const name = made("span", { class: "system" }), dot = made("span", { class: "dot", "aria-hidden": "true" });
  dot.style.background = system.colour;
  name.append(dot, system.label);
  return name;
}

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
    for (const name of ["system", "beside"]) this.part(name).addEventListener("change", () => this.choose());
    for (const one of [...this.filters, this.part("search"), this.part("differ")])
      one.addEventListener("input", () => this.filter());
    this.part("back").addEventListener("click", () => this.turn(-1));
    this.part("next").addEventListener("click", () => this.turn(1));
    this.list.addEventListener("click", (event) => {
      const row = event.target.closest("[data-at]");
      if (row) this.show(Number(row.dataset.at));
    });
    this.list.addEventListener("keydown", (event) => this.key(event));
    this.open();
  }
  open() {
    this.task = this.tasks[Number(this.part("task").value)];
    const options = this.task.systems.map((system, k) => option(k, system.label));
    this.part("system").replaceChildren(...options);
    this.part("beside").replaceChildren(option(ANY, "none"), ...options.map((one) => one.cloneNode(true)));
    this.part("beside").closest("label").hidden = options.length < 2;
    for (const select of this.filters) select.replaceChildren();
    this.choose();
  }
  /* A reply of the chosen system, and the one beside it to the same row. */
  choose() {
    const own = this.task.replies[Number(this.part("system").value)], beside = this.part("beside").value;
    const others = new Map(beside === ANY ? [] : this.task.replies[Number(beside)].map((one) => [one.row, one]));
    this.systems = [this.part("system").value, ...(beside === ANY ? [] : [beside])].map((k) => this.task.systems[Number(k)]);
    this.pairs = own.map((one) => [one, ...(beside === ANY ? [] : [others.get(one.row)])]);
    this.part("differ-label").hidden = beside === ANY;
    for (const select of this.filters) this.offer(select);
    this.filter();
  }
  value(pair, name) {
    return name === "outcome" ? pair[0].outcome : this.task.rows[pair[0].row].facts[name] ?? "";
  }
  /* Only values that some reply has, with how many have it; a filter with fewer than two is hidden. */
  offer(select) {
    const counts = new Map(), before = select.value;
    for (const pair of this.pairs) {
      const value = this.value(pair, select.dataset.filter);
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
    const differ = this.part("differ").checked && this.systems.length > 1;
    const wanted = this.filters.filter((one) => one.value !== ANY).map((one) => [one.dataset.filter, one.value]);
    this.hits = this.pairs.filter((pair) => wanted.every(([name, value]) => this.value(pair, name) === value)
      && (!differ || (pair[1] && pair[0].outcome !== pair[1].outcome))
      && (!words || this.text(pair).includes(words)));
    this.part("count").textContent =
      `${this.hits.length.toLocaleString("en")} of ${this.pairs.length.toLocaleString("en")} replies`;
    this.show(0);
  }
  text(pair) {
    const row = this.task.rows[pair[0].row];
    return [row.id, row.question, row.answers, ...pair.map((one) => one?.reply ?? "")].join("\n").toLowerCase();
  }
  turn(pages) {
    this.show(Math.min(Math.max(0, (Math.floor(this.at / PAGE) + pages) * PAGE), Math.max(0, this.hits.length - 1)));
  }
  key(event) {
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10, Home: -Infinity, End: Infinity }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    this.show(Math.min(Math.max(this.at + step, 0), Math.max(0, this.hits.length - 1)));
  }
  show(at) {
    this.at = at;
    const from = Math.floor(at / PAGE) * PAGE, hits = this.hits.slice(from, from + PAGE);
    this.list.replaceChildren(...hits.map((pair, k) => this.line(pair, from + k)));
    const chosen = this.list.querySelector("[aria-selected=true]");
    if (chosen) this.list.setAttribute("aria-activedescendant", chosen.id);
    else this.list.removeAttribute("aria-activedescendant");
    if (chosen) this.list.scrollTop += chosen.offsetTop < this.list.scrollTop
      || chosen.offsetTop + chosen.offsetHeight > this.list.scrollTop + this.list.clientHeight
      ? chosen.offsetTop - this.list.scrollTop - this.list.clientHeight / 3 : 0;
    this.part("page").textContent = hits.length ? `${from + 1} to ${from + hits.length}` : "none";
    this.part("back").disabled = from === 0;
    this.part("next").disabled = from + PAGE >= this.hits.length;
    this.part("detail").replaceChildren(...(hits.length ? this.detail(this.hits[at]) : []));
  }
  line(pair, at) {
    const row = this.task.rows[pair[0].row];
    const one = made("div", { role: "option", id: `reply-${at}`, "data-at": at, "aria-selected": at === this.at,
      "aria-setsize": this.hits.length, "aria-posinset": at + 1 });
    const outcomes = made("span", { class: "outcome" }, pair.map((reply) => reply?.outcome ?? "not there").join(" | "));
    one.append(made("span", { class: "question" }, row.question || row.id), outcomes, made("span", { class: "id" }, row.id));
    return one;
  }
  detail(pair) {
    const row = this.task.rows[pair[0].row];
    const facts = Object.values(row.facts).filter((value) => value).join(" · ");
    const cards = made("div", { class: "cards" });
    pair.forEach((reply, k) => cards.append(this.card(reply, this.systems[k])));
    const found = [made("h3", {}, row.id), made("p", { class: "note" }, facts), made("p", { class: "question" }, row.question)];
    if (row.expected) found.push(made("p", {}, `Expected: ${row.expected}`));
    if (row.answers) found.push(made("p", {}, `Answers: ${row.answers}`));
    return [...found, cards, ...this.passages("Passage", row.passages)];
  }
  card(reply, system) {
    const card = made("div", { class: "card" }), head = made("h4");
    head.append(named(system));
    card.append(head);
    if (!reply) {
      card.append(made("p", {}, "This system was not given the row."));
      return card;
    }
    const given = [reply.outcome, reply.given && `given: ${reply.given}`, reply.by && `by ${reply.by}`, reply.reason];
    card.append(made("p", { class: "note" }, given.filter((one) => one).join(" · ")), made("blockquote", {}, reply.reply || "(empty)"));
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
