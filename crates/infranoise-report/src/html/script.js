"use strict";
// Filters and sorts the list of trials. Without it the page shows the rows that are written into it.
(() => {
  const section = document.getElementById("trials");
  const block = document.getElementById("trial-data");
  const table = section && section.querySelector("table");
  if (!block || !table) return;
  const data = JSON.parse(block.textContent);
  const word = (i) => data.words[i];
  const trials = data.rows.map((r) => {
    const trial = {
      task: word(r[0]), arm: word(r[1]), repeat: r[2], outcome: r[3], cause: word(r[4]), rule: word(r[5]),
      wall: r[6], peak: r[7], evidence: r[8].map(word), survived: r[9].map(word), pair: r[10], tries: r[11],
    };
    trial.name = r.length > 12 ? word(r[12]) : `${trial.task.replaceAll("/", "~")}__${trial.arm}__${trial.repeat}`;
    trial.text = [trial.name, trial.cause, trial.rule, ...trial.evidence, ...trial.survived].join("\n").toLowerCase();
    return trial;
  });
  const arms = data.arms;
  const PAGE = 200;
  const state = { text: "", arm: "", outcomes: new Set(data.outcomes.keys()), by: null, down: false, shown: PAGE };

  const element = (tag, parent, text, set) => {
    const made = document.createElement(tag);
    if (text !== undefined) made.textContent = text;
    Object.assign(made, set);
    if (parent) parent.append(made);
    return made;
  };
  const bytes = (n) => {
    if (n === null) return "";
    const units = ["B", "KiB", "MiB", "GiB", "TiB"];
    let i = 0;
    while (n >= 1024 && i < 4) { n /= 1024; i += 1; }
    return `${Number.isInteger(n) ? n : n.toFixed(1)} ${units[i]}`;
  };
  const outcome = (parent, i) => {
    const span = element("span", parent, undefined, { className: `o ${data.outcomes[i].class}` });
    element("i", span, data.outcomes[i].sign);
    span.append(` ${data.outcomes[i].name}`);
  };

  const row = (trial) => {
    const tr = element("tr", null, undefined, { id: `trial-${trial.name}` });
    const head = element("th", tr, undefined, { scope: "row" });
    element("a", head, trial.task, { href: `#trial-${encodeURIComponent(trial.name)}` });
    element("td", tr, trial.arm);
    element("td", tr, trial.repeat, { className: "n" });
    outcome(element("td", tr), trial.outcome);
    const why = element("td", tr);
    const lines = [...trial.evidence, ...trial.survived.map((s) => `lived through: ${s}`)];
    if (trial.pair !== null) lines.push(`the same task and repeat in the loosest arm: ${data.outcomes[trial.pair].name}`);
    if (trial.tries > 1) lines.push(`${trial.tries} attempts; the first that began its agent phase counts`);
    const details = element("details", why);
    element("summary", details, trial.cause);
    const list = element("ul", details);
    element("li", list, `rule ${trial.rule}`);
    for (const line of lines) element("li", list, line);
    element("td", tr, `${(trial.wall / 1000).toFixed(1)} s`, { className: "n" });
    element("td", tr, bytes(trial.peak), { className: "n" });
    return tr;
  };

  const keys = [(t) => t.task, (t) => arms.indexOf(t.arm), (t) => t.repeat, (t) => t.outcome, (t) => t.cause, (t) => t.wall, (t) => t.peak ?? -1];
  const body = table.tBodies[0];
  const count = element("p", null, undefined, { className: "note" });
  count.setAttribute("role", "status");
  const more = element("button", null, "Show more", { type: "button", className: "more" });

  const draw = () => {
    const hit = trials.filter((t) => state.outcomes.has(t.outcome) && (!state.arm || t.arm === state.arm) && t.text.includes(state.text));
    if (state.by !== null) {
      const key = keys[state.by];
      hit.sort((a, b) => (key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : 0) * (state.down ? -1 : 1));
    }
    body.replaceChildren(...hit.slice(0, state.shown).map(row));
    const shown = Math.min(state.shown, hit.length);
    count.textContent = `${hit.length} of ${trials.length} trials match; ${shown} shown.`;
    more.hidden = shown === hit.length;
  };

  const controls = element("div", null, undefined, { className: "controls" });
  const label = element("label", controls, "Find ");
  const find = element("input", label, undefined, { type: "search", placeholder: "task, cause, evidence" });
  find.addEventListener("input", () => { state.text = find.value.toLowerCase(); state.shown = PAGE; draw(); });
  const armLabel = element("label", controls, "Arm ");
  const select = element("select", armLabel);
  element("option", select, "all", { value: "" });
  for (const arm of arms) element("option", select, arm, { value: arm });
  select.addEventListener("change", () => { state.arm = select.value; state.shown = PAGE; draw(); });
  const set = element("fieldset", controls);
  element("legend", set, "Outcomes");
  data.outcomes.forEach((_, i) => {
    if (!trials.some((t) => t.outcome === i)) return;
    const one = element("label", set);
    const box = element("input", one, undefined, { type: "checkbox", checked: true });
    outcome(one, i);
    box.addEventListener("change", () => { state.outcomes[box.checked ? "add" : "delete"](i); state.shown = PAGE; draw(); });
  });
  [...table.tHead.rows[0].cells].forEach((cell, i) => {
    const button = element("button", null, cell.textContent, { type: "button" });
    cell.replaceChildren(button);
    button.addEventListener("click", () => {
      state.down = state.by === i && !state.down;
      state.by = i;
      for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
      cell.setAttribute("aria-sort", state.down ? "descending" : "ascending");
      draw();
    });
  });
  more.addEventListener("click", () => { state.shown += PAGE; draw(); });
  const scroll = table.closest(".scroll");
  scroll.before(controls, count);
  scroll.after(more);
  const left = section.querySelector(".left-out");
  if (left) left.remove();

  const follow = () => {
    const wanted = decodeURIComponent(location.hash.slice(1));
    const trial = trials.find((t) => `trial-${t.name}` === wanted);
    if (!trial) return;
    find.value = trial.name;
    state.text = trial.name.toLowerCase();
    draw();
    const found = document.getElementById(wanted);
    if (found) { found.querySelector("details").open = true; found.scrollIntoView({ block: "center" }); }
  };
  addEventListener("hashchange", follow);
  draw();
  follow();
})();
