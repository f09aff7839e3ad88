// Runs every `*.page.mjs` beside it in one browser. Each exports `name` and `check(browser, checks, folder)`, where `folder` holds the
// pages to open and takes what the test writes; a page that cannot run here returns a sentence that says why, which is printed.
import { readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { Checks, withBrowser } from "./lib.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const folder = process.argv[2];
if (!folder) throw new Error("usage: node run.mjs FOLDER-WITH-PAGES [NAME...]");
const wanted = process.argv.slice(3);
const scripts = readdirSync(here).filter((name) => name.endsWith(".page.mjs")).sort();
let failed = 0;
await withBrowser(async (browser) => {
  for (const script of scripts) {
    const test = await import(join(here, script));
    if (wanted.length > 0 && !wanted.includes(test.name)) continue;
    const checks = new Checks();
    const skipped = await test.check(browser, checks, folder);
    if (skipped) console.log(`SKIPPED ${test.name}: ${skipped}`);
    else console.log(`${test.name}: ${checks.done - checks.failed} of ${checks.done} checks hold`);
    failed += checks.failed;
  }
});
process.exit(failed === 0 ? 0 : 1);
