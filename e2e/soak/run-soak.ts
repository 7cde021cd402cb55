import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { removeFolder, sleep, temporaryFolder } from '../../test/servers/process';
import { startRedis } from '../../test/servers/redis';
import { startTcpProxy } from '../../test/servers/tcp-proxy';
import { startDeadServer } from './dead-server';
import { makeAdmin, makeStaff, visit } from './people';
import { rest } from './rest';
import { newTotals, type Person, SoakClient } from './soak-client';
import { SoakDeletions } from './soak-deletions';
import { type Fault, makeFaults } from './soak-faults';
import { SoakServer } from './soak-server';

export interface SoakResult {
  requests: number;
  /** Number of requests that failed at a time that no fault explains. */
  errors: number;
  invariantsBroken: number;
  unhandledRejections: number;
  scans: number;
  keysDeleted: number;
  keysRestored: number;
  faults: Record<Fault, number>;
  broken: string[];
  failures: Record<string, number>;
}

/** After this share of the time the process is no longer killed, so that deletions can finish. */
const KILLS_SHARE = 0.3;
/** Pause between two scans of an instance; teams scan once an hour or a day. */
const SCAN_PAUSE_MS = 20_000;
const CLI = join(import.meta.dirname, '../../dist/colonnade.mjs');

/**
 * Runs the built server under everything at once: twenty users, scans, deletions with undo, and faults (kill -9, cut
 * and slow connections to Redis, a locked store, a server that never works). The promises are checked throughout and at
 * the end.
 */
export async function runSoak(options: { minutes: number }): Promise<SoakResult> {
  const folder = temporaryFolder('colonnade-soak-');
  const [server, redisA, redisB] = await Promise.all([SoakServer.open(folder), startRedis(), startRedis()]);
  const [proxy, dead] = await Promise.all([startTcpProxy(redisA.port), startDeadServer()]);
  const totals = newTotals();
  const client = new SoakClient(server, totals);
  try {
    const admin = await makeAdmin(client);
    const staff = await makeStaff(client, admin);
    const instances: { id: string; name: string }[] = [];
    for (const [name, port] of [
      ['canary-orders', proxy.port],
      ['canary-carts', redisB.port],
    ] as const)
      instances.push(await register(client, admin, name, port));
    const { id: deadId } = await register(client, admin, 'dead', dead.port);
    const works = [redisA, redisB].map(
      (redis, i) => new SoakDeletions(client, staff.operators[i]!, instances[i]!, redis.client()),
    );
    for (const work of works) await work.seed();

    const began = Date.now();
    const end = began + options.minutes * 60_000;
    const killsUntil = began + options.minutes * 60_000 * KILLS_SHARE;
    const stopped = () => Date.now() >= end;
    const turnMs = (maxMs: number) => Math.min(maxMs, (end - began) / 8);
    const leases = new LeaseWatch(server, totals.broken);
    const ids = instances.map(({ id }) => id);
    const visits = [admin, ...staff.operators].map((person) => ({ person, maySee: true, mayWrite: true }));
    for (const person of staff.viewers) visits.push({ person, maySee: true, mayWrite: false });
    for (const person of staff.strangers) visits.push({ person, maySee: false, mayWrite: false });
    let scans = 0;
    const [faults] = await Promise.all([
      makeFaults(server, proxy, { everyMs: turnMs(20_000), killsUntil, stopped }),
      ...visits.map(({ person, ...run }) => visit(client, person, ids, 'canary-', { ...run, deadId, stopped })),
      ...instances.map(async ({ id }, i) => {
        for (; !stopped(); await rest(SCAN_PAUSE_MS, stopped))
          if (await scan(client, staff.operators[i + 2]!, id)) scans++;
      }),
      ...works.map((work) => work.run(stopped)),
      dead.takeTurns(turnMs(30_000), stopped),
      (async () => {
        for (; !stopped(); await sleep(1000)) leases.look();
      })(),
    ]);
    for (const work of works) await work.finish();
    if (server.endings > 0) totals.broken.push('the server ended by itself');
    const log = server.log;
    await server.kill();
    verifyAudit(server.folder, totals.broken);
    return {
      requests: totals.requests,
      errors: totals.errors,
      invariantsBroken: totals.broken.length,
      unhandledRejections: (log.match(/unhandled ?rejection|uncaught ?exception|PromiseRejection/gi) ?? []).length,
      scans,
      keysDeleted: works.reduce((sum, work) => sum + work.deleted, 0),
      keysRestored: works.reduce((sum, work) => sum + work.restored, 0),
      faults,
      broken: totals.broken.slice(0, 20),
      failures: Object.fromEntries([...totals.failures].toSorted((a, b) => b[1] - a[1]).slice(0, 20)),
    };
  } finally {
    await server.kill();
    await Promise.all([proxy.close(), dead.stop(), redisA.stop(), redisB.stop()]);
    removeFolder(folder);
  }
}

async function register(client: SoakClient, admin: Person, name: string, port: number) {
  const endpoints = [{ host: '127.0.0.1', port }];
  const input = { name, topology: 'standalone', endpoints, readOnly: false };
  const { instance } = await client.ask<{ instance: { id: string } }>(admin, 'POST', '/api/instances', input);
  return { id: instance.id, name };
}

/** Starts a scan, or waits for one that already runs; returns whether it succeeded. */
async function scan(client: SoakClient, operator: Person, instanceId: string): Promise<boolean> {
  const path = `/api/instances/${instanceId}/scans`;
  const started = await client
    .ask<{ job: { id: string } }>(operator, 'POST', path, { speed: 'fast' })
    .catch(() => null);
  if (started === null) return false;
  for (const end = Date.now() + 120_000; Date.now() < end; await sleep(700)) {
    const { job } = await client.ask<{ job: { state: string } }>(operator, 'GET', `/api/jobs/${started.job.id}`);
    if (job.state === 'paused')
      await client.ask(operator, 'POST', `/api/jobs/${started.job.id}/resume`).catch(() => {});
    if (['succeeded', 'failed', 'cancelled'].includes(job.state)) return job.state === 'succeeded';
  }
  return false;
}

/** Checks that a job has one owner, and that another one has a higher fence. */
class LeaseWatch {
  private readonly seen = new Map<string, { owner: string | null; fence: number }>();

  constructor(
    private readonly server: SoakServer,
    private readonly broken: string[],
  ) {}

  look(): void {
    let file: Database.Database | undefined;
    try {
      file = new Database(join(this.server.folder, 'colonnade.db'), { readonly: true, timeout: 100 });
      const rows = file.prepare('select id, lease_owner as owner, lease_fence as fence from jobs').all() as {
        id: string;
        owner: string | null;
        fence: number;
      }[];
      for (const { id, owner, fence } of rows) {
        const before = this.seen.get(id);
        const taken = before && owner !== null && before.owner !== null && owner !== before.owner;
        if (before && fence < before.fence)
          this.broken.push(`job ${id}: the fence fell from ${before.fence} to ${fence}`);
        if (taken && fence === before.fence) this.broken.push(`job ${id} is held by two`);
        this.seen.set(id, { owner: owner ?? before?.owner ?? null, fence });
      }
    } catch (error) {
      // The database is locked at this moment, so it is read again in a second.
      if (!/locked|busy/i.test(String(error))) throw error;
    } finally {
      file?.close();
    }
  }
}

function verifyAudit(folder: string, broken: string[]): void {
  try {
    const env = { ...process.env, COLONNADE_DATA: folder };
    execFileSync(process.execPath, [CLI, 'audit', 'verify'], { env, stdio: 'pipe' });
  } catch (error) {
    broken.push(
      `the audit log does not verify: ${String((error as { stderr?: Buffer }).stderr ?? error).slice(0, 200)}`,
    );
  }
}
