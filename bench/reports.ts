/**
 * Every report on a generated snapshot (10M keys by default), drilled down at three depths; report-routes.ts says what
 * is asked. Asks the functions directly. An existing folder is reused: `--dir`.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { runReport } from '@/lib/reports/run-report';
import { warmReports } from '@/lib/reports/warm-reports';
import { readManifest } from '@/lib/snapshots/manifest';
import { generateSnapshot, peakRss } from './generate-snapshot';
import { measureRoutes, nodesByDepth } from './report-routes';

const { values } = parseArgs({
  options: {
    keys: { type: 'string', default: '10000000' },
    dir: { type: 'string', default: '/tmp/colonnade-generated/snapshot' },
    nodes: { type: 'string', default: '40' },
    json: { type: 'boolean', default: false },
  },
});
const say = (text: string) => values.json || console.log(text);
const { dir } = values;

if (!existsSync(join(dir, 'snapshot.json')) || (await readManifest(dir)).keys !== Number(values.keys)) {
  say(`generating ${values.keys} keys`);
  say(JSON.stringify(await generateSnapshot(dir, Number(values.keys), false)));
}
const ref = { dir, manifest: await readManifest(dir) };
const watch = peakRss();
const began = performance.now();
const { answers } = await warmReports(ref);
if (answers > 0) say(`${answers} answers computed ahead in ${((performance.now() - began) / 1000).toFixed(1)} s`);
const ask = (...[report, query]: Parameters<Parameters<typeof nodesByDepth>[0]>) => runReport(ref, report, query);
const depths = await nodesByDepth(ask, Number(values.nodes));
say(`nodes per depth: ${depths.map((d) => d.length).join(', ')}`);
const { routes, warmP95Ms } = await measureRoutes(ask, depths);
for (const r of routes)
  say(
    `${r.route.padEnd(18)} p50 ${r.warmP50Ms} ms, p95 ${r.warmP95Ms} ms, max ${r.warmMaxMs} ms (${r.samples}); cold ${r.coldMs} ms`,
  );
console.log(JSON.stringify({ bench: 'reports', keys: ref.manifest.keys, routes, warmP95Ms, peakRssMiB: watch() }));
