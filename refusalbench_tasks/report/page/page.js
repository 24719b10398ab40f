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
document.addEventListener("click", (event) => {
  const head = event.target.closest("table.sortable thead th");
  if (!head || !event.target.closest("button")) return;
  const heads = Array.from(head.parentNode.cells);
  const ascending = head.getAttribute("aria-sort") !== "ascending";
  heads.forEach((other) => other.setAttribute("aria-sort", "none"));
  head.setAttribute("aria-sort", ascending ? "ascending" : "descending");
  sortBy(head.closest("table"), heads.indexOf(head), ascending);
});

/* Figures: values of marks, and names that are hidden and shown. A figure is made ready when it comes near. */
class Figures {
  constructor() {
    this.tip = document.querySelector("[data-part=tip]");
    this.said = document.querySelector("[data-part=said]");
    this.boxes = [...document.querySelectorAll("[data-shown]")];
    this.away = new Set();
    this.names = new Set(this.boxes.map((box) => box.dataset.shown));
    if (this.boxes.length) document.querySelector("[data-part=models]").hidden = false;
    this.boxes.forEach((box) => box.addEventListener("change", () => this.show(box.dataset.shown, box.checked)));
    const watch = new IntersectionObserver((seen) => {
      for (const one of seen) if (one.isIntersecting) { watch.unobserve(one.target); this.ready(one.target); }
    }, { rootMargin: "300px" });
    document.querySelectorAll(".picture").forEach((one) => watch.observe(one));
    addEventListener("scroll", () => { this.tip.hidden = true; }, { passive: true });
    addEventListener("keydown", (event) => { if (event.key === "Escape") this.tip.hidden = true; });
  }
  ready(picture) {
    const svg = picture.querySelector("svg");
    svg.setAttribute("role", "group");
    svg.setAttribute("tabindex", "0");
    svg.setAttribute("aria-description", "Arrow keys go through the values.");
    for (const title of svg.querySelectorAll("title")) { title.parentNode.dataset.tip = title.textContent; title.remove(); }
    for (const key of svg.querySelectorAll("g.key[data-name]")) {
      key.setAttribute("role", "button");
      key.setAttribute("tabindex", "0");
      key.setAttribute("aria-pressed", "true");
      key.setAttribute("aria-label", `show ${key.dataset.name}`);
    }
    for (const name of this.away) this.mark(svg, name, false);
    this.larger(picture);
    svg.addEventListener("pointermove", (event) => this.point(event));
    svg.addEventListener("pointerleave", () => { this.tip.hidden = true; });
    svg.addEventListener("click", (event) => { this.point(event); this.press(event.target.closest("g.key")); });
    svg.addEventListener("keydown", (event) => this.key(event, svg));
    svg.addEventListener("blur", () => { this.tip.hidden = true; this.at(svg, null); });
  }
  /* Twice the size, with a scroll bar: small marks and names that are close to each other come apart. */
  larger(picture) {
    const figure = picture.closest("figure"), title = figure.querySelector("h3").textContent;
    const button = made("button", { type: "button", class: "larger", "aria-pressed": "false", "aria-label": `Larger: ${title}` }, "Larger");
    button.addEventListener("click", () => {
      this.tip.hidden = true;
      button.setAttribute("aria-pressed", String(picture.classList.toggle("large")));
    });
    figure.querySelector("figcaption").append(" ", button);
  }
  point(event) {
    const mark = event.target.closest("[data-tip]");
    this.tip.hidden = !mark;
    if (mark) this.tell(mark, event.clientX, event.clientY);
  }
  tell(mark, x, y) {
    this.tip.textContent = mark.dataset.tip;
    this.tip.hidden = false;
    const { width, height } = this.tip.getBoundingClientRect(), room = document.documentElement.clientWidth;
    this.tip.style.left = `${Math.max(4, Math.min(x + 12, room - width - 6))}px`;
    this.tip.style.top = `${y - height - 10 > 0 ? y - height - 10 : y + 16}px`;
  }
  at(svg, mark) {
    svg.querySelectorAll(".at").forEach((one) => one.classList.remove("at"));
    if (mark) mark.classList.add("at");
  }
  key(event, svg) {
    const pressed = event.target.closest("g.key");
    if (pressed && (event.key === "Enter" || event.key === " ")) { event.preventDefault(); this.press(pressed); return; }
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (!step || pressed) return;
    event.preventDefault();
    const marks = [...svg.querySelectorAll("[data-tip]")].filter((one) => !one.closest("[hidden]"));
    const now = marks.findIndex((one) => one.classList.contains("at"));
    const next = marks[(now + step + marks.length) % marks.length] ?? marks[0];
    if (!next) return;
    this.at(svg, next);
    const place = next.getBoundingClientRect();
    this.tell(next, place.right, place.top);
    this.said.textContent = next.dataset.tip;
  }
  press(key) {
    if (!key) return;
    const name = key.dataset.name, on = key.getAttribute("aria-pressed") !== "true";
    if (this.names.has(name)) {
      this.boxes.filter((box) => box.dataset.shown === name).forEach((box) => { box.checked = on; });
      this.show(name, on);
    } else this.mark(key.ownerSVGElement, name, on);
  }
  /* A model is hidden everywhere: in figures that are ready at once, in others when they come near. */
  show(name, on) {
    if (on) this.away.delete(name); else this.away.add(name);
    document.querySelectorAll(".picture svg[role=group]").forEach((svg) => this.mark(svg, name, on));
    for (const row of document.querySelectorAll("main table.sortable tbody tr, main table.findings tbody tr[data-model]")) {
      const cells = [row.cells[0], row.cells[1]].filter((cell) => cell).map((cell) => cell.textContent.trim());
      if (cells.some((text) => this.names.has(text))) row.classList.toggle("away", cells.some((text) => this.away.has(text)));
    }
  }
  mark(svg, name, on) {
    for (const one of svg.querySelectorAll(`g[data-name="${CSS.escape(name)}"]`)) {
      if (one.classList.contains("key")) one.setAttribute("aria-pressed", String(on));
      else if (on) one.removeAttribute("hidden");
      else one.setAttribute("hidden", "");
    }
  }
}
const figures = new Figures();

/* The browser of replies. All texts are outside text: they are set as text, never as HTML. */
const ROW = 46, AHEAD = 8, ANY = "";

async function piece(base64) {
  const text = atob(base64), bytes = new Uint8Array(text.length);
  for (let k = 0; k < text.length; k++) bytes[k] = text.charCodeAt(k);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return JSON.parse(await new Response(stream).text());
}
/* Piece by piece, with a pause after each, so that the page scrolls meanwhile. */
async function unpacked(lines) {
  const whole = { rows: [], texts: [], replies: [] };
  for (const line of lines.trim().split("\n")) {
    for (const [name, value] of Object.entries(await piece(line)))
      if (Array.isArray(whole[name])) whole[name].push(...value); else whole[name] = value;
    await new Promise((resume) => setTimeout(resume));
  }
  return whole;
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
/* The replies of a section, unpacked once. */
const unpackedOf = {};
function repliesOf(key) {
  const store = document.querySelector(`template[data-replies="${CSS.escape(key)}"]`);
  return unpackedOf[key] ??= unpacked(store.content.textContent);
}
function fieldsOf(data) {
  return Object.keys(data.names).filter((name) => name !== "verdict" && name !== "expected");
}
function offerFilters(place, data) {
  for (const select of place.querySelectorAll("select[data-filter]")) {
    const known = data.names[select.dataset.filter] ?? [];
    const options = known.map((name, place) => [name, place]).filter(([name]) => name).sort((x, y) => x[0].localeCompare(y[0]));
    select.replaceChildren(made("option", { value: ANY }, "any"), ...options.map(([name, place]) => made("option", { value: place }, name)));
    select.closest("label").hidden = options.length < 2;
  }
}
function wantedOf(place) {
  return [...place.querySelectorAll("select[data-filter]")].filter((one) => one.value !== ANY)
    .map((one) => [one.dataset.filter, Number(one.value)]);
}
/* Rates of the rows that fit filters: by name the verdicts that count, and those that are in the n beside them. */
const RATES = {
  "false refusals": [["false refusal"], ["good answer", "poor answer", "ungraded answer"]],
  "missed refusals": [["missed refusal"], ["correct code refusal", "wrong code refusal", "uncoded refusal"]],
  "right category": [["correct code refusal"], ["wrong code refusal"]],
  "answer quality": [["good answer"], ["poor answer"]],
};
const RATES_OF_HEDGING = { "refusals": [["refusal"], ["right answer", "wrong answer", "ungraded answer"]], "right answers": [["right answer"], ["wrong answer"]] };
function wilson(hits, n, z = 1.959964) {
  const p = hits / n, middle = (p + z * z / (2 * n)) / (1 + z * z / n);
  const half = z * Math.sqrt(p * (1 - p) / n + z * z / (4 * n * n)) / (1 + z * z / n);
  return [Math.max(0, middle - half), Math.min(1, middle + half)];
}
/* A share of rows in clusters; its interval is that of the linearised error by cluster, and Wilson's of clusters at 0 and 1. */
function shareOf(hits, n) {
  const clusters = [...n.keys()], total = clusters.reduce((sum, one) => sum + n.get(one), 0);
  if (!total) return null;
  const value = clusters.reduce((sum, one) => sum + (hits.get(one) ?? 0), 0) / total, many = clusters.length;
  if (many < 2) return { value, n: total };
  if (value === 0 || value === 1) { const [low, high] = wilson(value * many, many); return { value, n: total, low, high }; }
  const squares = clusters.reduce((sum, one) => sum + ((hits.get(one) ?? 0) - value * n.get(one)) ** 2, 0);
  const half = 1.959964 * Math.sqrt(squares * many / (many - 1)) / total;
  return { value, n: total, low: Math.max(0, value - half), high: Math.min(1, value + half) };
}
function barOf(share, ink) {
  const svg = (name, attributes) => {
    const one = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(attributes)) one.setAttribute(key, value);
    return one;
  };
  const bar = svg("svg", { class: "bar", viewBox: "0 0 84 14", width: 84, height: 14, "aria-hidden": "true" }), x = (at) => 3 + at * 78;
  bar.append(svg("path", { d: "M3 7H81M3 3v8M81 3v8", class: "track" }));
  if (share.low !== undefined)
    bar.append(svg("rect", { x: x(share.low), y: 4, width: Math.max(1, x(share.high) - x(share.low)), height: 6, rx: 3, opacity: 0.45, fill: ink }));
  bar.append(svg("rect", { x: x(share.value) - 1.5, y: 1, width: 3, height: 12, rx: 1, fill: ink }));
  return bar;
}
class Chosen {
  constructor(section) {
    this.section = section;
    this.part = (name) => section.querySelector(`[data-part="${name}"]`);
    section.hidden = false;
    document.querySelector("[data-part=chosen-link]").hidden = false;
    this.part("task").addEventListener("change", () => this.open());
    section.querySelectorAll("select[data-filter]").forEach((one) => one.addEventListener("input", () => this.count()));
    const watch = new IntersectionObserver((seen) => {
      if (seen.some((one) => one.isIntersecting)) { watch.disconnect(); this.open(); }
    }, { rootMargin: "200px" });
    watch.observe(section);
  }
  async open() {
    this.part("count").textContent = "reading …";
    this.data = await repliesOf(this.part("task").value);
    offerFilters(this.section, this.data);
    this.count();
  }
  count() {
    const { rows, models, names, replies } = this.data, fields = fieldsOf(this.data), wanted = wantedOf(this.section);
    const rates = names.expected.some((one) => one) ? RATES : RATES_OF_HEDGING;
    const fits = rows.map((row) => wanted.every(([name, value]) => row.f[fields.indexOf(name)] === value));
    const number = fits.filter((one) => one).length;
    this.part("count").textContent = `${number.toLocaleString("en")} of ${rows.length.toLocaleString("en")} rows`;
    const lines = models.map((model, k) => {
      const shares = Object.values(rates).map(([counted, others]) => {
        const sure = new Set(counted.map((name) => names.verdict.indexOf(name))), all = new Set([...sure, ...others.map((name) => names.verdict.indexOf(name))]);
        const hits = new Map(), n = new Map();
        replies[k].forEach((reply, at) => {
          if (!fits[at] || !reply || !all.has(reply[0])) return;
          const unit = rows[at].u;
          n.set(unit, (n.get(unit) ?? 0) + 1);
          if (sure.has(reply[0])) hits.set(unit, (hits.get(unit) ?? 0) + 1);
        });
        return shareOf(hits, n);
      });
      return this.line(model, Object.keys(rates), shares);
    });
    const head = made("thead", { role: "rowgroup" }), top = made("tr", { role: "row" }), body = made("tbody", { role: "rowgroup" });
    for (const name of ["model", ...Object.keys(rates)]) top.append(made("th", { role: "columnheader", scope: "col" }, name));
    head.append(top);
    body.append(...lines);
    this.part("rates").replaceChildren(head, body);
  }
  line(model, names, shares) {
    const row = made("tr", { role: "row", "data-model": model.model, class: figures.away.has(model.label) ? "away" : "" });
    const name = made("th", { role: "rowheader", scope: "row", title: model.model }), mark = markOf(model.look);
    const ink = mark.querySelector("path")?.getAttribute("fill") ?? "currentColor", percent = (share) => (100 * share).toFixed(0);
    name.append(mark, ` ${model.label}`);
    row.append(name);
    shares.forEach((share, k) => {
      const cell = made("td", { role: "cell", "data-name": names[k] });
      cell.append(made("b", {}, share ? `${percent(share.value)} %` : "–"));
      if (share) cell.append(barOf(share, ink));
      const interval = share?.low === undefined ? "no interval" : `${percent(share.low)} to ${percent(share.high)}`;
      cell.append(made("small", {}, share ? `${interval}, n=${share.n.toLocaleString("en")}` : "no such reply"));
      row.append(cell);
    });
    return row;
  }
}
class Replies {
  constructor(section) {
    this.section = section;
    this.part = (name) => section.querySelector(`[data-part="${name}"]`);
    this.list = this.part("list");
    this.at = 0;
    this.part("controls").hidden = false;
    this.part("unscripted").hidden = true;
    this.part("counts").open = innerWidth > 960;
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
    this.data = await repliesOf(key);
    offerFilters(this.section, this.data);
    for (const [which, first] of [["a", 0], ["b", -1]]) {
      const options = this.data.models.map((model, k) => made("option", { value: k }, model.label));
      if (which === "b") options.unshift(made("option", { value: -1 }, "none"));
      this.part(which).replaceChildren(...options);
      this.part(which).value = first;
    }
    this.low = [];
    this.filter();
  }
  /* What the search reads of a row, made when it is first asked for. */
  words(k) {
    const row = this.data.rows[k];
    return this.low[k] ??= [row.id, row.q, row.g, ...this.data.replies.map((some) => (some[k] ? some[k][3] : ""))].join("\n").toLowerCase();
  }
  filter() {
    if (!this.data) return;
    const a = Number(this.part("a").value), b = Number(this.part("b").value);
    this.shown = b < 0 ? [a] : [a, b];
    const text = this.part("text").value.trim().toLowerCase(), differ = this.part("differ").checked && b >= 0;
    const fields = fieldsOf(this.data), wanted = wantedOf(this.section);
    const counts = this.data.models.map(() => new Map());
    this.hits = [];
    this.data.rows.forEach((row, k) => {
      const replies = this.shown.map((model) => this.data.replies[model][k]);
      const among = wanted.every(([name, value]) => name === "verdict" || row.f[fields.indexOf(name)] === value)
        && (!text || this.words(k).includes(text));
      if (among) this.data.replies.forEach((some, model) => {
        if (some[k]) counts[model].set(some[k][0], (counts[model].get(some[k][0]) ?? 0) + 1);
      });
      const fits = among && wanted.every(([name, value]) => name !== "verdict" || replies.some((one) => one && one[0] === value));
      if (fits && replies.some((one) => one)
        && (!differ || (replies[0] && replies[1] && replies[0][0] !== replies[1][0]))) this.hits.push(k);
    });
    this.part("count").textContent = `${this.hits.length.toLocaleString("en")} of ${this.data.rows.length.toLocaleString("en")} rows`;
    this.verdicts(counts);
    this.list.scrollTop = 0;
    this.choose(0, false);
  }
  /* Shares of verdicts of every model over the rows that fit all filters but that of the verdict. */
  verdicts(counts) {
    const names = this.data.names.verdict, table = this.part("verdicts");
    const seen = names.map((name, place) => place).filter((place) => counts.some((one) => one.get(place)));
    const head = made("tr");
    for (const text of ["model", "replies", ...seen.map((place) => names[place])]) head.append(made("th", { scope: "col" }, text));
    const rows = counts.map((one, model) => {
      const n = [...one.values()].reduce((sum, value) => sum + value, 0), row = made("tr"), name = made("th", { scope: "row" });
      name.append(markOf(this.data.models[model].look), this.data.models[model].label);
      row.append(name, made("td", { class: "number" }, n.toLocaleString("en")));
      for (const place of seen) row.append(made("td", { class: "number" }, n ? `${(100 * (one.get(place) ?? 0) / n).toFixed(0)} %` : ""));
      return row;
    });
    const body = made("tbody"), top = made("thead");
    top.append(head);
    body.append(...rows);
    table.replaceChildren(top, body);
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
  link(log, [id, epoch]) {
    const place = ["logs", log, "samples", "sample", id, epoch].map(encodeURIComponent).join("/");
    return made("a", { href: `http://127.0.0.1:7575/#/${place}`, rel: "noreferrer", target: "_blank" }, "in inspect view");
  }
  detail() {
    const place = this.part("detail");
    place.replaceChildren();
    if (!this.hits.length) return;
    const k = this.hits[this.at], row = this.data.rows[k], texts = this.data.texts;
    const fields = fieldsOf(this.data);
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
        card.append(this.link(this.data.models[model].log, row.s));
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
if (replies && "DecompressionStream" in window) {
  new Replies(replies);
  new Chosen(document.querySelector("#chosen-rows"));
}
