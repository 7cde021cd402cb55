import { verb } from '@/lib/access/auth/verb';
import { scopeToInstance } from '@/lib/access/auth/verb-scopes';
import type { Actor } from '@/lib/model/actor';
import type { KeyHistoryRow } from '@/lib/model/comparison/comparison';
import { AppError } from '@/lib/model/errors';
import { toDisplayName } from '@/lib/model/keys/display-name';
import { decodeKey } from '@/lib/model/keys/key-id';
import type { SnapshotSummary } from '@/lib/model/reports/fleet';
import { getSnapshotAsOf } from '@/lib/model/snapshots/snapshot';
import { querySnapshot } from '@/lib/scans/query-snapshot';
import { type KeyColumns, keyColumns, toKeyRow } from '@/lib/snapshots/key-query/key-row';
import { withSource } from '@/lib/snapshots/query/with-source';
import { getInstanceRow } from '@/lib/store/instances';
import { listSnapshotRows } from '@/lib/store/snapshots';

const MAX_SNAPSHOTS = 30;

/**
 * Returns one key in each of the newest sealed snapshots of an instance, newest first. A snapshot that cannot be read
 * now, for example because its files are elsewhere, is left out. Errors: `not_found`, `bad_request` for a malformed `k`.
 */
export const getKeyHistory = verb(
  { needs: 'instance.read', on: scopeToInstance },
  async (
    actor: Actor,
    instanceId: string,
    k: string,
    db: number,
    signal?: AbortSignal,
  ): Promise<{ rows: KeyHistoryRow[]; unreadable: number }> => {
    const bytes = decodeKey(k);
    if ((await getInstanceRow(instanceId)) === null)
      throw new AppError('not_found', 'There is no such instance.', { id: instanceId });
    const snapshots = (await listSnapshotRows(instanceId)).filter(({ state }) => state === 'sealed');
    const rows: KeyHistoryRow[] = [];
    let unreadable = 0;
    for (const snapshot of snapshots.slice(0, MAX_SNAPSHOTS)) {
      signal?.throwIfAborted();
      const row = await readRow(actor, snapshot, bytes, db, signal).catch((error) => {
        if (error instanceof AppError) return null;
        throw error;
      });
      if (row === null) unreadable++;
      else rows.push(row);
    }
    return { rows, unreadable };
  },
);

function readRow(
  actor: Actor,
  { id, startedAt, partial, isPart = false }: SnapshotSummary,
  bytes: Buffer,
  db: number,
  signal: AbortSignal | undefined,
): Promise<KeyHistoryRow> {
  const { name, exact } = toDisplayName(bytes);
  const runQuery: Parameters<typeof querySnapshot<KeyHistoryRow>>[2] = (ref) =>
    withSource(
      ref,
      async (source) => {
        const [row] = await source.query<KeyColumns>(
          `SELECT ${keyColumns} FROM ${source.keys} WHERE name = $1::VARCHAR AND db = $2::INTEGER AND sha256 IS NULL AND ${exact ? 'raw IS NULL' : 'hex(raw) = $3::VARCHAR'} LIMIT 1`,
          exact ? [name, db] : [name, db, bytes.toString('hex').toUpperCase()],
        );
        const asOf = getSnapshotAsOf(ref.manifest);
        return { snapshotId: id, startedAt, asOf, isPart: partial || isPart, row: row ? toKeyRow(row) : null };
      },
      { below: name === '' ? undefined : name },
    );
  return querySnapshot(actor, id, runQuery, signal);
}
