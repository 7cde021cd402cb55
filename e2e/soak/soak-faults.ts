import { join } from 'node:path';
import Database from 'better-sqlite3';
import { sleep } from '../../test/servers/process';
import type { TcpProxy } from '../../test/servers/tcp-proxy';
import { rest } from './rest';
import type { SoakServer } from './soak-server';

/** How long after a fault a request may still fail because of it, ms. */
const GRACE_MS = 5000;
export type Fault = 'kill' | 'disconnect' | 'latency' | 'store_locked';

/**
 * Causes random faults, one after the other; returns the number of each. Kills stop early, so that one process lives
 * long.
 */
export async function makeFaults(
  server: SoakServer,
  proxy: TcpProxy,
  run: { everyMs: number; killsUntil: number; stopped: () => boolean },
): Promise<Record<Fault, number>> {
  const counts = { kill: 0, disconnect: 0, latency: 0, store_locked: 0 };
  const all: Fault[] = ['kill', 'disconnect', 'latency', 'store_locked'];
  for (let turn = 0; !run.stopped(); turn++) {
    await rest(run.everyMs * (0.7 + Math.random() * 0.6), run.stopped);
    if (run.stopped()) break;
    const possible = turn === 0 || Date.now() < run.killsUntil ? all : all.slice(1);
    // Each fault occurs once before chance decides, so that a short run has them all.
    const fault = possible.find((one) => counts[one] === 0) ?? possible[Math.floor(Math.random() * possible.length)]!;
    counts[fault]++;
    server.downUntil = Number.POSITIVE_INFINITY;
    await FAULTS[fault](server, proxy);
    server.downUntil = Date.now() + GRACE_MS;
  }
  return counts;
}

const FAULTS: Record<Fault, (server: SoakServer, proxy: TcpProxy) => Promise<void>> = {
  async kill(server) {
    await server.kill();
    await sleep(500);
    await server.start();
  },
  async disconnect(_server, proxy) {
    for (let i = 0; i < 3; i++) {
      proxy.cut();
      await sleep(300);
    }
  },
  async latency(_server, proxy) {
    proxy.spoil({ kind: 'late', ms: 200 + Math.random() * 600 });
    await sleep(4000);
    proxy.spoil({ kind: 'none' });
  },
  /** Locks the database as a copy of the file, or another program, would. */
  async store_locked(server) {
    const file = new Database(join(server.folder, 'colonnade.db'), { timeout: 10_000 });
    try {
      file.exec('BEGIN IMMEDIATE');
      await sleep(3000);
      file.exec('ROLLBACK');
    } finally {
      file.close();
    }
  },
};
