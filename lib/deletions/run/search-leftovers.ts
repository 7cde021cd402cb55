import type { DeletionHooks } from '@/lib/deletions/executor/deletion-hooks';
import { NodeExecutor } from '@/lib/deletions/executor/node-executor';
import { StopRequested } from '@/lib/deletions/executor/run-errors';
import type { Progress } from '@/lib/model/job';
import { encodeKey } from '@/lib/model/keys/key-id';
import type { ConnectionTarget } from '@/lib/model/servers/instance';
import { openSession } from '@/lib/redis/connection/connect';
import type { DestinationPolicy } from '@/lib/redis/connection/session';
import { computeScanBounds, ScanGuard } from '@/lib/redis/protocol/scan-guard';
import { readServerProcess } from '@/lib/redis/scan/scan-partition';
import { readKeyspace } from '@/lib/redis/server/keyspace';
import { readIdentity } from '@/lib/redis/server/read-identity';
import { readInternalKeys } from '@/lib/redis/write/read-internal-keys';
import type { WritingChannel } from '@/lib/redis/write/types';
import { WriteFailure } from '@/lib/redis/write/write-failure';
import { claimDeletions } from './claim-deletions';
import { countKeysRead, type LeftoversCheckpoint, type LeftoversPlace } from './leftovers-checkpoint';

/** This is enough to see what happened; more of them have the same cause. */
const MAX_FOUND = 1000;
const SAVE_EVERY_MS = 1000;
const REPORT_EVERY_MS = 500;

/**
 * Searches the names of all masters for internal keys, throttled like every job, without changing anything. `state` is
 * updated in place and saved about once a second, so that an interrupted search continues from its cursor. A cursor is
 * valid only in the process that returned it. Therefore the connection that continues is asked for its run id: behind a
 * balancer it may reach another server than the session. The search of a database begins again if it is another one.
 */
export async function searchLeftovers(run: {
  target: ConnectionTarget;
  policy: DestinationPolicy;
  hooks: DeletionHooks;
  state: LeftoversCheckpoint;
  save(state: LeftoversCheckpoint): Promise<void>;
  /** Whether an administrator of all instances started it (`claimDeletions`). */
  byAdministrator: boolean;
}): Promise<'done' | 'stopped'> {
  const { hooks, state, save } = run;
  const session = await openSession(run.target, run.policy, { clientName: 'colonnade-search', signal: hooks.signal });
  try {
    const masters = session.nodes.filter((node) => node.role === 'master');
    const usable = masters.filter((node) => !session.problems.has(node.address));
    state.skipped = masters.filter((node) => !usable.includes(node)).map((node) => node.address);
    const wanted = [];
    for (const node of usable)
      for (const { db, keys } of (await readKeyspace(session, node.address)).databases)
        wanted.push({ node, keys, place: findOrBeginPlace(state, node.address, db, keys) });
    for (const { node, keys, place } of wanted) {
      if (state.cut) continue;
      const executor = new NodeExecutor(session, node, hooks, 'read');
      // The reason for waiting is reported during the wait, not after it.
      const reportProgress = () => hooks.report({ progress: buildProgress(state), reason: executor.throttle.reason });
      const ticker = setInterval(reportProgress, REPORT_EVERY_MS);
      try {
        await searchDatabase(executor, place, keys, run);
      } finally {
        clearInterval(ticker);
        await executor.close();
      }
    }
    await claimDeletions(run.target.id, await readIdentity(session), {
      keys: state.found,
      byAdministrator: run.byAdministrator,
    });
    return 'done';
  } catch (error) {
    if (error instanceof StopRequested || hooks.stopRequested() !== null) return 'stopped';
    throw error;
  } finally {
    await session.close();
    await save(state);
  }
}

/** Returns the progress of a database, or begins its search. */
function findOrBeginPlace(
  state: LeftoversCheckpoint,
  address: string,
  db: number,
  keys: number | null,
): LeftoversPlace {
  const known = state.places.find((place) => place.address === address && place.db === db);
  if (known) return known;
  const place = { address, runId: null, db, cursor: '0', done: false, keys, keysRead: 0 };
  state.places.push(place);
  return place;
}

/** Begins the search of a database again if its cursor is of another process than `runId`, or of an unknown one. */
function beginAgainElsewhere(
  state: LeftoversCheckpoint,
  place: LeftoversPlace,
  runId: string | null,
  keys: number | null,
): void {
  if (runId !== null && place.runId === runId) return;
  Object.assign(place, { runId, cursor: '0', done: false, keys, keysRead: 0 });
  state.found = state.found.filter((one) => one.address !== place.address || one.db !== place.db);
}

/** Returns the run id of the server on this connection; null if the user may not read it. */
async function readRunId(channel: WritingChannel): Promise<string | null> {
  try {
    return (await readServerProcess(channel)).runId;
  } catch (error) {
    if (error instanceof WriteFailure && error.kind === 'denied') return null;
    throw error;
  }
}

async function searchDatabase(
  executor: NodeExecutor,
  place: LeftoversPlace,
  keys: number | null,
  { hooks, state, save }: Pick<Parameters<typeof searchLeftovers>[0], 'hooks' | 'state' | 'save'>,
): Promise<void> {
  const { address, db } = place;
  const channel = await executor.channel(db);
  beginAgainElsewhere(state, place, await readRunId(channel), keys);
  const here = state.found.filter((one) => one.address === address && one.db === db);
  // SCAN may return a name twice.
  const seen = new Set(here.map((one) => one.k));
  let savedAt = performance.now();
  const guard = new ScanGuard(computeScanBounds(place.keys), place.cursor);
  while (!place.done && !state.cut) {
    const count = executor.throttle.count();
    const page = await readInternalKeys(channel, place.cursor, count);
    for (const { name, ...one } of page.found) {
      const k = encodeKey(name);
      if (seen.has(k)) continue;
      seen.add(k);
      if (state.found.length >= MAX_FOUND) state.cut = true;
      else state.found.push({ ...one, k, db, address });
    }
    guard.addPage(page.cursor, page.found.length, count);
    place.cursor = page.cursor;
    place.done = page.cursor === '0';
    place.keysRead = Math.min(place.keysRead + count, place.keys ?? Number.POSITIVE_INFINITY);
    if (place.done && place.keys !== null) place.keysRead = place.keys;
    hooks.report({ progress: buildProgress(state), reason: executor.throttle.reason });
    if (performance.now() - savedAt < SAVE_EVERY_MS) continue;
    savedAt = performance.now();
    await save(state);
  }
}

function buildProgress(state: LeftoversCheckpoint): Progress {
  const total = state.places.reduce<number | null>((n, { keys }) => (n === null || keys === null ? null : n + keys), 0);
  const unmeasured = { ratePerSecond: null, etaSeconds: null, nodes: [] };
  return { phase: 'scanning', unit: 'keys', done: countKeysRead(state), total, ...unmeasured };
}
