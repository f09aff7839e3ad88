// The report: every control, no request, readable without scripts, accessible, dark and printed.
import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { WIDTHS, axe, openPage } from "./lib.mjs";

export const name = "report";

export async function check(browser, checks, folder) {
  const shots = join(folder, "shots");
  mkdirSync(shots, { recursive: true });
  const pages = readdirSync(folder).filter((file) => file.endsWith(".html")).sort();
  checks.that("there are pages to open", pages.length > 0);
  for (const file of pages) {
    const url = pathToFileURL(join(folder, file)).href;
    const stem = file.replace(/\.html$/, "");
    await looks(browser, checks, url, stem, shots);
    await withoutScripts(browser, checks, url, stem);
    if (stem !== "paper") await controls(browser, checks, url, stem);
  }
}

/** Three widths, light, dark and paper; nothing is wider than the screen, nothing is asked for, axe is content. */
async function looks(browser, checks, url, stem, shots) {
  for (const [width, [w, h]] of Object.entries(WIDTHS)) {
    for (const colorScheme of ["light", "dark"]) {
      const { context, page, seen } = await openPage(browser, url, { viewport: { width: w, height: h }, colorScheme });
      const over = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
      checks.that(`${stem} at ${width}: nothing is wider than the screen`, over <= 1, `${over} px too wide`);
      if (width !== "a4" || colorScheme === "light") {
        checks.none(`${stem} at ${width}, ${colorScheme}: axe`, await axe(page));
      }
      if (colorScheme === "light" || width === "laptop") {
        await page.screenshot({ path: join(shots, `${stem}-${width}-${colorScheme}.png`), fullPage: true });
      }
      checks.none(`${stem}: no request`, seen.requests);
      checks.none(`${stem}: no error`, seen.errors);
      await context.close();
    }
  }
  const { context, page } = await openPage(browser, url);
  await page.emulateMedia({ media: "print" });
  const pdf = await page.pdf({ path: join(shots, `${stem}.pdf`), format: "A4", printBackground: true });
  checks.that(`${stem}: prints`, pdf.length > 10_000, `${pdf.length} bytes`);
  await context.close();
}

/** Every figure, every section and rows of trials are there without scripts. */
async function withoutScripts(browser, checks, url, stem) {
  const { context, page, seen } = await openPage(browser, url, { javaScriptEnabled: false });
  const figures = page.locator("figure");
  const count = await figures.count();
  checks.that(`${stem} without scripts: figures`, count > 0);
  for (let i = 0; i < count; i += 1) {
    const box = await figures.nth(i).locator("svg").first().boundingBox();
    checks.that(`${stem} without scripts: figure ${i} has a size`, box !== null && box.width > 100 && box.height > 20);
  }
  const texts = await page.locator("figure svg text").count();
  const dead = await page.evaluate(() => [...document.querySelectorAll("nav a")].map((a) => a.hash.slice(1)).filter((id) => !document.getElementById(id))).catch(() => []);
  checks.none(`${stem}: links that lead nowhere`, dead);
  checks.that(`${stem} without scripts: figures have words`, texts > count);
  checks.none(`${stem} without scripts: no request`, seen.requests);
  await context.close();
}

/** Clicks everything that can be clicked, and looks at what it did. */
async function controls(browser, checks, url, stem) {
  const { context, page, seen } = await openPage(browser, url);
  await trials(page, checks, stem);
  await tools(page, checks, stem);
  await rule(page, checks, stem);
  await tooltip(page, checks, stem);
  for (const summary of (await page.locator("summary:visible").all()).slice(0, 40)) await summary.click();
  for (const link of await page.locator("nav a").all()) await link.click();
  checks.none(`${stem}: no request while clicking`, seen.requests);
  checks.none(`${stem}: no error while clicking`, seen.errors);
  await context.close();
  await links(browser, checks, url, stem);
}

async function trials(page, checks, stem) {
  const find = page.locator("#trials input[type=search]");
  if (await page.locator("#trial-data").count() === 0) return;
  await find.waitFor();
  const status = page.locator("#trials [role=status]");
  const before = await status.textContent();
  await find.fill("no such trial \u0000");
  checks.that(`${stem}: the filter filters`, (await status.textContent()).startsWith("0 of"));
  await find.fill("");
  checks.that(`${stem}: and gives back`, (await status.textContent()) === before);
  for (const button of await page.locator("#trials thead button").all()) {
    await button.click();
    await button.click();
  }
  checks.that(`${stem}: sorts`, await page.locator("#trials th[aria-sort=descending]").count() === 1);
  for (const box of await page.locator("#trials .controls input[type=checkbox]").all()) {
    await box.uncheck();
    checks.that(`${stem}: an outcome less`, (await status.textContent()) !== before);
    await box.check();
  }
  const arm = page.locator("#trials select");
  const arms = await arm.locator("option").count();
  await arm.selectOption({ index: 1 });
  checks.that(`${stem}: one arm`, arms === 2 || (await status.textContent()) !== before);
  await arm.selectOption({ index: 0 });
  const more = page.locator("#trials button.more:visible");
  if (await more.count() > 0) await more.click();
  const [file] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Data as CSV" }).click()]);
  checks.that(`${stem}: data`, file.suggestedFilename() === "trials.csv" && (await text(file)).startsWith("trial,task,arm"));
}

async function text(download) {
  let whole = "";
  for await (const chunk of await download.createReadStream()) whole += chunk;
  return whole;
}

async function tools(page, checks, stem) {
  const figure = page.locator("figure").first();
  const copy = figure.getByRole("button", { name: "Copy as Markdown" });
  await copy.click();
  await figure.getByRole("button", { name: "Copied" }).waitFor({ timeout: 3000 }).catch(() => checks.that(`${stem}: copies`, false));
  const [svg] = await Promise.all([page.waitForEvent("download"), figure.getByRole("button", { name: "SVG" }).click()]);
  const drawing = await text(svg);
  checks.that(`${stem}: the figure as a file`, drawing.startsWith("<svg") && drawing.includes("<style") && !drawing.includes("var("));
  const [csv] = await Promise.all([page.waitForEvent("download"), figure.getByRole("button", { name: "CSV" }).click()]);
  checks.that(`${stem}: its numbers`, (await text(csv)).split("\n").length > 1);
}

async function rule(page, checks, stem) {
  const radio = page.locator(".rule input[value=strict]");
  if (await radio.count() === 0) return;
  await radio.check();
  const heads = await page.locator("#arms table").nth(1).locator("th[scope=col]:visible, thead th:visible").allTextContents();
  checks.that(`${stem}: one scoring rule`, !heads.some((head) => head.startsWith("valid-only")), heads.join(" | "));
  await page.locator(".rule input[value='']").check();
}

async function tooltip(page, checks, stem) {
  const mark = page.locator("figure svg.figure g:has(> title) path, figure svg.figure g:has(> title) rect").first();
  if (await mark.count() === 0) return;
  await mark.scrollIntoViewIfNeeded();
  await mark.hover({ force: true });
  checks.that(`${stem}: a tooltip`, await page.locator(".tip:visible").count() === 1);
}

/** A link to a task shows its trials, a link to a trial opens it. */
async function links(browser, checks, url, stem) {
  const { context, page, seen } = await openPage(browser, url, {}, (asked) => asked === url);
  const row = page.locator("#trials tbody tr").first();
  if (await page.locator("#trial-data").count() > 0) {
    await page.locator("#trials [role=status]").waitFor();
    const id = await row.getAttribute("id");
    await page.evaluate((to) => { location.hash = encodeURIComponent(to); }, id);
    await page.locator("#trials tbody details[open]").first().waitFor({ timeout: 3000 }).catch(() => checks.that(`${stem}: a link opens its trial`, false));
    const task = page.locator("#tasks tbody a").first();
    if (await task.count() > 0) {
      const name = await task.textContent();
      await task.click();
      const shown = await page.locator("#trials tbody th").allTextContents();
      checks.that(`${stem}: a link shows its task`, shown.length > 0 && shown.every((one) => one === name), `${name}: ${shown.slice(0, 3)}`);
    }
  }
  checks.none(`${stem}: no error while following links`, seen.errors);
  await context.close();
}
