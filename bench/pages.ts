/**
 * What a visit of each page costs a browser, over the demo's keyspace (1M keys) and a level of 100,000 nodes, and what
 * a hover or a key costs in the tree: the production server, a real Chromium, a cold cache. With `--against DIR`
 * (another checkout, built) both builds take turns on the same data. Ends with 1 when a bar is missed: PAGE_BARS.
 */
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { chromium } from '@playwright/test';
import { Stage } from '../e2e/stage';
import playwright from '../playwright.config';
import { seedStandalone } from '../scripts/seed/seed.mjs';
import { startRedis } from '../test/servers/redis';
import { figuresOf, type Measured } from './pages/figures-of';
import { measureDrillDown } from './pages/measure-drill-down';
import { measureInput } from './pages/measure-input';
import { measureVisit } from './pages/measure-visit';
import { openStage } from './pages/open-stage';
import { missedPageBars } from './pages/page-bars';
import { drillDowns, pagesToVisit, TREES } from './pages/pages-to-visit';
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
const { stage: first, subjects } = await openStage(redis);
const pages = pagesToVisit(subjects);

const stages: Record<string, Stage> = { now: first };
if (values.against) {
  const folder = first.folder;
  const other = await Stage.open({}, join(values.against, '.next/standalone/server.js'));
  await first.end('SIGTERM');
  await other.end('SIGTERM');
  cpSync(folder, other.folder, { recursive: true });
  await first.start();
  await other.start();
  stages.before = other;
}

const browser = await chromium.launch(playwright.use?.launchOptions);
const measured: Record<string, Measured> = {};
try {
  for (let round = 0; round < Number(values.rounds); round++)
    for (const [build, { origin }] of Object.entries(stages)) {
      measured[build] ??= { visits: [], drills: [], inputs: [] };
      const { visits, drills, inputs } = measured[build];
      for (const [page, path] of Object.entries(pages))
        visits.push({ page, visit: await measureVisit(browser, origin + path) });
      for (const { page, path, node } of drillDowns(pages))
        drills.push({ page, path, ms: await measureDrillDown(browser, origin + path, node) });
      for (const page of TREES) inputs.push({ page, costs: await measureInput(browser, origin + pages[page]) });
    }
} finally {
  await browser.close();
  for (const stage of Object.values(stages)) await stage.close();
  await redis.stop();
}

const figures = Object.fromEntries(Object.entries(measured).map(([build, all]) => [build, figuresOf(all)]));
const now = figures.now ?? {};
const missed = missedPageBars(now);
if (!values.json) {
  console.table(now);
  if (figures.before) console.table(figures.before);
  console.log(missed.length === 0 ? 'every page is within its bounds' : missed.join('\n'));
} else {
  const result = { keys: Number(values.keys), nodes: Number(values.nodes), pages: now, missed };
  console.log(JSON.stringify(figures.before ? { ...result, before: figures.before } : result));
}
process.exit(missed.length > 0 ? 1 : 0);
