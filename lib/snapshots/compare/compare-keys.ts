/**
 * The keys of two sealed snapshots, one by one. Both files are sorted by name, so they are joined range by range with at
 * most about CUT_ROWS keys of each at a time, and memory stays small whatever their size. Keys are the same if name,
 * database and bytes are the same.
 */

import type { ComparedKey, ComparedKeys, KeyChanges } from '@/lib/model/comparison/comparison';
import { CHANGES, type Change } from '@/lib/model/comparison/comparison-words';
import { encodeKey } from '@/lib/model/keys/key-id';
import { append } from '@/lib/model/text/append';
import { toWellFormed } from '@/lib/model/text/to-well-formed';
import { findLiteralPrefix, parsePath } from '@/lib/snapshots/key-query/folded-path';
import { getNameBytes } from '@/lib/snapshots/key-query/key-row';
import { limitToPrefix } from '@/lib/snapshots/key-query/limit-to-prefix';
import { limitToTemplate } from '@/lib/snapshots/key-query/limit-to-template';
import { compareNameBytes, limitToRange, type NameRange } from '@/lib/snapshots/key-query/name-range';
import { findNextPrefix } from '@/lib/snapshots/key-query/next-prefix';
import { Where } from '@/lib/snapshots/key-query/where-clause';
import { bigkeySql } from '@/lib/snapshots/query/bigkey-sql';
import { sealedSql, TEMPLATE_DELIMITER } from '@/lib/snapshots/query/columns';
import type { Limits } from '@/lib/snapshots/query/duckdb';
import { assertReadable, type Source, withSource } from '@/lib/snapshots/query/with-source';
import { type CommonPart, type ComparedRef, limitToCommon } from './common-part';
import type { NameScope } from './compare-groups';
import { CUT_ROWS, cutNames } from './cut-names';
import { bindCursor, readCursor, writeCursor } from './key-cursor';

const LARGEST = 20;

/** A range of names, and whether some keys in it differ in each way; lists read only the ranges that have some. */
export type ChangedRange = NameRange & { has: Change[]; hasBig: Change[] };

/** The changes as they are kept, with the ranges in which they are. */
export interface KeyDifferences {
  changes: KeyChanges;
  ranges: ChangedRange[];
}

interface KeyLimits extends Limits {
  cutRows?: number;
}

/** Counts the keys of every change. Bigkeys are those over the thresholds of `now`. */
export async function compareKeys(
  now: ComparedRef,
  before: ComparedRef,
  common: CommonPart,
  scope: NameScope = {},
  { cutRows = CUT_ROWS, ...limits }: KeyLimits = {},
): Promise<KeyDifferences> {
  const changes: KeyChanges = {
    keys: { new: none(), gone: none(), grown: none(), shrunk: none() },
    bigkeys: { new: 0, gone: 0, grown: 0, shrunk: 0 },
    same: 0,
    unknown: 0,
    largest: { new: [], gone: [], grown: [], shrunk: [] },
  };
  const ranges: ChangedRange[] = [];
  await withBoth(now, before, { timeoutMs: 300_000, ...limits }, async (source, old) => {
    const whole = findRange(scope, common);
    if (whole === null) return;
    for (const cut of await cutNames(source, [source.keys, old], whole, cutRows)) {
      limits.signal?.throwIfAborted();
      ranges.push({ ...cut, ...(await countRange(source, old, { cut, common, scope }, changes)) });
    }
  });
  return { changes, ranges };
}

const none = () => ({ keys: 0, bytes: null });

/** For this long a page looks for more rows, in ms; afterwards it ends with what it has and a cursor. */
const PAGE_MS = 2_000;
const DEFAULT_LIMIT = 100;

interface ListQuery extends NameScope {
  change: Change;
  big?: boolean | undefined;
  limit?: number | undefined;
  cursor?: string | undefined;
}

/** Lists the keys of one change in the order of names, one page. `ranges`: those of `compareKeys`. */
export async function listChangedKeys(
  now: ComparedRef,
  before: ComparedRef,
  common: CommonPart,
  ranges: readonly ChangedRange[],
  { change, big = false, limit = DEFAULT_LIMIT, cursor, ...scope }: ListQuery,
): Promise<Omit<ComparedKeys, 'waiting'>> {
  const after = cursor === undefined ? null : readCursor(cursor);
  const began = performance.now();
  const rows: JoinedRow[] = [];
  const waiting = ranges.filter(
    ({ to, has, hasBig }) =>
      (big ? hasBig : has).includes(change) && (after === null || to === null || compareNameBytes(after.name, to) < 0),
  );
  let reached = 0;
  await withBoth(now, before, {}, async (source, old) => {
    for (const cut of waiting) {
      if (rows.length > limit || (reached > 0 && performance.now() - began > PAGE_MS)) break;
      const where = new Where();
      const joined = joinSql(source, old, { cut, common, scope }, where);
      const column = big ? 'bigChange' : 'change';
      const term =
        after === null
          ? ''
          : `AND (name, db, coalesce(hex(raw), ''), coalesce(sha256, '')) > (${bindCursor(where, after)})`;
      const found = await source.query<JoinedRow>(
        `SELECT ${KEY_COLUMNS} FROM (${joined}) WHERE ${column} = '${change}' ${term}
         ORDER BY name, db, coalesce(hex(raw), ''), coalesce(sha256, '') LIMIT ${limit + 1 - rows.length}`,
        where.values,
      );
      append(rows, found);
      reached++;
    }
  });
  const shown = rows.slice(0, limit);
  const next = waiting[reached];
  const nextCursor =
    rows.length > limit
      ? writeCursor(shown.at(-1)!)
      : next
        ? writeCursor({ name: next.from, db: -1, raw: null, sha256: null })
        : null;
  return { rows: shown.map(toComparedKey), nextCursor };
}

async function withBoth(
  now: ComparedRef,
  before: ComparedRef,
  limits: Limits,
  use: (source: Source, old: string) => Promise<void>,
): Promise<void> {
  await assertReadable(before);
  await withSource(now, (source) => use(source, `(${sealedSql(before.dir, before.manifest)})`), limits);
}

interface RangePart {
  cut: NameRange;
  common: CommonPart;
  scope: NameScope;
}

/** The range of names that the scope and the common part can contain; null: none. */
function findRange({ prefix, template }: NameScope, common: CommonPart): NameRange | null {
  const literal = template
    ? findLiteralPrefix(parsePath(toWellFormed(template), TEMPLATE_DELIMITER), TEMPLATE_DELIMITER).text
    : '';
  // Only a narrowing: the clause of each range decides. A text that may end in an escape is left to it.
  const beginnings = [prefix ?? '', literal, common.prefix]
    .map(toWellFormed)
    .filter((text) => text !== '' && !/\\/.test(text));
  let range: NameRange = { from: '', to: null };
  for (const text of beginnings) {
    const to = findNextPrefix(text);
    range = {
      from: compareNameBytes(text, range.from) > 0 ? text : range.from,
      to: range.to === null || (to !== null && compareNameBytes(to, range.to) < 0) ? to : range.to,
    };
  }
  return range.to !== null && compareNameBytes(range.from, range.to) >= 0 ? null : range;
}

const IDENTITY = 'name, db, raw, sha256';
const KEY_COLUMNS = `${IDENTITY}, isNow, isBefore, type, bytes, length, oldType, oldBytes, oldLength`;

/** A SELECT of the keys of both snapshots in one range, with how they differ. */
function joinSql(source: Source, old: string, { cut, common, scope }: RangePart, where: Where): string {
  limitToRange(where, cut);
  if (common.prefix !== '') limitToPrefix(where, common.prefix);
  if (scope.prefix) limitToPrefix(where, scope.prefix);
  if (scope.template) limitToTemplate(where, toWellFormed(scope.template), TEMPLATE_DELIMITER, { hasColumn: true });
  limitToCommon(where, common);
  const big = bigkeySql(source.bigkeys);
  const select = (keys: string) => `(SELECT ${IDENTITY}, type, bytes, length, ${big} AS big FROM ${keys} ${where.sql})`;
  const compare = (value: string, old: string) =>
    `CASE WHEN ${value} > ${old} THEN 'grown' WHEN ${value} < ${old} THEN 'shrunk' ELSE 'same' END`;
  const joined = `SELECT coalesce(c.name, p.name) AS name, coalesce(c.db, p.db) AS db, coalesce(c.raw, p.raw) AS raw,
      coalesce(c.sha256, p.sha256) AS sha256, c.name IS NOT NULL AS isNow, p.name IS NOT NULL AS isBefore,
      c.type AS type, c.bytes AS bytes, c.length AS length, p.type AS oldType, p.bytes AS oldBytes, p.length AS oldLength,
      coalesce(c.big, false) AS big, coalesce(p.big, false) AS oldBig
    FROM ${select(source.keys)} c FULL JOIN ${select(old)} p
      ON c.name = p.name AND c.db = p.db AND c.raw IS NOT DISTINCT FROM p.raw AND c.sha256 IS NOT DISTINCT FROM p.sha256`;
  const changed = `SELECT *, CASE WHEN NOT isBefore THEN 'new' WHEN NOT isNow THEN 'gone'
      WHEN bytes IS NOT NULL AND oldBytes IS NOT NULL THEN ${compare('bytes', 'oldBytes')}
      WHEN length IS NOT NULL AND oldLength IS NOT NULL THEN ${compare('length', 'oldLength')}
      ELSE 'unknown' END AS change,
      CASE WHEN isNow AND isBefore THEN bytes - oldBytes ELSE coalesce(bytes, oldBytes) END AS difference FROM (${joined})`;
  return `SELECT *, CASE WHEN big AND NOT oldBig THEN 'new' WHEN oldBig AND NOT big THEN 'gone' WHEN big THEN change END AS bigChange
    FROM (${changed})`;
}

interface JoinedRow extends Record<string, unknown> {
  name: string;
  db: number;
  raw: Uint8Array | null;
  sha256: string | null;
  isNow: boolean;
  isBefore: boolean;
  type: string | null;
  bytes: number | null;
  length: number | null;
  oldType: string | null;
  oldBytes: number | null;
  oldLength: number | null;
}

type RangeRow = JoinedRow & {
  /** Whether the row is a sum of keys; else it is one of the largest keys. */
  isSum: boolean;
  change: Change | 'same' | 'unknown';
  bigChange: string | null;
  keys: number;
  difference: number | null;
};

/** Adds the keys of one range to the changes. Returns the changes that some of its keys have. */
async function countRange(
  source: Source,
  old: string,
  part: RangePart,
  changes: KeyChanges,
): Promise<Pick<ChangedRange, 'has' | 'hasBig'>> {
  const where = new Where();
  const joined = joinSql(source, old, part, where);
  const listed = CHANGES.map((change) => `'${change}'`).join(', ');
  const rows = await source.query<RangeRow>(
    `WITH joined AS MATERIALIZED (${joined})
     SELECT true AS isSum, change, bigChange, count(*) AS keys, sum(abs(difference))::DOUBLE AS difference FROM joined GROUP BY ALL
     UNION ALL BY NAME
     SELECT false AS isSum, change, difference, ${KEY_COLUMNS} FROM joined WHERE change IN (${listed}) AND difference IS NOT NULL
     QUALIFY row_number() OVER (PARTITION BY change ORDER BY abs(difference) DESC, name) <= ${LARGEST}`,
    where.values,
  );
  const has = new Set<Change>();
  const hasBig = new Set<Change>();
  for (const row of rows) {
    if (!row.isSum) {
      changes.largest[row.change as Change].push(toComparedKey(row));
      continue;
    }
    if (isChange(row.bigChange)) {
      changes.bigkeys[row.bigChange] += row.keys;
      hasBig.add(row.bigChange);
    }
    if (row.change === 'same' || row.change === 'unknown') changes[row.change] += row.keys;
    else {
      const counted = changes.keys[row.change];
      counted.keys += row.keys;
      if (row.difference !== null) counted.bytes = (counted.bytes ?? 0) + row.difference;
      has.add(row.change);
    }
  }
  for (const change of CHANGES)
    changes.largest[change] = changes.largest[change].sort((a, b) => getSize(b) - getSize(a)).slice(0, LARGEST);
  return { has: [...has], hasBig: [...hasBig] };
}

const isChange = (text: string | null): text is Change => (CHANGES as readonly (string | null)[]).includes(text);

const getSize = ({ now, before }: ComparedKey): number => Math.abs((now?.bytes ?? 0) - (before?.bytes ?? 0));

function toComparedKey(row: JoinedRow): ComparedKey {
  const bytes = getNameBytes(row);
  return {
    k: bytes === null ? null : encodeKey(bytes),
    name: row.name,
    db: row.db,
    now: row.isNow ? { type: row.type, bytes: row.bytes, length: row.length } : null,
    before: row.isBefore ? { type: row.oldType, bytes: row.oldBytes, length: row.oldLength } : null,
  };
}
