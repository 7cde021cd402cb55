import type { RulesMeta } from '@/lib/findings/policy/rules-folder';
import { AppError } from '@/lib/model/errors';
import type { SnapshotRef } from '@/lib/snapshots/query/with-source';
import { preparationOf } from './evaluate/preparations';

/**
 * What stands before us (a proxy, a client) gives up on an answer that has not begun after a minute; the question
 * itself may take half of that.
 */
export const CHECKED_WITHIN_MS = 20_000;
const RETRY_AFTER_SECONDS = 5;

/**
 * An evaluation for who waits so long for it; it goes on when they do not. Errors: its own; `snapshot_checking` with
 * how far it is, as far as this process knows.
 */
export async function inTime(ref: SnapshotRef, evaluation: Promise<RulesMeta>): Promise<RulesMeta> {
  if (ref.checkedWithinMs === undefined) return evaluation;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), ref.checkedWithinMs);
  });
  const meta = await Promise.race([evaluation, late]).finally(() => clearTimeout(timer));
  if (meta !== null) return meta;
  // Whoever asks next hears of it.
  evaluation.catch(() => {});
  const preparation = preparationOf(ref.dir);
  const share = preparation?.task === 'evaluate' ? preparation.share : null;
  const far = share === null ? '' : ` (${Math.floor(share * 100)} %)`;
  throw new AppError('snapshot_checking', `The rules are being asked of all keys${far}. Try again in a moment.`, {
    id: ref.manifest.id,
    share,
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });
}
