// Looks at every page of a folder in Chromium, and prints one line for each fault: the page, the view and what was found.
// Usage: node look.mjs FOLDER [PAGE…]. Exit 0: looked at everything, whatever was found; anything else: could not look.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { createRequire } from 'node:module';
import { chromium } from 'playwright-core';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const folder = resolve(process.argv[2]);
const flags = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'];
const a4 = { width: 688, height: 1017 }; // what the margins of the style sheet leave of A4, in CSS pixels

function pages(dir) {
  return readdirSync(dir, { withFileTypes: true }).flatMap((e) =>
    e.isDirectory() ? pages(join(dir, e.name)) : e.name.endsWith('.html') ? [join(dir, e.name)] : []);
}

// inPage finds what a reader of the page, at the current size, would miss.
function inPage({ width, media }) {
  const found = [];
  const shown = (e) => { const r = e.getBoundingClientRect(); return r.width > 0 && r.height > 0 && r.left >= 0 && r.right <= width + 1 && getComputedStyle(e).visibility === 'visible'; };
  if (document.scripts.length) found.push('a script element');
  if (!document.documentElement.lang || !document.title) found.push('no language or no title');
  if (document.documentElement.scrollWidth > width) found.push(`${document.documentElement.scrollWidth} pixels wide`);
  const banner = document.querySelector('.banner');
  if (!banner || !shown(banner) || !banner.textContent.includes('AI Act')) found.push('no label of AI Act art. 50');
  for (const table of document.querySelectorAll('table.index, table.columns')) {
    const rows = [...table.querySelectorAll('tbody tr')];
    if (!rows.length || !rows[0].classList.contains('constant')) found.push('the first row is not the best constant answer');
    for (const row of rows) {
      const rates = [...row.querySelectorAll('td.rate')];
      if (rates.length !== 2 || !rates.every(shown)) { found.push('a row without both columns in sight: ' + row.textContent.slice(0, 40)); continue; }
      const [a, b] = rates.map((r) => r.getBoundingClientRect());
      if (Math.abs(a.top - b.top) > 1 || a.right > b.left + 1) found.push('the two columns do not stand side by side: ' + row.textContent.slice(0, 40));
      if (table.matches('.index') && !row.matches('.constant') && !row.querySelector('td em')) found.push('a stack without the word declared: ' + row.textContent.slice(0, 40));
    }
  }
  for (const svg of document.querySelectorAll('svg')) {
    const size = 12.5 * svg.getBoundingClientRect().width / svg.viewBox.baseVal.width;
    if (size < 10.5) found.push(`text of ${size.toFixed(1)} pixels in a picture`);
    if (svg.getAttribute('role') !== 'img' || !svg.querySelector('title')?.textContent || !svg.querySelector('desc')?.textContent) found.push('a picture without words');
    const names = [...svg.querySelectorAll('text')].filter((t) => t.getBBox().x + t.getBBox().width > svg.viewBox.baseVal.width + 1);
    if (names.length) found.push('text that leaves a picture: ' + names[0].textContent);
  }
  if (media === 'print' && document.querySelector('.index thead')?.getBoundingClientRect().height < 5) found.push('a printed table without its head');
  const [r, g, b] = getComputedStyle(document.body).backgroundColor.match(/\d+/g).map(Number);
  return { found, light: (r + g + b) / 3 };
}

// accessible runs axe-core: all of its rules, or those named.
async function accessible(page, rules) {
  const result = await page.evaluate(async (only) => (await window.axe.run(document, { resultTypes: ['violations'], ...(only && { runOnly: only }) })).violations
    .map((v) => `${v.id}: ${v.nodes.length} × ${v.nodes[0].html.slice(0, 120)}`), rules);
  return result.map((v) => 'axe ' + v);
}

// look goes through the views of one page: light and dark, a phone and a wide window, then paper.
async function look(page, file, note) {
  await page.emulateMedia({ media: 'screen', colorScheme: 'light' });
  await page.goto(pathToFileURL(file).href);
  await page.evaluate(axe);
  for (const scheme of ['light', 'dark']) {
    for (const width of [400, 1400]) {
      const view = `${scheme}, ${width}`;
      await page.setViewportSize({ width, height: 900 });
      await page.emulateMedia({ media: 'screen', colorScheme: scheme });
      const { found, light } = await page.evaluate(inPage, { width, media: 'screen' });
      for (const f of [...found, ...await accessible(page, scheme === 'light' ? null : ['color-contrast'])]) note(view, f);
      if ((light > 128) !== (scheme === 'light')) note(view, `a background of brightness ${light}`);
    }
    await page.setViewportSize(a4);
    await page.emulateMedia({ media: 'print', colorScheme: scheme });
    const { found, light } = await page.evaluate(inPage, { width: a4.width, media: 'print' });
    for (const f of found) note(`print, ${scheme}`, f);
    if (light < 250) note(`print, ${scheme}`, `a background of brightness ${light}`);
  }
  const pdf = (await page.pdf({ preferCSSPageSize: true })).toString('latin1');
  const boxes = [...pdf.matchAll(/\/MediaBox\s*\[\s*0\s+0\s+([\d.]+)\s+([\d.]+)/g)].map((m) => [Math.round(m[1]), Math.round(m[2])]);
  if (!boxes.length || boxes.some(([w, h]) => Math.abs(w - 595) > 1 || Math.abs(h - 842) > 1)) note('print', `pages of ${JSON.stringify(boxes.slice(0, 2))} points, want A4`);
  for (const href of await page.$$eval('a[href]', (as) => as.map((a) => a.href))) {
    if (!href.startsWith('file:') || !existsSync(fileURLToPath(href.replace(/#.*/, '')))) note('links', `${href} leads nowhere`);
  }
}

const browser = await chromium.launch({ executablePath: process.env.CHROMIUM || '/usr/bin/chromium', args: flags });
const context = await browser.newContext();
const faults = [];
const files = process.argv.length > 3 ? process.argv.slice(3).map((f) => join(folder, f)) : pages(folder);
for (const file of files) {
  const note = (view, text) => faults.push(`${relative(folder, file)} (${view}): ${text}`);
  const page = await context.newPage();
  page.on('console', (m) => note('console', `${m.type()}: ${m.text()}`));
  page.on('pageerror', (e) => note('console', e.message));
  page.on('request', (r) => { if (!r.url().startsWith('data:') && r.url() !== pathToFileURL(file).href) note('network', `request for ${r.url()}`); });
  await look(page, file, note);
  await page.close();
}
await browser.close();
for (const f of faults) console.log(f);
console.log(`looked at ${files.length} pages`);
