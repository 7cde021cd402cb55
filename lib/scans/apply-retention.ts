import { recordAudit } from '@/lib/access/audit/record';
import { ENGINE } from '@/lib/model/actor';
import type { SnapshotSummary } from '@/lib/model/reports/fleet';
import { config } from '@/lib/runtime/config';
import { removeSnapshotFolder } from '@/lib/snapshots/folder/folder';
import { getSnapshotFolder } from '@/lib/snapshots/folder/snapshot-folder';
import { removeStoredSnapshot } from '@/lib/snapshots/remote/remove-stored-snapshot';
import { runTransaction } from '@/lib/store/open-store';
import { findLastSchedule } from '@/lib/store/schedules/schedules';
import { readObservedNow } from '@/lib/store/settings/observed-clock';
import { deleteSnapshotRow, getSnapshotRow, listSnapshotRows } from '@/lib/store/snapshots';

const DAY_MS = 86_400_000;
const GIB = 2 ** 30;
/** All snapshots of this many days are kept. After that the newest of each day, week and month is kept. */
const KEEP_ALL_DAYS = 7;
const KEEP_DAILY_DAYS = 30;
const KEEP_WEEKLY_DAYS = 12 * 7;
const KEEP_MONTHLY_DAYS = 366;

interface Caps {
  count: number;
  /** 0: snapshots expire only by their number and by thinning. */
  days: number;
  /** 0: no cap. */
  bytes: number;
}

/**
 * Returns the snapshots that expire. All of the last 7 days stay, then the newest of each day for 30 days, of each week
 * for 12 weeks and of each month for 12 months, in the calendar of `zone`, within the caps. The newest sealed one,
 * the baseline and pinned ones always stay. What a failed scan left expires once a later scan has sealed. Snapshots of a
 * part of the keyspace are counted separately, so that they never displace the newest snapshot of the whole.
 */
export function findExpiredSnapshots(
  newestFirst: SnapshotSummary[],
  caps: Caps,
  now: number,
  zone = 'UTC',
): SnapshotSummary[] {
  const sealed = newestFirst.filter(({ state }) => state === 'sealed');
  const newestSealedAt = sealed[0]?.startedAt ?? Number.NEGATIVE_INFINITY;
  const failed = newestFirst.filter(({ state, startedAt }) => state === 'failed' && startedAt < newestSealedAt);
  const scopes = [sealed.filter(({ isPart }) => !isPart), sealed.filter(({ isPart }) => isPart)];
  return [...scopes.flatMap((sameScope) => findExpiredOfScope(sameScope, caps, now, zone)), ...failed];
}

function findExpiredOfScope(newestFirst: SnapshotSummary[], caps: Caps, now: number, zone: string): SnapshotSummary[] {
  const periods = new Set<string>();
  let kept = 0;
  let bytes = 0;
  return newestFirst.filter((snapshot, index) => {
    const ageDays = (now - snapshot.startedAt) / DAY_MS;
    const period = findPeriod(snapshot.startedAt, ageDays, zone);
    const isNewestOfPeriod = period === null || !periods.has(period);
    if (period !== null) periods.add(period);
    const fileBytes = snapshot.fileBytes ?? 0;
    const isOverCaps =
      kept >= caps.count ||
      (caps.days > 0 && ageDays > caps.days) ||
      (caps.bytes > 0 && bytes + fileBytes > caps.bytes);
    const isTooOld = ageDays > KEEP_MONTHLY_DAYS;
    if (index > 0 && !snapshot.pinned && !snapshot.baseline && (isOverCaps || isTooOld || !isNewestOfPeriod))
      return true;
    kept++;
    bytes += fileBytes;
    return false;
  });
}

/** The day, week or month of which only the newest snapshot is kept; null = all of them are kept. */
function findPeriod(at: number, ageDays: number, zone: string): string | null {
  if (ageDays <= KEEP_ALL_DAYS) return null;
  // The calendar of Sweden is written as ISO dates: 2026-03-29.
  const day = new Intl.DateTimeFormat('sv', { timeZone: zone }).format(at);
  if (ageDays <= KEEP_DAILY_DAYS) return `day ${day}`;
  // Weeks begin on Monday; 1970-01-05 was one.
  if (ageDays <= KEEP_WEEKLY_DAYS) return `week ${Math.floor((Date.parse(day) / DAY_MS - 4) / 7)}`;
  return `month ${day.slice(0, 7)}`;
}

/** Deletes expired snapshots: first the row, together with an audit row, then the folder. */
export async function applyRetention(instanceId: string): Promise<void> {
  const schedule = await findLastSchedule(instanceId);
  const expired = findExpiredSnapshots(
    await listSnapshotRows(instanceId),
    { count: config.retentionCount, days: config.retentionDays, bytes: config.retentionGib * GIB },
    // A clock that jumps must not make every snapshot old at once.
    Math.min(Date.now(), await readObservedNow()),
    schedule?.input.zone,
  );
  for (const snapshot of expired) {
    const isDeleted = await runTransaction(async (tx) => {
      // A person may have pinned it or made it the baseline since the list was read.
      const row = await getSnapshotRow(snapshot.id, tx);
      if (row?.pinned || row?.baseline) return false;
      await deleteSnapshotRow(snapshot.id, tx);
      await recordAudit(tx, {
        actor: ENGINE,
        action: 'snapshot.expire',
        subject: snapshot.id,
        instanceId,
        outcome: 'done',
        details: { keys: snapshot.keys },
      });
      return true;
    });
    if (!isDeleted) continue;
    await removeSnapshotFolder(getSnapshotFolder(snapshot.id));
    // Nothing waits for the object store, which may be slow: collectGarbage removes what is left there.
    void removeStoredSnapshot(snapshot.id);
  }
}
