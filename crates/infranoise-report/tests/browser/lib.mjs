// What every browser test needs: a browser that asks nobody, a page whose requests are counted, axe, and a list of checks.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { chromium } from "playwright-core";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

const FLAGS = [
  "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
  "--disable-background-networking", "--disable-component-update", "--disable-sync",
];

/** The three widths at which people read: a phone, a laptop, a sheet of A4. */
export const WIDTHS = { phone: [390, 844], laptop: [1280, 800], a4: [794, 1123] };

/** Opens a browser with a profile of its own and hands it to `use`. */
export async function withBrowser(use) {
  // Playwright gives each launch a new user-data folder and removes it.
  const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: FLAGS });
  try {
    return await use(browser);
  } finally {
    await browser.close();
  }
}

/** A page that notes each request, error and message; `allow(url)` says which requests are expected. */
export async function openPage(browser, url, options = {}, allow = (asked) => asked === url) {
  const context = await browser.newContext({ acceptDownloads: true, ...options });
  const page = await context.newPage();
  const seen = { requests: [], errors: [] };
  page.on("request", (request) => {
    const asked = request.url().split("#")[0];
    if (!allow(asked) && !asked.startsWith("data:") && !asked.startsWith("blob:")) seen.requests.push(asked);
  });
  page.on("pageerror", (error) => seen.errors.push(String(error)));
  page.on("console", (message) => { if (message.type() === "error") seen.errors.push(message.text()); });
  page.on("dialog", (dialog) => { seen.errors.push(`a dialog: ${dialog.message()}`); dialog.dismiss(); });
  await page.goto(url);
  return { context, page, seen };
}

/** Serious and critical findings of axe, each in a line. */
export async function axe(page) {
  // The page's own policy refuses foreign scripts, so axe comes in by the debugger's door.
  const client = await page.context().newCDPSession(page);
  await client.send("Runtime.evaluate", { expression: `${AXE};0` });
  const { result } = await client.send("Runtime.evaluate", {
    expression: `axe.run(document,{resultTypes:["violations"]}).then((r) => JSON.stringify(r.violations
      .filter((v) => v.impact === "serious" || v.impact === "critical")
      .map((v) => v.id + " (" + v.nodes.length + "): " + v.nodes[0].html.slice(0, 160))))`,
    awaitPromise: true,
    returnByValue: true,
  });
  return JSON.parse(result.value);
}

/** A list of checks that says each, and how many failed. */
export class Checks {
  failed = 0;
  done = 0;
  that(what, holds, detail = "") {
    this.done += 1;
    if (holds) return;
    this.failed += 1;
    console.error(`FAILED ${what}${detail === "" ? "" : `: ${detail}`}`);
  }
  none(what, list) { this.that(what, list.length === 0, list.slice(0, 5).join(" | ")); }
}
