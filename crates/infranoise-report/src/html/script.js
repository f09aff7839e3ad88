"use strict";
// Filters and sorts the list of trials, follows links to tasks and trials, shows tooltips, copies tables and hands out data and figures.
// Without it the page shows all figures, all tables and the rows that are written into it.
(() => {
  const $ = (selector, from = document) => from.querySelector(selector);
  const all = (selector, from = document) => [...from.querySelectorAll(selector)];
  const element = (tag, parent, text, set) => {
    const made = document.createElement(tag);
    if (text !== undefined) made.textContent = text;
    Object.assign(made, set);
    if (parent) parent.append(made);
    return made;
  };
  const button = (parent, text, act) => {
    const made = element("button", parent, text, { type: "button" });
    made.addEventListener("click", () => act(made));
    return made;
  };

  // Copies and downloads.
  const say = (made, text) => {
    const was = made.dataset.was ?? (made.dataset.was = made.textContent);
    made.textContent = text;
    setTimeout(() => { made.textContent = was; }, 1500);
  };
  const copy = (made, text) => {
    const old = () => {
      const area = element("textarea", document.body, undefined, { value: text });
      area.select();
      const done = document.execCommand("copy");
      area.remove();
      say(made, done ? "Copied" : "Could not copy");
    };
    if (!navigator.clipboard) return old();
    navigator.clipboard.writeText(text).then(() => say(made, "Copied"), old);
  };
  const save = (name, type, text) => {
    const link = element("a", document.body, undefined, { download: name, href: URL.createObjectURL(new Blob([text], { type })) });
    link.click();
    link.remove();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  };
  const rows = (table) => [...table.rows].map((row) => [...row.cells].map((cell) => cell.textContent.replace(/\s+/g, " ").trim()));
  const markdown = (table) => {
    const cell = (text) => text.replace(/[\\|*_`<>[\]]/g, "\\$&");
    const lines = rows(table).map((row) => `| ${row.map(cell).join(" | ")} |`);
    const kinds = [...table.tHead.rows[0].cells].map((cell) => (cell.classList.contains("n") ? "---:" : "---"));
    lines.splice(1, 0, `| ${kinds.join(" | ")} |`);
    return `${lines.join("\n")}\n`;
  };
  const csv = (lines) => lines.map((row) => row.map((cell) => (/[",\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(",")).join("\r\n");
  const picture = (svg) => {
    const root = getComputedStyle(document.documentElement);
    const css = $("#figure-css").textContent.replace(/var\((--[a-z-]+)\)/g, (_, name) => root.getPropertyValue(name).trim());
    const made = svg.cloneNode(true);
    const style = document.createElementNS(svg.namespaceURI, "style");
    style.textContent = `svg.figure{font-family:system-ui,sans-serif;background:${root.getPropertyValue("--paper").trim()}}${css}`;
    made.prepend(style);
    return new XMLSerializer().serializeToString(made);
  };
  const tools = (place, table, name, svg) => {
    const bar = element("div", null, undefined, { className: "tools" });
    button(bar, "Copy as Markdown", (made) => copy(made, markdown(table)));
    button(bar, "CSV", () => save(`${name}.csv`, "text/csv", csv(rows(table))));
    if (svg) button(bar, "SVG", () => save(`${name}.svg`, "image/svg+xml", picture(svg)));
    place.append(bar);
  };
  for (const figure of all("figure")) tools(figure, $("table", figure), figure.id, $("svg", figure));
  for (const table of all("#arms table, #comparisons table")) tools(table.closest(".scroll").parentNode.insertBefore(element("div"), table.closest(".scroll").nextSibling), table, "table");

  // One scoring rule at a time.
  const rates = all("#arms table").find((table) => rows(table)[0].some((head) => head.startsWith("valid-only")));
  if (rates) {
    const bar = element("fieldset", null, undefined, { className: "controls rule" });
    element("legend", bar, "Scoring rule");
    const heads = [...rates.tHead.rows[0].cells].map((cell) => cell.textContent);
    for (const [rule, name] of [["", "both"], ["strict", "strict"], ["valid-only", "valid-only"]]) {
      const label = element("label", bar);
      const radio = element("input", label, undefined, { type: "radio", name: "rule", value: rule, checked: rule === "" });
      label.append(name);
      radio.addEventListener("change", () => {
        document.body.dataset.rule = rule;
        for (const row of rates.rows) {
          [...row.cells].forEach((cell, i) => {
            const of = ["strict", "valid-only"].find((one) => heads[i].startsWith(one));
            cell.hidden = Boolean(rule && of && of !== rule);
          });
        }
      });
    }
    rates.closest(".scroll").before(bar);
  }

  // Tooltips: what a mark stands for, at once and at the pointer.
  const tip = element("div", document.body, undefined, { className: "tip", hidden: true });
  document.addEventListener("pointerover", (event) => {
    const group = event.target.closest?.("svg.figure g");
    const title = group && $("title", group);
    if (title) { group.dataset.tip = title.textContent; title.remove(); }
    tip.hidden = !group?.dataset.tip;
    if (!tip.hidden) tip.textContent = group.dataset.tip;
  });
  document.addEventListener("pointermove", (event) => {
    if (tip.hidden) return;
    const most = document.documentElement.clientWidth - tip.offsetWidth - 8;
    tip.style.left = `${Math.max(4, Math.min(event.clientX + 12, most))}px`;
    tip.style.top = `${event.clientY + 16}px`;
  });

  // The list of trials.
  const section = $("#trials");
  const block = $("#trial-data");
  const table = section && $("table", section);
  const unpacked = async () => {
    if (!block.dataset.packed) return block.textContent;
    const bytes = Uint8Array.from(atob(block.textContent), (c) => c.charCodeAt(0));
    return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream(block.dataset.packed))).text();
  };
  const start = (data) => {
    const word = (i) => data.words[i];
    const pages = new Set(data.pages);
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
    const state = { text: "", arm: "", task: "", outcomes: new Set(data.outcomes.keys()), by: null, down: false, shown: PAGE };
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
      if (pages.has(trial.name) && document.getElementById(`page-${trial.name}`)) {
        element("a", element("li", list), "its curve and logs", { href: `#page-${encodeURIComponent(trial.name)}` });
      }
      element("td", tr, `${(trial.wall / 1000).toFixed(1)} s`, { className: "n" });
      element("td", tr, bytes(trial.peak), { className: "n" });
      return tr;
    };
    const keys = [(t) => t.task, (t) => arms.indexOf(t.arm), (t) => t.repeat, (t) => t.outcome, (t) => t.cause, (t) => t.wall, (t) => t.peak ?? -1];
    const body = table.tBodies[0];
    const count = element("p", null, undefined, { className: "note" });
    count.setAttribute("role", "status");
    const more = element("button", null, "Show more", { type: "button", className: "more" });
    const hits = () => {
      const hit = trials.filter((t) => state.outcomes.has(t.outcome) && (!state.arm || t.arm === state.arm) && (!state.task || t.task === state.task) && t.text.includes(state.text));
      if (state.by === null) return hit;
      const key = keys[state.by];
      return hit.sort((a, b) => (key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : 0) * (state.down ? -1 : 1));
    };
    const draw = () => {
      const hit = hits();
      body.replaceChildren(...hit.slice(0, state.shown).map(row));
      const shown = Math.min(state.shown, hit.length);
      count.textContent = `${hit.length} of ${trials.length} trials match; ${shown} shown.`;
      more.hidden = shown === hit.length;
    };
    const anew = () => { state.shown = PAGE; draw(); };
    const controls = element("div", null, undefined, { className: "controls" });
    const find = element("input", element("label", controls, "Find "), undefined, { type: "search", placeholder: "task, cause, evidence" });
    find.addEventListener("input", () => { state.text = find.value.toLowerCase(); state.task = ""; anew(); });
    const select = element("select", element("label", controls, "Arm "));
    element("option", select, "all", { value: "" });
    for (const arm of arms) element("option", select, arm, { value: arm });
    select.addEventListener("change", () => { state.arm = select.value; anew(); });
    const set = element("fieldset", controls);
    element("legend", set, "Outcomes");
    data.outcomes.forEach((_, i) => {
      if (!trials.some((t) => t.outcome === i)) return;
      const one = element("label", set);
      const box = element("input", one, undefined, { type: "checkbox", checked: true });
      outcome(one, i);
      box.addEventListener("change", () => { state.outcomes[box.checked ? "add" : "delete"](i); anew(); });
    });
    button(controls, "Data as CSV", () => save("trials.csv", "text/csv", csv([
      ["trial", "task", "arm", "repeat", "outcome", "cause", "rule", "wall_ms", "memory_peak_bytes"],
      ...hits().map((t) => [t.name, t.task, t.arm, `${t.repeat}`, data.outcomes[t.outcome].name, t.cause, t.rule, `${t.wall}`, `${t.peak ?? ""}`]),
    ])));
    [...table.tHead.rows[0].cells].forEach((cell, i) => {
      const text = cell.textContent;
      cell.replaceChildren();
      button(cell, text, () => {
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
    $(".left-out", section)?.remove();

    // Links to a task show its trials, links to a trial open it.
    const follow = () => {
      let wanted = location.hash.slice(1);
      try { wanted = decodeURIComponent(wanted); } catch { return; }
      const trial = trials.find((t) => `trial-${t.name}` === wanted);
      const task = wanted.startsWith("task-") && trials.some((t) => t.task === wanted.slice(5)) ? wanted.slice(5) : "";
      const page = wanted.startsWith("page-") && document.getElementById(wanted);
      if (page) { page.open = true; page.scrollIntoView(); }
      if (!trial && !task) return;
      find.value = trial ? trial.name : task;
      state.text = trial ? trial.name.toLowerCase() : "";
      state.task = task;
      anew();
      const found = trial && document.getElementById(wanted);
      if (found) { $("details", found).open = true; found.scrollIntoView({ block: "center" }); }
    };
    addEventListener("hashchange", follow);
    draw();
    follow();
  };
  if (block && table) unpacked().then((text) => start(JSON.parse(text)));
})();
