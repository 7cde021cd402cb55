import { toDisplayName } from '@/lib/model/keys/display-name';
import type { AdHocRow } from '@/lib/snapshots/query/ad-hoc-rows';
import { HOSTILE_NAMES } from '../../scripts/seed/hostile-names.mjs';

/** Returns a row for a name given as bytes, as a scan would store it. */
export function makeRow(bytes: Buffer, facts: Partial<AdHocRow> = {}): AdHocRow {
  const { name, exact } = toDisplayName(bytes);
  return { name, raw: exact ? null : bytes, nameBytes: bytes.length, ...facts };
}

/** Names that break careless tools. Names that are too long for a snapshot are left to the tests of scans. */
export const hostileRows = (): AdHocRow[] =>
  HOSTILE_NAMES.filter((name) => name.length <= 256 * 1024).map((name) => makeRow(Buffer.from(name)));
