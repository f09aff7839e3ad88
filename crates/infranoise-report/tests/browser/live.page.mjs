// The live page beside a real sweep of another process: it follows by itself, asks nobody else, reads without scripts, and is accessible.
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { WIDTHS, axe, openPage } from "./lib.mjs";

export const name = "live";

export async function check(browser, checks, folder) {
  // The stage before this one builds it.
  const target = process.env.CARGO_TARGET_DIR ?? "target";
  const built = ["release", "debug"].map((profile) => join(target, profile, "infranoise"));
  const program = process.env.INFRANOISE ?? built.find((path) => existsSync(path));
  if (!program) return "infranoise is not built";
  if (process.getuid() !== 0) return "the local engine needs root here";
  const runs = join(folder, "live-runs");
  const shots = join(folder, "shots");
  mkdirSync(shots, { recursive: true });
  const env = { ...process.env, INFRANOISE_STATE: join(folder, "live-state") };
  const demo = spawn(program, ["demo", "-k", "1", "-n", "3", "--out", runs], { env, stdio: "ignore" });
  const ended = new Promise((resolve) => demo.on("exit", resolve));
  const started = [demo];
  try {
    while (!(existsSync(runs) && readdirSync(runs).some((run) => existsSync(join(runs, run, "journal.jsonl"))))) {
      if (demo.exitCode !== null) return "the demo cannot run on this machine";
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    const { origin, process: server } = await serve(program, runs, env);
    started.push(server);
    await follows(browser, checks, origin, shots);
    await ended;
    await looks(browser, checks, origin, shots);
    await withoutScripts(browser, checks, origin);
  } finally {
    for (const each of started) each.kill();
  }
}

/** Starts the server on a free port and takes its address from what it says. */
async function serve(program, runs, env) {
  const server = spawn(program, ["serve", runs, "--bind", "127.0.0.1:0"], { env, stdio: ["ignore", "ignore", "pipe"] });
  for await (const line of createInterface({ input: server.stderr })) {
    const found = /http:\/\/[0-9.:]+/.exec(line);
    if (found) return { origin: found[0], process: server };
  }
  throw new Error("the server did not say where it is");
}

const own = (origin) => (asked) => asked.startsWith(`${origin}/`);

/** A running sweep: cards with curves come, figures change, a trial can be opened, all without loading again. */
async function follows(browser, checks, origin, shots) {
  const { context, page, seen } = await openPage(browser, origin, { viewport: { width: 1280, height: 800 } }, own(origin));
  await page.locator("main a").first().click();
  await page.waitForSelector("h1");
  const loads = [];
  page.on("framenavigated", () => loads.push(page.url()));
  const card = page.locator(".card svg.curve path.mem").first();
  checks.that("live: a running trial has a curve", await card.waitFor({ timeout: 90_000 }).then(() => true, () => false));
  await page.screenshot({ path: join(shots, "live-running-laptop-light.png"), fullPage: true });
  const figure = () => page.locator('[data-part="fig-tasks"]').innerHTML();
  const before = await figure();
  const heading = await page.locator("h1").innerText();
  const changed = await page.waitForFunction(
    ([html, words]) => document.querySelector('[data-part="fig-tasks"]').innerHTML !== html && document.querySelector("h1").innerText !== words,
    [before, heading],
    { timeout: 90_000 },
  ).then(() => true, () => false);
  checks.that("live: figures and heading follow the sweep", changed);
  checks.that("live: the page was not loaded again", loads.length === 0, loads.join(" "));
  checks.none("live, running: axe", await axe(page));
  const phone = { width: WIDTHS.phone[0], height: WIDTHS.phone[1] };
  await page.setViewportSize(phone);
  await page.screenshot({ path: join(shots, "live-running-phone-light.png"), fullPage: true });
  checks.none("live: no foreign request", seen.requests);
  checks.none("live: no error", seen.errors);
  await context.close();
}

/** The finished sweep and a trial of it at every width, light and dark. */
async function looks(browser, checks, origin, shots) {
  for (const [width, [w, h]] of Object.entries(WIDTHS)) {
    for (const colorScheme of ["light", "dark"]) {
      const options = { viewport: { width: w, height: h }, colorScheme };
      const { context, page, seen } = await openPage(browser, origin, options, own(origin));
      await page.locator("main a").first().click();
      await page.waitForSelector("[data-part=fig-tasks] svg");
      for (const [what, go] of [["sweep", null], ["trial", () => page.locator("#ended a").first().click()]]) {
        if (go) { await go(); await page.waitForSelector("pre"); }
        const over = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
        checks.that(`live ${what} at ${width}: nothing is wider than the screen`, over <= 1, `${over} px too wide`);
        checks.none(`live ${what} at ${width}, ${colorScheme}: axe`, await axe(page));
        await page.screenshot({ path: join(shots, `live-${what}-${width}-${colorScheme}.png`), fullPage: true });
      }
      const ground = await page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
      const [red] = /\d+/.exec(ground) ?? ["128"];
      checks.that(`live at ${width}: ${colorScheme}`, colorScheme === "dark" ? Number(red) < 60 : Number(red) > 200, ground);
      checks.none(`live at ${width}: no foreign request`, seen.requests);
      checks.none(`live at ${width}: no error`, seen.errors);
      await context.close();
    }
  }
}

/** Every figure is there without scripts. */
async function withoutScripts(browser, checks, origin) {
  const { context, page, seen } = await openPage(browser, origin, { javaScriptEnabled: false }, own(origin));
  await page.locator("main a").first().click();
  const figures = await page.locator("figure").count();
  checks.that("live without scripts: figures", figures > 5, `${figures}`);
  for (let i = 0; i < figures; i += 1) {
    const box = await page.locator("figure").nth(i).locator("svg").first().boundingBox();
    checks.that(`live without scripts: figure ${i} has a size`, box !== null && box.width > 100 && box.height > 20);
  }
  checks.none("live without scripts: no foreign request", seen.requests);
  await context.close();
}
