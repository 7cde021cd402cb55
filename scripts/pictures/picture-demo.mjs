import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startChild, stopChildren } from '../demo/children.mjs';
import { Colonnade } from '../demo/colonnade.mjs';
import { root } from '../run.mjs';
import { Wire } from '../seed/wire.mjs';

/** Number of keys that includes every kind of key of the demo. */
const KEYS = 6000;
const FIRST_PORT = 3400;
const WITHIN_MS = 200_000;

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
  const said = () => readFileSync(join(folder, 'demo.log'), 'utf8');
  const until = Date.now() + WITHIN_MS;
  while (!said().includes('Colonnade is ready')) {
    if (ended || Date.now() > until) throw new Error(`The demo did not start:\n${said()}`);
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  const { web, standalone } = JSON.parse(readFileSync(join(folder, 'demo.json'), 'utf8'));
  await forgetSlowness(standalone);
  const origin = `http://127.0.0.1:${web}`;
  const colonnade = new Colonnade(origin);
  const mall = await scanned(colonnade, 'mall');
  const { plan } = await colonnade.ask('POST', '/api/deletions/plans', {
    task: 'delete',
    instanceId: mall.id,
    selection: { by: 'filter', snapshotId: mall.snapshotId, filter: { prefix: 'mall:' } },
    options: { mode: 'unlink' },
  });
  return {
    origin,
    mall,
    social: await scanned(colonnade, 'social'),
    planId: plan.id,
    async end() {
      await stopChildren();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Clears the slow log: the slow commands differ every time, and pages list them. */
async function forgetSlowness(port) {
  const wire = await Wire.open(port);
  await wire.command('SLOWLOG', 'RESET');
  await wire.command('LATENCY', 'RESET');
  wire.close();
}

async function scanned(colonnade, name) {
  const { instances } = await colonnade.ask('GET', '/api/instances');
  const { id } = instances.find((instance) => instance.name === name);
  const { snapshots } = await colonnade.ask('GET', `/api/instances/${id}/snapshots`);
  return { id, name, snapshotId: snapshots[0].id };
}
