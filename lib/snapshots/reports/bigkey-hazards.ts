import type { BigkeyRow } from '@/lib/model/reports/reports';
import { deleteBlocksSql, PER_MS } from '@/lib/snapshots/key-query/delete-cost';
import type { KeyColumns } from '@/lib/snapshots/key-query/key-row';
import type { Source } from '@/lib/snapshots/query/with-source';

const BLOCKING_MS = 5;
const SOON_MS = 3_600_000;
const HUGE_STRING_BYTES = 64 * 1024 * 1024;

type HazardSource = Pick<Source, 'asOf' | 'manifest'>;

/**
 * Hazards of a bigkey besides its size:
 *   expires_blocking  it is no string, expires by itself while lazyfree-lazy-expire is no (or unknown), and freeing it
 *                     would take ≥ 5 ms
 *   expires_soon      it has less than an hour left
 *   one_field_hash    it is a hash of one field: the value is a big string in disguise
 *   huge_string       it is a string of ≥ 64 MiB: even UNLINK frees a string at once
 */
export function findBigkeyHazards(
  row: KeyColumns,
  delBlocksMs: number | null,
  source: HazardSource,
): BigkeyRow['hazards'] {
  const hazards: BigkeyRow['hazards'] = [];
  const expires = row.expire_at !== null;
  const lazy = source.manifest.lazyfreeLazyExpire === true;
  if (expires && row.type !== 'string' && !lazy && (delBlocksMs ?? 0) >= BLOCKING_MS) hazards.push('expires_blocking');
  if (expires && row.expire_at! - source.asOf < SOON_MS) hazards.push('expires_soon');
  if (row.type === 'hash' && row.length === 1) hazards.push('one_field_hash');
  if (row.type === 'string' && (row.length ?? row.bytes ?? 0) >= HUGE_STRING_BYTES) hazards.push('huge_string');
  return hazards;
}

/** SQL for the number of hazards of a row, to order by. A test compares it with `findBigkeyHazards`. */
export function hazardCountSql({ asOf, manifest }: HazardSource): string {
  const each = [
    ...(manifest.lazyfreeLazyExpire === true
      ? []
      : [`expire_at IS NOT NULL AND type <> 'string' AND ${deleteBlocksSql} >= ${BLOCKING_MS * PER_MS}`]),
    `expire_at - ${asOf} < ${SOON_MS}`,
    "type = 'hash' AND length = 1",
    `type = 'string' AND coalesce(length, bytes, 0) >= ${HUGE_STRING_BYTES}`,
  ];
  return each.map((hazard) => `CASE WHEN ${hazard} THEN 1 ELSE 0 END`).join(' + ');
}
