// How long Chromium takes to load and to draw pages, in turns: node benches/open.mjs PAGE.html... (needs `npm ci` in the browser tests)
import { createRequire } from "node:module";
import { resolve } from "node:path";
const require = createRequire(new URL("../crates/infranoise-report/tests/browser/run.mjs", import.meta.url));
const { chromium } = require("playwright-core");
const pages = process.argv.slice(2).map((page) => resolve(page));
const b = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox","--disable-gpu","--disable-quic","--no-first-run","--disable-background-networking","--disable-component-update","--disable-sync"] });
const t = pages.map(() => []);
for (let i = 0; i < 15; i++) for (let k = 0; k < pages.length; k++) {
  const c = await b.newContext(); const p = await c.newPage();
  await p.goto("file://" + pages[k], { waitUntil: "load" });
  const v = await p.evaluate(() => new Promise((r) => requestAnimationFrame(() => requestAnimationFrame(() => r([performance.getEntriesByType("navigation")[0].loadEventEnd, performance.now()])))));
  t[k].push(v); await c.close();
}
const med = (a) => a.sort((x, y) => x - y)[a.length >> 1];
pages.forEach((p, k) => console.log(p.split("/").slice(-3).join("/"), "load", med(t[k].map((v) => v[0])).toFixed(0), "ms; drawn", med(t[k].map((v) => v[1])).toFixed(0), "ms"));
await b.close();
