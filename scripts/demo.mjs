/**
 * `npm run demo [-- --fresh] [-- --keys N]`: starts real Redis servers with a keyspace like that of real teams and the
 * production build of Colonnade, registers both servers there and scans them. Ctrl-C ends everything. State is in
 * .demo/: the ports and the data of Colonnade stay the same until --fresh.
 */

import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { startChild, stopChildren } from './demo/children.mjs';
import { Colonnade } from './demo/colonnade.mjs';
import { startCluster, startStandalone } from './demo/redis.mjs';
import { endWithNpm } from './end-with-npm.mjs';
import { COMMAND, ensureBuild } from './ensure/build.mjs';
import { ensurePackages } from './ensure/packages.mjs';
import { ensureRedis } from './ensure/redis.mjs';
import { freePortFrom, isFree } from './free-port.mjs';
import { note, root, stop } from './run.mjs';
import { seedCluster, seedStandalone } from './seed/seed.mjs';

endWithNpm();
const { values: options } = parseArgs({
  options: {
    fresh: { type: 'boolean', default: false },
    keys: { type: 'string', default: '330000' },
    port: { type: 'string', default: process.env.PORT ?? '3000' },
    folder: { type: 'string', default: '.demo' },
  },
});
const keys = Number(options.keys);
if (!Number.isInteger(keys) || keys < 1000) stop('--keys must be a whole number of at least 1000.');
/** The share of the keys that the standalone server gets; the cluster gets the others. */
const STANDALONE_SHARE = 0.64;
/** A bigkey of the first instance that is deleted after the scan, so that there is a deletion to look at and to undo. */
const DELETED_KEY = 'user:blocked';
const NOBODY_SIGNS_IN =
  'Nobody signs in: whoever uses this machine is the administrator (COLONNADE_SINGLE_USER=1). For a demo only.';
const folder = resolve(root, options.folder);
const stateFile = join(folder, 'demo.json');
const formatCount = (count) => count.toLocaleString('en');
const formatSeconds = (since) => `${((performance.now() - since) / 1000).toFixed(1)} s`;

function readState() {
  return existsSync(stateFile) ? JSON.parse(readFileSync(stateFile, 'utf8')) : {};
}

/** Whether an earlier demo runs. The operating system reuses process ids, so its address must answer too. */
async function isRunning({ pid, web }) {
  try {
    if (!pid || !process.kill(pid, 0)) return false;
    return (await fetch(`http://127.0.0.1:${web}/api/health`, { signal: AbortSignal.timeout(2000) })).ok;
  } catch {
    return false;
  }
}

const before = readState();
if (await isRunning(before)) {
  stop(`The demo already runs at http://127.0.0.1:${before.web} (process ${before.pid}). End it first.`);
}
await ensurePackages();
const redis = await ensureRedis();
await ensureBuild();

if (options.fresh) rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true, mode: 0o700 });

/** A node of a cluster listens on a second port for the other nodes, which is 10,000 higher. */
const areBothFree = async (port) => (await isFree(port)) && (await isFree(port + 10_000));
const last = readState();
const standalone = await freePortFrom(last.standalone ?? 16_379);
const cluster = [];
for (const [index, port] of (last.cluster ?? [17_001, 17_002, 17_003]).entries()) {
  cluster.push(await freePortFrom(Math.max(port, (cluster[index - 1] ?? 0) + 1), areBothFree));
}
const web = await freePortFrom(Number(options.port));
writeFileSync(stateFile, `${JSON.stringify({ pid: process.pid, standalone, cluster, web })}\n`);

let ending = false;
async function end(code) {
  if (ending) return;
  ending = true;
  await stopChildren();
  writeFileSync(stateFile, `${JSON.stringify({ standalone, cluster, web })}\n`);
  process.exit(code);
}
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, () => {
    note('\nStopping everything the demo started …');
    end(0);
  });
}
const onExit = (name) => {
  note(`${name} ended by itself; see ${join(folder, `${name}.log`)}`);
  end(1);
};

try {
  let since = performance.now();
  await startStandalone(redis, standalone, folder, onExit);
  await startCluster(redis, cluster, folder, onExit);
  note(`Redis: one standalone on ${standalone}, a cluster on ${cluster.join(', ')}  (${formatSeconds(since)})`);

  since = performance.now();
  const seeded = await Promise.all([
    seedStandalone(standalone, { keys: Math.round(keys * STANDALONE_SHARE) }),
    seedCluster(cluster, { keys: Math.round(keys * (1 - STANDALONE_SHARE)) }),
  ]);
  note(`Seeded ${formatCount(seeded[0])} + ${formatCount(seeded[1])} keys  (${formatSeconds(since)})`);

  const origin = `http://127.0.0.1:${web}`;
  const server = startChild('colonnade', process.execPath, [COMMAND, 'serve'], {
    folder,
    cwd: root,
    env: {
      COLONNADE_DATA: join(folder, 'data'),
      COLONNADE_SINGLE_USER: '1',
      COLONNADE_DEMO: '1',
      HOST: '127.0.0.1',
      PORT: String(web),
    },
    onExit,
  });
  const colonnade = new Colonnade(origin);
  await colonnade.waitUntilUp(() => server.exitCode === null);
  note(`Colonnade: ${origin}  (still reading the keys)\n${NOBODY_SIGNS_IN}`);

  const toEndpoint = (port) => ({ host: '127.0.0.1', port });
  const instances = [
    {
      name: 'mall',
      topology: 'standalone',
      endpoints: [toEndpoint(standalone)],
      tags: ['shop', 'demo'],
      environment: 'staging',
      owner: 'Mall team',
      // This instance is a playground for trying deletions. The other one is read-only and shows how that refuses.
      readOnly: false,
    },
    {
      name: 'social',
      topology: 'cluster',
      endpoints: cluster.map(toEndpoint),
      destinations: cluster.map((port) => `127.0.0.1:${port}`),
      tags: ['social', 'demo'],
      environment: 'production',
      owner: 'Social team',
      production: true,
    },
  ];
  since = performance.now();
  /** Keys read so far, by instance. */
  const keysRead = instances.map(() => 0);
  const showProgress = () => {
    if (process.stderr.isTTY)
      process.stderr.write(`\rScanning … ${formatCount(keysRead.reduce((a, b) => a + b))} keys read `);
  };
  const ids = await Promise.all(instances.map((settings) => colonnade.register(settings)));
  const jobs = await Promise.all(
    ids.map((id, index) =>
      colonnade.scan(id, (done) => {
        keysRead[index] = done;
        showProgress();
      }),
    ),
  );
  if (process.stderr.isTTY) process.stderr.write('\r\u001b[K');
  for (const [index, job] of jobs.entries()) {
    const outcome =
      job.state === 'succeeded' ? `${formatCount(keysRead[index])} keys` : `${job.state} ${job.error?.message ?? ''}`;
    note(`Scan of ${instances[index].name}: ${outcome}  (${formatSeconds(since)})`);
  }
  const deleted = await colonnade.deleteKey(ids[0], DELETED_KEY);
  note(`Deletion of ${DELETED_KEY}, which can be undone: ${deleted.state}`);
  note(`\n  Colonnade is ready:  ${origin}\n  ${NOBODY_SIGNS_IN}\n\n  Ctrl-C stops everything. State: ${folder}`);
} catch (error) {
  if (!ending) note(`The demo could not start: ${error.message}`);
  await end(1);
}
