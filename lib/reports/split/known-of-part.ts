import type { RolledSource } from '@/lib/reports/facts';
import { TTL_UNKNOWN } from '@/lib/rollup/classes';
import { rollupScope } from '@/lib/rollup/scope';
import type { CellDimension } from './needs';
import { isReadSql, type Split } from './split';

/** What cells say of the keys that will be read: what is the same for all keys of a path is not read of each. */
export interface KnownOfPart {
  /** Of each path there is one value: that of its cells. */
  fixed: ReadonlySet<CellDimension>;
  /** Of no key it is unknown whether it expires. */
  areExpiriesKnown: boolean;
  /** Epoch ms; null: no key expires. */
  span: { min: number; max: number } | null;
}

/** Dimensions of cells that cost more to read of each key than of its path. */
const PERHAPS_FIXED: readonly CellDimension[] = ['node', 'db', 'type', 'encoding', 'big'];

type Row = { min: number | null; max: number | null; unknown: boolean } & Record<string, unknown>;

export async function knownOfPart(source: RolledSource, split: Split): Promise<KnownOfPart> {
  const { from, values } = cellsOfPart(source, split);
  const perhaps = PERHAPS_FIXED.filter((one) => split.needs.cells.includes(one));
  const counts = perhaps.map((one) => `count(DISTINCT ${one}) + count(*) FILTER (${one} IS NULL) AS ${one}`);
  const most = perhaps.map((one) => `max(${one})::DOUBLE AS ${one}`);
  const [row] = await source.query<Row>(
    `SELECT ${[...most, 'min(low)::DOUBLE AS "min"', 'max(high)::DOUBLE AS "max"', 'bool_or(unknown) AS "unknown"'].join(', ')} FROM (
       SELECT ${[...counts, 'min(minExpire) AS low', 'max(maxExpire) AS high', `bool_or(ttl = ${TTL_UNKNOWN}) AS unknown`].join(', ')}
       FROM ${from} GROUP BY path)`,
    values,
  );
  const { min, max, unknown } = row!;
  return {
    fixed: new Set(perhaps.filter((one) => row![one] === 1)),
    areExpiriesKnown: unknown === false,
    span: min === null || max === null ? null : { min, max },
  };
}

/** Goes behind FROM. Those that hold the keys, and others of the same paths and classes. */
export function cellsOfPart({ rollup }: RolledSource, { base, some }: Split) {
  const { rows, where } = rollupScope(rollup, 'cells', base)!;
  where.and(isReadSql(some));
  return { from: `${rows} ${where.sql}`, values: where.values };
}
