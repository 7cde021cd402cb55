/**
 * Measures what a visit of each page costs a browser, for the demo's keyspace (1M keys) and a level of 100,000 nodes,
 * and what a hover or a key press costs in the tree, with the production server, a real Chromium and a cold cache. With
 * `--against DIR` (another checkout, built, possibly much older) both builds read the same keys and take turns, and
 * ratios of the figures are reported; a page that the older build does not have is skipped. Exits with 1 if a limit of
 * PAGE_BARS is missed.
 */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { chromium } from '@playwright/test';
import playwright from '../playwright.config';
import { seedStandalone } from '../scripts/seed/seed.mjs';
import { startRedis } from '../test/servers/redis';
import { type Measured, makeFigures } from './pages/make-figures';
import { measureDrillDown } from './pages/measure-drill-down';
import { measureInput } from './pages/measure-input';
import { measureVisit } from './pages/measure-visit';
import { openStage } from './pages/open-stage';
import { missedPageBars } from './pages/page-bars';
import { pageRatios } from './pages/page-ratios';
import { drillDowns, pagesToVisit, TREES, WITHOUT_FIGURES } from './pages/pages-to-visit';
import { fillWideLevel } from './pages/wide-level';

const { values } = parseArgs({
  options: {
    keys: { type: 'string', default: '1000000' },
    nodes: { type: 'string', default: '100000' },
    rounds: { type: 'string', default: '3' },
    against: { type: 'string' },
    json: { type: 'boolean', default: false },
  },
});
const say = (text: string) => values.json || console.log(text);

const redis = await startRedis();
say(`seeding ${values.keys} keys and a level of ${values.nodes} nodes`);
await seedStandalone(redis.port, { keys: Number(values.keys) });
await fillWideLevel(redis.client(), Number(values.nodes));
const stages: Record<string, Awaited<ReturnType<typeof openStage>>> = { now: await openStage(redis) };
if (values.against) stages.before = await openStage(redis, join(values.against, 'dist/colonnade.mjs'));

const browser = await chromium.launch(playwright.use?.launchOptions);
const measured: Record<string, Measured> = {};
try {
  for (let round = 0; round < Number(values.rounds); round++)
    for (const [build, { stage, subjects }] of Object.entries(stages)) {
      const { origin } = stage;
      const pages = pagesToVisit(subjects);
      measured[build] ??= { visits: [], drills: [], inputs: [] };
      const { visits, drills, inputs } = measured[build];
      // An older build may lack a page, or an element that is clicked there.
      const attempt = async (what: string, measure: () => Promise<unknown>) => {
        await measure().catch((error: unknown) => {
          if (build === 'now') throw error;
          say(`not measured before: ${what}: ${String(error).split('\n')[0]}`);
        });
      };
      for (const [page, path] of Object.entries(pages))
        await attempt(page, async () =>
          visits.push({ page, visit: await measureVisit(browser, origin + path, WITHOUT_FIGURES.has(page) ? 0 : 5) }),
        );
      for (const { page, path, node } of drillDowns(pages))
        await attempt(`into ${path}`, async () =>
          drills.push({ page, path, ms: await measureDrillDown(browser, origin + path, node) }),
        );
      for (const page of TREES)
        await attempt(`input on ${page}`, async () =>
          inputs.push({ page, costs: await measureInput(browser, origin + pages[page]) }),
        );
    }
} finally {
  await browser.close();
  for (const { stage } of Object.values(stages)) await stage.close();
  await redis.stop();
}

const figures = Object.fromEntries(Object.entries(measured).map(([build, all]) => [build, makeFigures(all)]));
const now = figures.now ?? {};
const missed = missedPageBars(now);
const ratios = figures.before && pageRatios(now, figures.before);
if (!values.json) {
  console.table(now);
  if (figures.before) console.table(figures.before);
  if (ratios) console.table(ratios);
  console.log(missed.length === 0 ? 'every page is within its bounds' : missed.join('\n'));
} else {
  const result = { keys: Number(values.keys), nodes: Number(values.nodes), pages: now, missed };
  console.log(JSON.stringify(ratios ? { ...result, before: figures.before, ratios } : result));
}
process.exit(missed.length > 0 ? 1 : 0);
