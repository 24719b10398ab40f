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

/* The browser of replies. All texts are outside text: they are set as text, never as HTML. */
const ROW = 46, AHEAD = 8, ANY = "";

async function unpacked(base64) {
  const bytes = Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return JSON.parse(await new Response(stream).text());
}
function made(tag, attributes = {}, text = "") {
  const one = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) one.setAttribute(name, value);
  one.textContent = text;
  return one;
}
function markOf(look) {
  const mark = document.querySelector(`#marks svg[data-look="${Number(look)}"]`);
  return mark ? mark.cloneNode(true) : made("span");
}
/* Words of `after` that are not in the longest common run of words with `before` are marked. */
function marked(after, before) {
  const place = made("span");
  const words = (text) => text.split(/(\s+)/);
  const a = words(before), b = words(after);
  if (!before || a.length * b.length > 4e6) {
    place.textContent = after;
    return place;
  }
  const width = b.length + 1, best = new Uint16Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--)
      best[i * width + j] = a[i] === b[j] ? best[(i + 1) * width + j + 1] + 1
        : Math.max(best[(i + 1) * width + j], best[i * width + j + 1]);
  let i = 0, j = 0;
  const put = (tag, text) => {
    const last = place.lastChild;
    if (last && last.nodeName.toLowerCase() === tag) last.textContent += text;
    else place.append(made(tag, {}, text));
  };
  while (j < b.length || i < a.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) { put("span", b[j]); i++; j++; }
    else if (j < b.length && (i >= a.length || best[i * width + j + 1] >= best[(i + 1) * width + j])) put("ins", b[j++]);
    else put("del", a[i++]);
  }
  return place;
}
class Replies {
  constructor(section) {
    this.section = section;
    this.part = (name) => section.querySelector(`[data-part="${name}"]`);
    this.list = this.part("list");
    this.cache = {};
    this.at = 0;
    this.part("controls").hidden = false;
    this.part("unscripted").hidden = true;
    this.part("task").addEventListener("change", () => this.open());
    section.querySelectorAll("select[data-filter], input[data-filter]").forEach((one) =>
      one.addEventListener("input", () => this.filter()));
    for (const which of ["a", "b"]) this.part(which).addEventListener("change", () => this.filter());
    this.list.addEventListener("scroll", () => requestAnimationFrame(() => this.draw()), { passive: true });
    this.list.addEventListener("keydown", (event) => this.key(event));
    this.list.addEventListener("click", (event) => {
      const row = event.target.closest("[data-at]");
      if (row) this.choose(Number(row.dataset.at));
    });
    const watch = new IntersectionObserver((seen) => {
      if (seen.some((one) => one.isIntersecting)) { watch.disconnect(); this.open(); }
    }, { rootMargin: "400px" });
    watch.observe(section);
  }
  async open() {
    const key = this.part("task").value;
    this.part("count").textContent = "reading …";
    const store = this.section.querySelector(`template[data-replies="${CSS.escape(key)}"]`);
    this.data = this.cache[key] ??= await unpacked(store.content.textContent.trim());
    const names = this.data.names;
    for (const select of this.section.querySelectorAll("select[data-filter]")) {
      const known = names[select.dataset.filter] ?? [];
      const options = known.map((name, place) => [name, place]).filter(([name]) => name).sort((x, y) => x[0].localeCompare(y[0]));
      select.replaceChildren(made("option", { value: ANY }, "any"), ...options.map(([name, place]) => made("option", { value: place }, name)));
      select.closest("label").hidden = options.length < 2;
    }
    for (const [which, first] of [["a", 0], ["b", -1]]) {
      const options = this.data.models.map((model, k) => made("option", { value: k }, model.label));
      if (which === "b") options.unshift(made("option", { value: -1 }, "none"));
      this.part(which).replaceChildren(...options);
      this.part(which).value = first;
    }
    this.low = this.data.rows.map((row, k) =>
      [row.id, row.q, row.g, ...this.data.replies.map((some) => (some[k] ? some[k][3] : ""))].join("\n").toLowerCase());
    this.filter();
  }
  filter() {
    if (!this.data) return;
    const a = Number(this.part("a").value), b = Number(this.part("b").value);
    this.shown = b < 0 ? [a] : [a, b];
    const text = this.part("text").value.trim().toLowerCase(), differ = this.part("differ").checked && b >= 0;
    const fields = Object.keys(this.data.names).filter((name) => name !== "verdict" && name !== "expected");
    const wanted = [...this.section.querySelectorAll("select[data-filter]")].filter((one) => one.value !== ANY)
      .map((one) => [one.dataset.filter, Number(one.value)]);
    this.hits = [];
    this.data.rows.forEach((row, k) => {
      const replies = this.shown.map((model) => this.data.replies[model][k]);
      const fits = wanted.every(([name, value]) =>
        name === "verdict" ? replies.some((one) => one && one[0] === value) : row.f[fields.indexOf(name)] === value);
      if (fits && (!text || this.low[k].includes(text)) && replies.some((one) => one)
        && (!differ || (replies[0] && replies[1] && replies[0][0] !== replies[1][0]))) this.hits.push(k);
    });
    this.part("count").textContent = `${this.hits.length.toLocaleString("en")} of ${this.data.rows.length.toLocaleString("en")} rows`;
    this.list.scrollTop = 0;
    this.choose(0, false);
  }
  draw() {
    const from = Math.max(0, Math.floor(this.list.scrollTop / ROW) - AHEAD);
    const to = Math.min(this.hits.length, from + Math.ceil(this.list.clientHeight / ROW) + 2 * AHEAD);
    const rows = [];
    for (let at = from; at < to; at++) {
      const k = this.hits[at], row = this.data.rows[k];
      const one = made("div", { role: "option", id: `reply-${at}`, "data-at": at, "aria-selected": at === this.at,
        "aria-setsize": this.hits.length, "aria-posinset": at + 1, style: "" });
      one.style.top = `${at * ROW}px`;
      one.append(made("span", { class: "q" }, row.q || row.id), made("span", { class: "id" }, row.id));
      for (const model of this.shown) {
        const reply = this.data.replies[model][k];
        const chip = made("span", { class: "chip" }, reply ? this.data.names.verdict[reply[0]] : "no reply");
        chip.prepend(markOf(this.data.models[model].look));
        one.append(chip);
      }
      rows.push(one);
    }
    const space = made("div", { role: "presentation", class: "space" });
    space.style.height = `${this.hits.length * ROW}px`;
    this.list.replaceChildren(space, ...rows);
    if (rows.length) this.list.setAttribute("aria-activedescendant", `reply-${this.at}`);
    else this.list.removeAttribute("aria-activedescendant");
  }
  key(event) {
    const page = Math.max(1, Math.floor(this.list.clientHeight / ROW) - 1);
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -Infinity, End: Infinity }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    this.choose(Math.min(Math.max(this.at + step, 0), this.hits.length - 1));
  }
  choose(at, scroll = true) {
    this.at = Math.max(0, at);
    if (scroll) {
      const top = this.at * ROW;
      if (top < this.list.scrollTop) this.list.scrollTop = top;
      if (top + ROW > this.list.scrollTop + this.list.clientHeight) this.list.scrollTop = top + ROW - this.list.clientHeight;
    }
    this.draw();
    this.detail();
  }
  detail() {
    const place = this.part("detail");
    place.replaceChildren();
    if (!this.hits.length) return;
    const k = this.hits[this.at], row = this.data.rows[k], texts = this.data.texts;
    const fields = Object.keys(this.data.names).filter((name) => name !== "verdict" && name !== "expected");
    const about = fields.map((name, n) => this.data.names[name][row.f[n]]).filter((value) => value).join(" · ");
    const question = made("p", { class: "question" });
    question.append(marked(row.q, row.oq ?? ""));
    place.append(made("h3", {}, row.id), made("p", { class: "note" }, about), question);
    if (row.oq !== undefined) place.append(made("p", { class: "note" }, "Marked: what differs from the unperturbed original."));
    const expected = this.data.names.expected[row.e];
    if (expected) place.append(made("p", {}, `Expected: ${expected}`));
    if (row.g) place.append(made("p", {}, `Gold: ${row.g}`));
    const side = made("div", { class: "side" });
    for (const model of this.shown) {
      const reply = this.data.replies[model][k], card = made("div", { class: "card" }), head = made("h4", {}, this.data.models[model].label);
      head.title = this.data.models[model].model;
      head.prepend(markOf(this.data.models[model].look));
      card.append(head);
      if (!reply) card.append(made("p", {}, "no reply"));
      else {
        const [verdict, label, by, text, words] = reply;
        card.append(made("p", { class: "note" }, [this.data.names.verdict[verdict], label, by && `by ${by}`].filter((one) => one).join(" · ")),
          made("blockquote", {}, text || "(empty)"));
        if (words) card.append(made("p", {}, `Why: ${words}`));
      }
      side.append(card);
    }
    place.append(side);
    row.p.forEach((passage, n) => {
      const box = made("details"), before = row.op ? texts[row.op[n]] ?? "" : "";
      box.open = row.p.length < 3;
      const changed = row.op && texts[passage] !== before;
      box.append(made("summary", {}, `Passage ${n + 1}${changed ? " (changed)" : ""}`), marked(texts[passage], changed ? before : ""));
      place.append(box);
    });
  }
}
const replies = document.querySelector("#replies-browser");
if (replies && "DecompressionStream" in window) new Replies(replies);
