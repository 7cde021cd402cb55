import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startChild, stopChildren } from '../demo/children.mjs';
import { Colonnade } from '../demo/colonnade.mjs';
import { root } from '../run.mjs';
import { Wire } from '../seed/wire.mjs';

/** Number of keys that includes every kind of key of the demo. */
const KEYS = 6000;
const FIRST_PORT = 3400;
/** The demo must be ready within this time. */
const TIMEOUT_MS = 200_000;

/** Starts a separate demo to take pictures of: new, small, and with the same keys every time. */
export async function startPictureDemo() {
  const folder = mkdtempSync(join(tmpdir(), 'colonnade-pictures-'));
  const options = ['--keys', String(KEYS), '--port', String(FIRST_PORT), '--folder', folder];
  const args = [join(root, 'scripts/demo.mjs'), ...options];
  let ended = false;
  const onExit = () => {
    ended = true;
  };
  startChild('demo', process.execPath, args, { folder, cwd: root, onExit });
  const readLog = () => readFileSync(join(folder, 'demo.log'), 'utf8');
  const until = Date.now() + TIMEOUT_MS;
  while (!readLog().includes('Colonnade is ready')) {
    if (ended || Date.now() > until) throw new Error(`The demo did not start:\n${readLog()}`);
    await sleep(200);
  }
  const { web, standalone } = JSON.parse(readFileSync(join(folder, 'demo.json'), 'utf8'));
  await clearSlowlog(standalone);
  const origin = `http://127.0.0.1:${web}`;
  const colonnade = new Colonnade(origin);
  const mall = await findScanned(colonnade, 'mall');
  const { plan } = await colonnade.ask('POST', '/api/deletions/plans', {
    task: 'delete',
    instanceId: mall.id,
    selection: { by: 'filter', snapshotId: mall.snapshotId, filter: { prefix: 'mall:' } },
    options: { mode: 'unlink' },
  });
  return {
    origin,
    mall,
    social: await findScanned(colonnade, 'social'),
    planId: plan.id,
    async end() {
      await stopChildren();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Clears the slow log and the latency events, which differ every time and which pages list. */
async function clearSlowlog(port) {
  const wire = await Wire.open(port);
  await wire.command('SLOWLOG', 'RESET');
  await wire.command('LATENCY', 'RESET');
  wire.close();
}

/** The instance of this name, with its newest snapshot. */
async function findScanned(colonnade, name) {
  const { instances } = await colonnade.ask('GET', '/api/instances');
  const { id } = instances.find((instance) => instance.name === name);
  const { snapshots } = await colonnade.ask('GET', `/api/instances/${id}/snapshots`);
  return { id, name, snapshotId: snapshots[0].id };
}
