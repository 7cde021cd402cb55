import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '@/lib/model/errors';
import type { EffectivePolicy } from '@/lib/model/rules/policy';
import { type RulesMeta, readMeta } from '@/lib/rules/policy/rules-folder';
import type { SnapshotRef } from '@/lib/snapshots/query/with-source';
import { bringPrepared } from '@/lib/snapshots/remote/bring-snapshot';
import { findPreparation } from '@/lib/store/preparations';
import { makeWish, readWish } from '@/lib/store/wishes';
import { isWorkerPresent } from '@/lib/store/workers';

/**
 * How long a request waits for an evaluation. A proxy or a client in front of this server gives up if an answer has not
 * begun after a minute, and the question itself may take half of that.
 */
export const CHECKED_WITHIN_MS = 20_000;
/** A caller that sets no limit, such as a plan, waits as long as an evaluation may take. */
const MAX_WAIT_MS = 600_000;
const POLL_MS = 250;
/** When the client may ask again after an error. */
const RETRY_AFTER_SECONDS = 5;
const NO_WORKER =
  'No worker is running, so the rules are not evaluated. Start it, or find out in its log why it ended or hangs.';

/**
 * Asks a worker to evaluate the snapshot and waits for it, at most for the time that the caller allows. The worker
 * continues even if nobody waits any more. Errors: those of the evaluation; `no_worker`; `snapshot_checking` with the
 * share that is done (0…1; null if unknown).
 */
export async function waitForEvaluation(
  ref: SnapshotRef,
  policy: EffectivePolicy,
  signal: AbortSignal | undefined = ref.signal,
): Promise<RulesMeta> {
  const readStored = () => readMeta(ref.dir, policy.hash, ref.manifest);
  const { id } = ref.manifest;
  const wish = { kind: 'evaluate' as const, snapshotId: id, policy };
  const until = performance.now() + (ref.checkedWithinMs ?? MAX_WAIT_MS);
  const stored = await readStored();
  if (stored !== null) return stored;
  for (await makeWish(wish); ; await sleep(POLL_MS, undefined, { signal })) {
    const state = await readWish(wish);
    // A worker with a disk of its own has put the result into the object store, so fetch it from there.
    if (state?.isOpen !== true) await bringPrepared(id);
    const evaluated = await readStored();
    if (evaluated !== null) return evaluated;
    if (!(await isWorkerPresent()))
      throw new AppError('no_worker', NO_WORKER, { id, retryAfterSeconds: RETRY_AFTER_SECONDS });
    if (performance.now() < until) continue;
    const preparation = await findPreparation(id);
    const share = preparation?.task === 'evaluate' ? preparation.share : null;
    throw buildCheckingError(id, share);
  }
}

export function buildCheckingError(id: string, share: number | null): AppError {
  const percent = share === null ? '' : ` (${Math.floor(share * 100)} %)`;
  return new AppError(
    'snapshot_checking',
    `The rules are being evaluated for all keys${percent}. Try again in a moment.`,
    {
      id,
      share,
      retryAfterSeconds: RETRY_AFTER_SECONDS,
    },
  );
}
