import { toKnownBytes } from '@/lib/model/keys/known-bytes';
import { type SnapshotRef, withSource } from '@/lib/snapshots/query/with-source';
import { BIG } from '@/lib/snapshots/rollup/classes';
import { openRollup, toTemplate } from '@/lib/snapshots/rollup/open-rollup';
import { findRollupScope } from '@/lib/snapshots/rollup/scope';
import { CUT } from '@/lib/snapshots/rollup/settle-paths';
import { CELL_TOTALS, countSql, HAS_NO_EXPIRY, selectSums } from './cells';

export interface PathSum {
  keys: number;
  /** null = no size is known. */
  bytes: number | null;
  noExpiry: number;
  bigkeys: number;
}

/** Sums of a whole snapshot by prefix and by template, as the tree and the report on templates show them. */
export interface PathSums {
  prefixes: Map<string, PathSum>;
  templates: Map<string, PathSum>;
  /** Whether some level was cut, so that prefixes and templates below it are in no sum. */
  isCut: boolean;
}

/** Returns the sums of all prefixes of up to `maxDepth` segments; null = the snapshot has no roll-up. */
export const sumPaths = (
  ref: SnapshotRef,
  maxDepth: number,
  limits: { signal?: AbortSignal | undefined } = {},
): Promise<PathSums | null> =>
  withSource(
    ref,
    async (source) => {
      const rollup = await openRollup(source);
      const scope = findRollupScope(rollup, 'cells', {});
      if (rollup === null || scope === null) return null;
      const { from, values } = selectSums(scope, 'cells');
      const rows = await source.query<{ path: number; bytesUnknown: number } & { [Name in keyof PathSum]: number }>(
        `SELECT path, ${CELL_TOTALS}, ${countSql(HAS_NO_EXPIRY)} AS noExpiry, ${countSql(`big = ${BIG}`)} AS bigkeys
         FROM ${from} GROUP BY path`,
        values,
      );
      const found: PathSums = { prefixes: new Map(), templates: new Map(), isCut: false };
      for (const { path, ...sum } of rows) {
        const { segments, texts } = rollup.paths[path]!;
        const isCut = segments.at(-1) === CUT;
        found.isCut ||= isCut;
        for (let depth = 1; depth <= Math.min(maxDepth, segments.length - 1); depth++)
          add(found.prefixes, `${segments.slice(0, depth).join(':')}:`, sum);
        if (!isCut) add(found.templates, toTemplate({ segments, texts }), sum);
      }
      for (const sums of [found.prefixes, found.templates])
        for (const sum of sums.values()) sum.bytes = toKnownBytes({ keys: sum.keys, bytes: sum.bytes ?? 0 });
      return found;
    },
    limits,
  );

function add(sums: Map<string, PathSum>, label: string, { keys, bytes, noExpiry, bigkeys }: PathSum): void {
  const sum = sums.get(label) ?? { keys: 0, bytes: 0, noExpiry: 0, bigkeys: 0 };
  sum.keys += keys;
  sum.bytes = (sum.bytes ?? 0) + (bytes ?? 0);
  sum.noExpiry += noExpiry;
  sum.bigkeys += bigkeys;
  sums.set(label, sum);
}
