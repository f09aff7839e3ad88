// Brings what is new into the page. Parts come whole from the server, made harmless there; the page's policy lets no other script run.
"use strict";
(() => {
  const body = document.body;
  const sight = document.querySelector("[data-sight]");
  const say = (text) => { if (sight && sight.textContent !== text) sight.textContent = text; };
  const waiting = new Map();

  // What a reader opened, scrolled to or stands on stays as it is.
  const put = (slot, html) => {
    const chosen = getSelection();
    const held = chosen && !chosen.isCollapsed && slot.contains(chosen.anchorNode);
    if (held || document.hidden) { waiting.set(slot, html); return; }
    waiting.delete(slot);
    const all = (what) => [...slot.querySelectorAll(what)];
    const open = all("details").map((each) => each.open);
    const at = all(".scroll").map((each) => [each.scrollLeft, each.scrollTop]);
    const stops = "a,summary,[tabindex]";
    const focus = slot.contains(document.activeElement) ? all(stops).indexOf(document.activeElement) : -1;
    slot.innerHTML = html;
    all("details").forEach((each, n) => { each.open = open[n] ?? false; });
    all(".scroll").forEach((each, n) => { [each.scrollLeft, each.scrollTop] = at[n] ?? [0, 0]; });
    if (focus >= 0) all(stops)[focus]?.focus({ preventScroll: true });
  };
  const release = () => { for (const [slot, html] of [...waiting]) put(slot, html); };
  document.addEventListener("visibilitychange", release);
  document.addEventListener("selectionchange", () => { if (getSelection().isCollapsed) release(); });

  if (body.dataset.events) {
    const source = new EventSource(`${body.dataset.events}?since=${body.dataset.since}`);
    source.addEventListener("open", () => say("Following: this page shows what is new by itself."));
    source.addEventListener("error", () => say("The server does not answer; what stands here may be old. Trying again …"));
    source.addEventListener("part", (event) => {
      const { id, html } = JSON.parse(event.data);
      const slot = document.querySelector(`[data-part="${CSS.escape(id)}"]`);
      if (slot) put(slot, html);
    });
  }

  if (body.dataset.poll) {
    const slot = document.querySelector("[data-part]");
    let last = "";
    const ask = async () => {
      if (!document.hidden) {
        try {
          const answer = await fetch(body.dataset.poll);
          if (!answer.ok) throw new Error(answer.status);
          const html = await answer.text();
          if (html !== last) { last = html; put(slot, html); }
          say("Following: this page shows what is new by itself.");
        } catch {
          say("The server does not answer; what stands here may be old. Trying again …");
        }
      }
      setTimeout(ask, 2000);
    };
    setTimeout(ask, 1000);
  }
})();
