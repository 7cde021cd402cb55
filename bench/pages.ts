/**
 * What a visit of each page costs a browser, over the demo's keyspace (1M keys) and a level of 100,000 nodes: the
 * production server, a real Chromium, a cold cache. With `--against DIR` (another checkout, built) both builds take
 * turns on the same data. Bounds: BARS.
 */
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { chromium } from '@playwright/test';
import { registerAndScan } from '../e2e/fixtures';
import { Stage } from '../e2e/stage';
import playwright from '../playwright.config';
import { seedStandalone } from '../scripts/seed/seed.mjs';
import { startRedis } from '../test/servers/redis';
import { BARS } from './page-bars';
import { measureDrillDown, measureVisit, type Visit } from './page-visit';
import { fillWideLevel, WIDE } from './wide-level';

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

type Figure = keyof typeof BARS;
type Figures = { firstHtmlHasContent: boolean } & Record<Figure, number | null>;

/** A million keys on a machine that does other work too: the scan is not what is measured here. */
const SCAN_WITHIN_MS = 15 * 60_000;

const redis = await startRedis();
say(`seeding ${values.keys} keys and a level of ${values.nodes} nodes`);
await seedStandalone(redis.port, { keys: Number(values.keys) });
await fillWideLevel(redis.client(), Number(values.nodes));
const first = await Stage.open();
const instance = await registerAndScan(
  first,
  {
    name: 'mall',
    topology: 'standalone',
    endpoints: [{ host: '127.0.0.1', port: redis.port }],
  },
  SCAN_WITHIN_MS,
);
const at = (page: string) => `/instances/${instance.id}${page}`;
// Pages are visited once everything behind them is ready, as on most days.
for (let preparing: unknown = true; preparing; )
  ({ preparing } = await first.ask<{ preparing?: unknown }>(
    'GET',
    `/api/snapshots/${instance.snapshotId}/reports/overview`,
  ));

const PAGES: Record<string, string> = {
  fleet: '/',
  overview: at(''),
  findings: at('/findings'),
  rule: at('/findings/N8'),
  tree: at('/tree'),
  wideLevel: at(`/tree?prefix=${encodeURIComponent(WIDE)}`),
  bigkeys: at('/bigkeys'),
  ttl: at('/ttl'),
  slots: at('/slots'),
  keys: at('/keys'),
  types: at('/types'),
  sizes: at('/sizes'),
  names: at('/names'),
  patterns: at('/patterns'),
  idle: at('/idle'),
  server: at('/server'),
  policy: at('/policy'),
  deletions: at('/deletions'),
  jobs: '/jobs',
  profiles: '/profiles',
  profile: '/profiles/S2',
  audit: '/audit',
};

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
const visits: { build: string; page: string; visit: Visit }[] = [];
const drills: { build: string; ms: number }[] = [];
try {
  for (let round = 0; round < Number(values.rounds); round++)
    for (const [build, stage] of Object.entries(stages))
      for (const [page, path] of Object.entries(PAGES)) {
        visits.push({ build, page, visit: await measureVisit(browser, stage.origin + path) });
        if (page === 'tree') drills.push({ build, ms: await measureDrillDown(browser, stage.origin + path) });
      }
} finally {
  await browser.close();
  for (const stage of Object.values(stages)) await stage.close();
  await redis.stop();
}

const median = (numbers: number[]) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;
function figuresOf(build: string): Record<string, Figures> {
  const drillDownMs = median(drills.filter((one) => one.build === build).map(({ ms }) => ms));
  return Object.fromEntries(
    Object.keys(PAGES).map((page) => {
      const some = visits.filter((one) => one.build === build && one.page === page).map(({ visit }) => visit);
      const middle = (of: (visit: Visit) => number) => median(some.map(of));
      return [
        page,
        {
          firstHtmlHasContent: some.every((visit) => visit.firstHtmlHasContent),
          scriptGzipKiB: middle((visit) => visit.scriptGzipKiB),
          cpuMsPerVisit: middle((visit) => visit.cpuMs),
          drillDownMs: page === 'tree' ? drillDownMs : null,
          longTasksOver100ms: middle((visit) => visit.longTasksOver100ms),
          domNodes: middle((visit) => visit.domNodes),
        },
      ];
    }),
  );
}

const pages = figuresOf('now');
const missed = Object.entries(pages).flatMap(([page, figures]) => [
  ...(figures.firstHtmlHasContent ? [] : [`${page}: no content in the first HTML`]),
  ...(Object.keys(BARS) as Figure[])
    .filter((figure) => (figures[figure] ?? 0) > BARS[figure])
    .map((figure) => `${page}: ${figure} ${figures[figure]} (at most ${BARS[figure]})`),
]);
if (!values.json) {
  console.table(pages);
  if (stages.before) console.table(figuresOf('before'));
  console.log(missed.length === 0 ? 'every page is within its bounds' : missed.join('\n'));
} else {
  const result = { keys: Number(values.keys), nodes: Number(values.nodes), pages, missed };
  console.log(JSON.stringify(stages.before ? { ...result, before: figuresOf('before') } : result));
}
