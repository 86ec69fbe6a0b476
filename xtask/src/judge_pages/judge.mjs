// Opens every page that the service shows to people and has axe-core look at it: on a phone and on a desk, in the light and in
// the dark, in Spanish and in English. Run by `cargo xtask judge-pages` in the folder that has the packages.
//
//   node judge.mjs BASE_URL API_KEY LINK_TO_THE_PANEL BROWSER [FOLDER_FOR_SCREENSHOTS]

import { createRequire } from "node:module";
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { judgePanel } from "./panel.mjs";
import { states } from "./states.mjs";

const require = createRequire(join(process.cwd(), "here.js"));
const puppeteer = require("puppeteer-core");
const axe = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");

const [api, key, link, executablePath, folder] = process.argv.slice(2);
const origin = new URL(api).origin;
const TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
const SCHEMES = ["light", "dark"];
const SIZES = { phone: { width: 390, height: 844 }, desk: { width: 1280, height: 900 } };
// At this width a page must not scroll sideways (WCAG 1.4.10).
const NARROW = { width: 320, height: 640 };
const PAGE_BYTES_MAX = 100 * 1024;
// On a processor so many times slower, the text of the reference must be there within so many milliseconds.
const SLOWED = 4;
const READABLE_MS = 1000;
const POLICY = ["default-src 'none'", "base-uri 'none'", "form-action 'self'", "frame-ancestors 'none'"];

const faults = [];
let views = 0;
let largest = 0;
let slowest = 0;
let panel;

// What axe-core finds on a page as it is shown now.
async function found(page) {
  const { violations } = await page.evaluate((tags) => axe.run(document, { runOnly: tags, resultTypes: ["violations"] }), TAGS);
  return violations.map(({ id, help, nodes }) => `${id}: ${help}: ${nodes.map((node) => node.html.slice(0, 160)).join(" | ")}`);
}

// A page in these sizes, in the light or in the dark.
async function look(page, name, scheme, sizes) {
  await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
  for (const size of sizes) {
    await page.setViewport(SIZES[size]);
    const view = `${name}, ${scheme}, ${size}`;
    faults.push(...(await found(page)).map((fault) => `${view}: ${fault}`));
    views += 1;
    if (!folder) continue;
    const file = `${view.replaceAll(/[^\w-]+/g, "_")}.png`;
    // Pages of the reference are longer than an image can be.
    await page.screenshot({ path: join(folder, file), fullPage: !name.startsWith("docs") });
  }
  await page.setViewport(NARROW);
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  if (wide > 0) faults.push(`${name}, ${scheme}: scrolls sideways by ${wide} pixels at a width of ${NARROW.width}`);
}

// What must hold of every answer.
function wrongs({ status, headers, body }, state, language) {
  const text = body.toString("utf8");
  const policy = headers["content-security-policy"] ?? "";
  largest = Math.max(largest, body.length);
  return [
    [status !== state.status, `answers ${status} instead of ${state.status}`],
    [body.length > PAGE_BYTES_MAX, `has ${body.length} bytes`],
    [!POLICY.every((part) => policy.includes(part)) || /unsafe|https?:/.test(policy), `has the policy "${policy}"`],
    [headers["x-content-type-options"] !== "nosniff", "lets its type be guessed"],
    [headers["referrer-policy"] !== "no-referrer", "tells others where it lies"],
    [/\son[a-z]+=|\sstyle=|<style|javascript:|<script(?! src=)/i.test(text), "has script or style within"],
    [!state.isReference && text.includes("<script"), "has script"],
    [!text.includes(`<html lang="${state.isReference ? "en" : language}">`), "is in another language"],
  ].flatMap(([isWrong, what]) => (isWrong ? [what] : []));
}

// One state in one language. Each is asked for from an address of its own, so that none waits for the limits of another.
async function judge(browser, state, language, address) {
  const name = `${state.name}, ${language}`;
  const wrong = (what) => faults.push(`${name}: ${what}`);
  const page = await browser.newPage();
  try {
    await page.setCacheEnabled(false);
    await page.setExtraHTTPHeaders({ "Accept-Language": language, "X-Forwarded-For": address });
    await page.setJavaScriptEnabled(state.isReference);
    let shown;
    page.on("request", (request) => {
      if (![origin, "null"].includes(new URL(request.url()).origin)) wrong(`asks for ${request.url()}`);
    });
    page.on("response", (answer) => {
      if (answer.request().isNavigationRequest()) shown = answer;
      else if (answer.status() >= 400) wrong(`${answer.url()} answers ${answer.status()}`);
    });
    page.on("pageerror", (error) => wrong(`its script fails: ${error.message}`));
    await page.goto(origin + state.path, { waitUntil: "networkidle0" });
    await state.act?.(page, address);
    const answer = { status: shown.status(), headers: shown.headers(), body: await shown.buffer() };
    wrongs(answer, state, language).forEach(wrong);
    await page.setJavaScriptEnabled(true);
    await page.evaluate(axe);
    for (const scheme of SCHEMES) await look(page, name, scheme, state.sizes ?? Object.keys(SIZES));
  } catch (error) {
    wrong(error.stack);
  } finally {
    await page.close();
  }
}

// When the largest piece of a page of the reference is painted, in each size. The page has been asked for before: it is drawn
// once in the life of a service.
async function readable(browser, state, address) {
  for (const [size, viewport] of Object.entries(SIZES)) {
    const page = await browser.newPage();
    try {
      await page.setCacheEnabled(false);
      await page.setViewport(viewport);
      await page.setExtraHTTPHeaders({ "X-Forwarded-For": address });
      await page.emulateCPUThrottling(SLOWED);
      await page.goto(origin + state.path, { waitUntil: "networkidle0" });
      const painted = await page.evaluate(() => new Promise((resolve) => {
        const told = (list) => resolve(list.getEntries().at(-1).startTime);
        new PerformanceObserver(told).observe({ type: "largest-contentful-paint", buffered: true });
        setTimeout(resolve, 5000, Infinity);
      }));
      slowest = Math.max(slowest, painted);
      if (painted > READABLE_MS) {
        faults.push(`${state.name}, ${size}: is readable after ${Math.round(painted)} ms on a processor ${SLOWED} times slower`);
      }
    } finally {
      await page.close();
    }
  }
}

// A judge who finds nothing wrong with anything is none.
async function tryOut(browser) {
  const page = await browser.newPage();
  await page.setContent("<p style='color:#999;background:#aaa'>grey</p><img src='data:,'>");
  await page.evaluate(axe);
  const rules = (await found(page)).map((fault) => fault.split(":")[0]);
  await page.close();
  if (!["color-contrast", "image-alt"].every((rule) => rules.includes(rule))) throw new Error(`axe-core found only ${rules}`);
}

if (folder) mkdirSync(folder, { recursive: true });
const browser = await puppeteer.launch({ executablePath, args: ["--no-sandbox", "--disable-dev-shm-usage"] });
try {
  await tryOut(browser);
  panel = await judgePanel(browser, link);
  faults.push(...panel.faults);
  for (const [place, state] of (await states(api, key)).entries()) {
    for (const [side, language] of (state.isReference ? ["en"] : ["es-MX", "en"]).entries()) {
      await judge(browser, state, language, `10.${side}.${place >> 8}.${place & 255}`);
    }
    if (state.isReference && state.status === 200) await readable(browser, state, `10.2.${place >> 8}.${place & 255}`);
  }
} finally {
  await browser.close();
}
faults.forEach((fault) => console.log(fault));
console.log(
  `${views} views; the largest page has ${largest} bytes; the reference is readable within ${Math.round(slowest)} ms on a processor ` +
    `${SLOWED} times slower; ${panel.told}; ${faults.length} faults`,
);
process.exitCode = faults.length ? 1 : 0;
