import { evaluate } from '@/lib/rules/evaluate/evaluate';
import { evaluateSoon } from '@/lib/rules/findings/evaluate-soon';
import { rollUpSoon } from '@/lib/rules/findings/roll-up-soon';
import { buildCheckingError } from '@/lib/rules/findings/wait-for-evaluation';
import { compilePolicy, toPolicyFacts } from '@/lib/rules/policy/compile-policy';
import { getEffectivePolicy } from '@/lib/rules/policy/effective-policy';
import { isStandardPolicy } from '@/lib/rules/policy/standard-policies';
import { log } from '@/lib/runtime/log';
import { readManifest } from '@/lib/snapshots/folder/manifest';
import { getSnapshotFolder } from '@/lib/snapshots/folder/snapshot-folder';
import { bringKeys } from '@/lib/snapshots/remote/bring-snapshot';
import { uploadSoon } from '@/lib/snapshots/remote/upload-soon';
import { getSnapshotRow } from '@/lib/store/snapshots';
import {
  CLAIM_MS,
  type ClaimedWish,
  claimWishes,
  endWish,
  giveBackWish,
  renewWish,
  type Wish,
} from '@/lib/store/wishes';
import { compareBothFindings, coversAllKeys } from './compare/find-changes';
import { findKeyDifferences } from './compare/find-key-differences';

/** How often the table of wishes is read, in ms. `wake` announces most wishes earlier. */
const POLL_MS = 500;
/** Wishes that are served at the same time: as many as the lane `work` of DuckDB has connections. */
const MAX_WISHES_AT_ONCE = 4;

/**
 * Serves the wishes that pages have stored for a worker, until it is stopped. Call `wake` when there may be a new one.
 */
export function serveWishes(): { wake(): void; stop(): Promise<void> } {
  const abort = new AbortController();
  const running = new Map<ClaimedWish, Promise<void>>();
  let claiming: Promise<void> | null = null;
  const startServing = (claimed: ClaimedWish) => {
    running.set(
      claimed,
      serveWish(claimed, abort.signal).finally(() => running.delete(claimed)),
    );
  };
  const claimFreeWishes = async () => {
    const freePlaces = MAX_WISHES_AT_ONCE - running.size;
    const mustStayAlone = [...running.keys()].some(({ alone }) => alone);
    if (freePlaces === 0 || abort.signal.aborted || mustStayAlone) return;
    for (const claimed of await claimWishes(freePlaces, running.size === 0)) startServing(claimed);
  };
  const wake = () => {
    // The store logs its failures itself, and the next attempt follows soon.
    claiming ??= claimFreeWishes()
      .catch(() => {})
      .finally(() => {
        claiming = null;
      });
  };
  const timer = setInterval(wake, POLL_MS);
  timer.unref();
  return {
    wake,
    async stop() {
      clearInterval(timer);
      abort.abort();
      await claiming;
      await Promise.all(running.values());
    },
  };
}

async function serveWish({ id, wish }: ClaimedWish, signal: AbortSignal): Promise<void> {
  const timer = setInterval(() => void renewWish(id).catch(() => {}), CLAIM_MS / 3);
  timer.unref();
  try {
    const answer = await computeAnswer(wish, signal);
    await (signal.aborted ? giveBackWish(id) : endWish(id, { answer }));
  } catch (error) {
    if (!signal.aborted) log().warn({ kind: wish.kind, err: error }, 'wish.failed');
    // The process that made the wish reads the error from its row. If it cannot be written now, the wish is served
    // again when its claim has expired.
    await (signal.aborted ? giveBackWish(id) : endWish(id, { error })).catch(() => {});
  } finally {
    clearInterval(timer);
  }
}

/** Computes the answer to one wish. undefined: the result is only in files of the snapshot's folder. */
async function computeAnswer(wish: Wish, signal: AbortSignal): Promise<unknown> {
  if (wish.kind === 'check') return evaluateSoon(wish.instanceId);
  const { snapshotId } = wish;
  const answer = await prepareSnapshot(wish, signal);
  uploadSoon(snapshotId, { prepared: true });
  return answer;
}

async function prepareSnapshot(wish: Exclude<Wish, { kind: 'check' }>, signal: AbortSignal): Promise<unknown> {
  const { snapshotId } = wish;
  if (wish.kind === 'roll-up') return rollUpSoon(snapshotId);
  if (wish.kind === 'evaluate') await refuseSuperseded(wish);
  await bringKeys(snapshotId, { signal, maxWaitMs: null });
  const dir = getSnapshotFolder(snapshotId);
  const manifest = await readManifest(dir);
  if (wish.kind === 'evaluate') {
    await evaluate({ dir, manifest }, compilePolicy(wish.policy, toPolicyFacts(manifest)), signal);
    return undefined;
  }
  if (wish.kind === 'compare-keys') return findKeyDifferences(snapshotId, wish.otherId, wish.bigkeys, wish.scope);
  const changes = await compareBothFindings(snapshotId, wish.previousId, wish.policy, wish.scope);
  // The changes of the whole keyspace are in a file already.
  return coversAllKeys(wish.scope) ? undefined : changes;
}

/**
 * Throws if the wish is for an older policy than the current one: each change of a profile stores a wish, and pages
 * wait only for the findings of the newest policy.
 */
export async function refuseSuperseded({ snapshotId, policy }: Extract<Wish, { kind: 'evaluate' }>): Promise<void> {
  if (isStandardPolicy(policy.hash)) return;
  const instanceId = (await getSnapshotRow(snapshotId))?.instanceId;
  if (instanceId === undefined || (await getEffectivePolicy(instanceId)).hash === policy.hash) return;
  throw buildCheckingError(snapshotId, null);
}
