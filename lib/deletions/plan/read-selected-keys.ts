import type { Selection } from '@/lib/model/deletions/plan-request';
import { AppError } from '@/lib/model/errors';
import { toDisplayName } from '@/lib/model/keys/display-name';
import { decodeKey } from '@/lib/model/keys/key-id';
import { getSnapshotAsOf } from '@/lib/model/snapshots/snapshot';
import { INTERNAL_KEY_SQL } from '@/lib/redis/keys/internal-key-name';
import { computeSlot } from '@/lib/redis/keys/slot';
import { withRules } from '@/lib/rules/findings/with-rules';
import { getSnapshotFolder } from '@/lib/snapshots/folder/snapshot-folder';
import { buildFilterWhere, filtersByRules } from '@/lib/snapshots/key-query/filter-where';
import { findFilterPrefix } from '@/lib/snapshots/key-query/find-filter-prefix';
import { getNameBytes, type KeyColumns } from '@/lib/snapshots/key-query/key-row';
import { limitToNodes } from '@/lib/snapshots/key-query/limit-to-nodes';
import { streamRows } from '@/lib/snapshots/query/stream-rows';
import { withSource } from '@/lib/snapshots/query/with-source';
import { bringKeysBelow } from '@/lib/snapshots/remote/bring-snapshot';
import type { Candidate } from './candidate';

/** A name so long that the snapshot has only its beginning. Such a key cannot be addressed. */
interface UnaddressableKey {
  tooLong: string;
}

/** Yields the keys of a selection in pages, with the facts that are known without the server. Each name comes once. */
export async function* readSelectedKeys(
  instanceId: string,
  selection: Selection,
  signal?: AbortSignal,
): AsyncGenerator<(Candidate | UnaddressableKey)[]> {
  if (selection.by === 'filter') yield* readSnapshotKeys(instanceId, selection, signal);
  else {
    const seenIds = new Set<string>();
    const chosen = selection.keys.filter(({ k, db }) => {
      const id = `${db}/${k}`;
      return !seenIds.has(id) && seenIds.add(id);
    });
    yield chosen.map(({ k, db }) => toUnknownKey(decodeKey(k), db));
  }
}

/** A key of which only the name and the database are known. */
function toUnknownKey(raw: Buffer, db: number): Candidate {
  return {
    raw,
    name: toDisplayName(raw).name,
    nameBytes: raw.length,
    db,
    address: '',
    slot: computeSlot(raw),
    type: null,
    encoding: null,
    length: null,
    bytes: null,
    expireAt: null,
    expiryKnown: false,
    idleSeconds: null,
    isRead: false,
    isGone: false,
  };
}

/** The columns that a plan uses: each costs time for a million keys. */
const PLANNED_COLUMNS_LIST = [
  'name',
  'raw',
  'sha256',
  'node',
  'db',
  'type',
  'encoding',
  'expire_at',
  'expiry_known',
  'bytes',
  'length',
  'idle_seconds',
] as const;
type PlannedColumns = Pick<KeyColumns, (typeof PLANNED_COLUMNS_LIST)[number]>;
const PLANNED_COLUMNS = PLANNED_COLUMNS_LIST.join(', ');

type FilterSelection = Extract<Selection, { by: 'filter' }>;

/** Builds the query for the rows of the snapshot that a filter selects. */
async function buildRowsQuery(
  instanceId: string,
  { snapshotId, filter, delimiter, nodes }: FilterSelection,
  signal: AbortSignal | undefined,
) {
  const filterPrefix = findFilterPrefix(filter, delimiter, nodes);
  const dir = getSnapshotFolder(snapshotId);
  // A filter by rules may have to evaluate all keys first.
  const neededPrefix = filtersByRules(filter) ? undefined : filterPrefix;
  const manifest = await bringKeysBelow(snapshotId, neededPrefix, { signal, maxWaitMs: null });
  if (manifest.instanceId !== instanceId)
    throw new AppError('bad_request', 'The snapshot is of another instance.', { snapshot: snapshotId });
  const ref = await withRules({ dir, manifest, ...(signal && { signal }) }, filter);
  const asOf = getSnapshotAsOf(manifest);
  const where = buildFilterWhere(filter, { ...ref, asOf }, delimiter);
  if (nodes) limitToNodes(where, nodes, delimiter);
  return { ref, where, below: filterPrefix };
}

/**
 * Counts the keys that a filter selects, without internal keys and those that cannot be addressed. null = there are not
 * more than `limit`, as the list of keys or the size of the snapshot shows.
 */
export async function countSelectedKeys(
  instanceId: string,
  selection: Selection,
  { over: limit, signal }: { over: number; signal?: AbortSignal | undefined },
): Promise<number | null> {
  if (selection.by !== 'filter') return null;
  const { ref, where, below } = await buildRowsQuery(instanceId, selection, signal);
  if (ref.manifest.keys <= limit) return null;
  const buildSql = (keys: string) =>
    `SELECT count(*) FILTER (sha256 IS NULL AND NOT ${INTERNAL_KEY_SQL}) AS n FROM ${keys} ${where.sql}`;
  const [row] = await withSource(ref, ({ query, keys }) => query<{ n: number }>(buildSql(keys), where.values), {
    lane: 'work',
    below,
    timeoutMs: undefined,
  });
  return row!.n;
}

async function* readSnapshotKeys(instanceId: string, selection: FilterSelection, signal: AbortSignal | undefined) {
  const { ref, where, below } = await buildRowsQuery(instanceId, selection, signal);
  const { manifest } = ref;
  const buildSql = (keys: string) => `SELECT ${PLANNED_COLUMNS} FROM ${keys} ${where.sql}`;
  const rows = streamRows(ref, buildSql, where.values, { below });
  for await (const page of rows)
    yield (page as PlannedColumns[]).map((row): Candidate | UnaddressableKey => {
      const raw = getNameBytes(row);
      if (raw === null) return { tooLong: row.name };
      return {
        ...toUnknownKey(raw, row.db),
        name: row.name,
        address: manifest.nodes[row.node]?.address ?? '',
        type: row.type,
        encoding: row.encoding,
        length: row.length,
        bytes: row.bytes,
        expireAt: row.expire_at,
        expiryKnown: row.expiry_known,
        idleSeconds: row.idle_seconds,
      };
    });
}
