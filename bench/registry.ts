import { statSync } from 'node:fs';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { closeStore, storeFile } from '@/lib/store/open-store';
import { TestPostgres } from '../test/servers/postgres';
import { freePort, removeFolder, temporaryFolder } from '../test/servers/process';
import { startServer, untilHealthy } from '../test/servers/production-server';
import { rssPeakOf } from './figures/peak-rss';
import { fillRegistry } from './registry/fill-registry';
import { percentile } from './soak/rss-slope';

/**
 * `npm run bench -- registry --json`: 500 instances with 30 evaluated snapshots each, on the embedded database and on
 * PostgreSQL; how long the production server takes for the fleet, the jobs and what the palette (⌘K) searches. Ends
 * with 1 when a bar is missed. Snapshots are rows only: no question of these pages opens one.
 */
const { values } = parseArgs({
  options: {
    instances: { type: 'string', default: '500' },
    snapshots: { type: 'string', default: '30' },
    // Of 60 the third slowest is the 95 % one, and a server that has just started compiles for longer than that.
    requests: { type: 'string', default: '200' },
    json: { type: 'boolean' },
  },
});
const BAR_MS = 150;
const PLACES = {
  fleetPage: '/',
  fleet: '/api/fleet',
  jobsPage: '/jobs',
  jobs: '/api/jobs',
  search: '/api/instances',
  instancePage: '/instances/i00007',
} as const;
type Waits = Record<keyof typeof PLACES, { p50Ms: number; p95Ms: number }>;
interface Figures {
  waits: Waits;
  serverPeakRssMiB: number | null;
  databaseMiB: number;
}

const round = (number: number | null) => Math.round((number ?? Number.NaN) * 10) / 10;

async function measure(databaseUrl: string | null): Promise<Figures> {
  const folder = temporaryFolder('colonnade-registry-');
  process.env.COLONNADE_DATA = folder;
  if (databaseUrl === null) delete process.env.COLONNADE_DATABASE_URL;
  else process.env.COLONNADE_DATABASE_URL = databaseUrl;
  await fillRegistry(Number(values.instances), Number(values.snapshots));
  await closeStore();
  const port = await freePort();
  const child = startServer(port, folder, {
    more: databaseUrl === null ? {} : { COLONNADE_DATABASE_URL: databaseUrl },
  });
  try {
    await untilHealthy(child, port);
    const waits: Partial<Waits> = {};
    for (const [name, path] of Object.entries(PLACES)) {
      const ms: number[] = [];
      for (let i = -5; i < Number(values.requests); i++) {
        const began = performance.now();
        const answer = await fetch(`http://127.0.0.1:${port}${path}`);
        await answer.arrayBuffer();
        if (!answer.ok) throw new Error(`${path} answered ${answer.status}`);
        // The first ones load code.
        if (i >= 0) ms.push(performance.now() - began);
      }
      waits[name as keyof Waits] = { p50Ms: round(percentile(ms, 0.5)), p95Ms: round(percentile(ms, 0.95)) };
    }
    return {
      waits: waits as Waits,
      serverPeakRssMiB: rssPeakOf(child.pid),
      databaseMiB: round((await databaseBytes(databaseUrl)) / 2 ** 20),
    };
  } finally {
    child.kill('SIGKILL');
    await child.exited;
    removeFolder(folder);
  }
}

async function databaseBytes(url: string | null): Promise<number> {
  // What was written last stands in the file beside it until the next checkpoint.
  if (url === null) return ['', '-wal'].reduce((sum, end) => sum + sizeOf(`${storeFile()}${end}`), 0);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ bytes: string }>('select pg_database_size(current_database()) as bytes');
    return Number(rows[0]!.bytes);
  } finally {
    await client.end();
  }
}

const sizeOf = (file: string) => statSync(file, { throwIfNoEntry: false })?.size ?? 0;

const embedded = await measure(null);
const database = await TestPostgres.start();
const postgres = await measure(`${database.url}?schema=registry`).finally(() => database.stop());
const missed = Object.entries({ embedded, postgres }).flatMap(([dialect, { waits }]) =>
  Object.entries(waits)
    .filter(([, { p95Ms }]) => !(p95Ms <= BAR_MS))
    .map(([name, { p95Ms }]) => `${dialect} ${name}: ${p95Ms} ms (bar ${BAR_MS})`),
);
const result = { instances: Number(values.instances), snapshots: Number(values.snapshots), embedded, postgres, missed };
if (!values.json) for (const [name, value] of Object.entries(result)) console.log(name, JSON.stringify(value));
else console.log(JSON.stringify(result));
process.exit(missed.length > 0 ? 1 : 0);
