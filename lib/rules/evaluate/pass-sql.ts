import { getBigkeyThresholds } from '@/lib/rules/bigkey-thresholds';
import {
  allKnownSql,
  type CompiledPolicy,
  type CompiledProfile,
  type CompiledRule,
} from '@/lib/rules/policy/compile-policy';
import type { Zone } from '@/lib/rules/policy/zones';
import { createSqlContext, rowsWithPartsSql } from '@/lib/rules/sql-context';
import { PLAIN_NAME, type SqlContext } from '@/lib/rules/types';
import { globSql } from '@/lib/snapshots/key-query/glob-sql';
import type { Where } from '@/lib/snapshots/key-query/where-clause';
import { areIdsAlike } from './are-ids-alike';
import { rulesTemplateSql, shapedSql } from './folded-template-sql';

/**
 * The one statement that evaluates all key rules on all keys of a range. For each key it computes three masks: rules
 * that are violated, rules that could not be evaluated, and rules that a glob exempts. Most names are plain and are
 * known to pass many rules, so these rules are evaluated only on the others. Bits are UBIGINT and never leave the
 * database as numbers, because a double holds 53 of them.
 */
/**
 * The zones of one profile, evaluated together because planning the statement takes longer than running it on some
 * thousand keys. `ranges` are the ranges of their names, with neighbours merged into one.
 */
export interface Run {
  profile: number;
  ranges: { from: string; to: string | null }[];
  zones: { index: number; zone: Zone }[];
}

export function groupZonesByProfile(zones: readonly Zone[]): Run[] {
  const runs = new Map<number, Run>();
  zones.forEach((zone, index) => {
    const run = runs.get(zone.profile) ?? { profile: zone.profile, ranges: [], zones: [] };
    runs.set(zone.profile, run);
    run.zones.push({ index, zone });
    const last = run.ranges.at(-1);
    if (last?.to === zone.from) last.to = zone.to;
    else run.ranges.push({ from: zone.from, to: zone.to });
  });
  return [...runs.values()];
}

export const bitSql = (bit: number) => `${1n << BigInt(bit)}::UBIGINT`;

export function createPassContext(where: Where, compiled: CompiledPolicy, profile: CompiledProfile): SqlContext {
  return createSqlContext((value) => where.bind(value), {
    delimiter: profile.delimiter,
    asOf: compiled.asOf,
    lazyExpire: compiled.lazyExpire,
    bigkeys: getBigkeyThresholds(profile.body),
    clustered: compiled.clustered,
    replicaNodes: compiled.replicaNodes,
    moreCommands: compiled.moreCommands,
    ownerPrefixes: compiled.policy.owners.map((owner) => owner.prefix),
  });
}

/** The rows of `keys` that match `range` (a WHERE clause), with the columns `parts` and `segments`. */
export function rowsSql(keys: string, range: string, sql: SqlContext): string {
  return `(${rowsWithPartsSql(`(SELECT * FROM ${keys} ${range})`, sql.delimiter)})`;
}

const joinBitsSql = (terms: readonly string[]) => (terms.length === 0 ? '0::UBIGINT' : terms.join(' | '));
const flagSql = (predicate: string, bit: number) => `CASE WHEN ${predicate} THEN ${bitSql(bit)} ELSE 0::UBIGINT END`;

/** SQL for the mask of violated rules. */
export function violatedSql(rules: readonly CompiledRule[], sql: SqlContext): string {
  const bits = (some: readonly CompiledRule[]) => some.map((rule) => flagSql(rule.violated(sql), rule.bit));
  const skipped = rules.filter((rule) => rule.fineWhenPlain);
  const always = bits(rules.filter((rule) => !rule.fineWhenPlain));
  // PLAIN_NAME describes only names that are separated by colons.
  if (sql.delimiterText !== ':' || skipped.length === 0) return joinBitsSql([...always, ...bits(skipped)]);
  const plain = `CASE WHEN regexp_full_match(name, ${sql.text(PLAIN_NAME)}) THEN 0::UBIGINT ELSE ${joinBitsSql(bits(skipped))} END`;
  return joinBitsSql([plain, ...always]);
}

/**
 * SQL for the mask of violated rules. Rules about size are evaluated only on keys that are large enough to violate one.
 */
function sizedSql(rules: readonly CompiledRule[], sql: SqlContext): string {
  const sized = rules.filter((rule) => rule.entry?.passedBySize);
  const small = passedBySizeSql(sized, sql);
  if (small === null) return violatedSql(rules, sql);
  const others = violatedSql(
    rules.filter((rule) => !rule.entry?.passedBySize),
    sql,
  );
  return `${others} | CASE WHEN ${small} THEN 0::UBIGINT ELSE ${violatedSql(sized, sql)} END`;
}

/**
 * SQL for the mask of rules that could not be evaluated. If all facts of a key are known, which is usual, few rules
 * have to be checked.
 */
export function notEvaluatedSql(rules: readonly CompiledRule[], sql: SqlContext): string {
  const bits = (some: readonly CompiledRule[]) =>
    some.flatMap((rule) => {
      const unknown = rule.unknown(sql);
      return unknown === null || unknown === 'false' ? [] : [flagSql(unknown, rule.bit)];
    });
  const byFacts = rules.filter((rule) => !rule.unknownDespiteFacts && rule.facts.length > 0);
  const missing = bits(byFacts);
  const others = bits(rules.filter((rule) => rule.unknownDespiteFacts));
  if (missing.length === 0) return joinBitsSql(others);
  return joinBitsSql([`CASE WHEN ${allKnownSql(byFacts)} THEN 0::UBIGINT ELSE ${joinBitsSql(missing)} END`, ...others]);
}

/** Bits of the key rules whose ids are in `ids`; `*` means all. */
export function toRuleMask(profile: CompiledProfile, ids: readonly string[]): bigint {
  const every = ids.includes('*');
  return profile.keyRules.reduce((mask, r) => (every || ids.includes(r.id) ? mask | (1n << BigInt(r.bit)) : mask), 0n);
}

/** SQL for the mask of rules that globs exempt. */
export function exemptedSql(compiled: CompiledPolicy, profile: CompiledProfile, sql: SqlContext): string {
  return joinBitsSql(
    compiled.patterns.flatMap(({ rule, glob }) => {
      const bits = toRuleMask(profile, [rule]);
      return bits === 0n ? [] : [`CASE WHEN ${globSql(glob, sql.text)} THEN ${bits}::UBIGINT ELSE 0::UBIGINT END`];
    }),
  );
}

/** SQL for the index of the zone of a name, found by binary search. */
export function zoneSql(run: Run, where: Where): string {
  const among = (zones: Run['zones']): string => {
    if (zones.length === 1) return `${zones[0]!.index}::UINTEGER`;
    const middle = zones.length >> 1;
    const first = among(zones.slice(0, middle));
    return `CASE WHEN name < ${where.bind(zones[middle]!.zone.from)}::VARCHAR THEN ${first} ELSE ${among(zones.slice(middle))} END`;
  };
  return among(run.zones);
}

export function limitToRange(where: Where, range: { from: string; to: string | null }): void {
  if (range.from !== '') where.and(`name >= ${where.bind(range.from)}::VARCHAR`);
  if (range.to !== null) where.and(`name < ${where.bind(range.to)}::VARCHAR`);
}

/**
 * Each range is read by a sub-select of its own: with several ranges in one condition the database would read the whole
 * file.
 */
function selectRanges(keys: string, where: Where, ranges: Run['ranges']): string {
  const [only, ...more] = ranges;
  if (only === undefined || more.length === 0) {
    if (only) limitToRange(where, only);
    return keys;
  }
  const read = ranges.map(({ from, to }) => {
    const terms = [
      ...(from === '' ? [] : [`name >= ${where.bind(from)}::VARCHAR`]),
      ...(to === null ? [] : [`name < ${where.bind(to)}::VARCHAR`]),
    ];
    return `SELECT * FROM ${keys} WHERE ${terms.join(' AND ')}`;
  });
  return `(${read.join(' UNION ALL ')})`;
}

/** SQL for the bits that the exemptions of each zone exempt, as one expression over the column `zone`. */
export function zoneExemptSql(run: Run, profile: CompiledProfile): string {
  const whens = run.zones.flatMap(({ index, zone }) => {
    const bits = toRuleMask(profile, zone.exempt);
    return bits === 0n ? [] : [`WHEN ${index} THEN ${bits}::UBIGINT`];
  });
  return whens.length === 0 ? '0::UBIGINT' : `CASE zone ${whens.join(' ')} ELSE 0::UBIGINT END`;
}

export interface ClassesOptions {
  /**
   * A SQL expression over the row by which rows are grouped in addition. Its column is named `child` and comes first.
   */
  child?: string | null;
  /**
   * True: each name that is not plain is a class of its own, so that a rule about names can be evaluated on it later.
   */
  single?: boolean;
}

/**
 * Keys of one run of zones, grouped by everything that matters to the rules, under a filter that `where` already holds.
 * Columns: zone, template, name_bytes, type, mask (rules that are violated), notEvaluated, exempted, keys, bytes,
 * bytesUnknown, name (the first), lastName, plain, raw.
 *
 * Rules about names are most of the work, and most names differ only in an id. So plain names are first grouped by
 * everything that matters to such rules, and then the rules are evaluated on one name per group.
 */
export function classesSql(
  keys: string,
  where: Where,
  compiled: CompiledPolicy,
  run: Run,
  { child = null, single = false }: ClassesOptions = {},
): string {
  const by = child === null ? '' : ', child';
  const profile = compiled.profiles[run.profile]!;
  const rows = selectRanges(keys, where, run.ranges);
  const sql = createPassContext(where, compiled, profile);
  const alike = profile.keyRules.filter((rule) => areIdsAlike(rule, profile));
  const others = profile.keyRules.filter((rule) => !alike.includes(rule));
  const alone = sizedSql(others, sql);
  const asksParts = /\b(parts|segments)\b/.test(alone);
  const reported = shapedSql(`(SELECT * FROM ${rows} ${where.sql})`, profile.delimiter === ':');
  const unlessPlain = single ? '' : ` | CASE WHEN plain THEN 0::UBIGINT ELSE ${violatedSql(alike, sql)} END`;
  const ofPlain = (column: string) => (single ? column : `CASE WHEN plain THEN ${column} END AS ${column}`);
  const each = `SELECT ${child === null ? '' : `${child} AS child, `}${zoneSql(run, where)} AS zone, ${rulesTemplateSql} AS template, place,
      ${ofPlain('name_bytes')}, ${ofPlain('type')}, (${alone})${unlessPlain} AS mask, plain,
      ${single ? 'CASE WHEN NOT plain THEN name END AS own, raw' : 'NULL::VARCHAR AS own, NULL::BLOB AS raw'},
      ${notEvaluatedSql(profile.keyRules, sql)} AS notEvaluated, ${exemptedSql(compiled, profile, sql)} AS exempted, name, bytes
    FROM (${rowsWithPartsSql(reported, sql.delimiter, asksParts || single ? null : 'NOT plain')})`;
  const groups = `SELECT zone${by}, template, name_bytes, type, mask, notEvaluated, exempted, count(*) AS keys,
      coalesce(sum(bytes), 0)::DOUBLE AS bytes, count(*) - count(bytes) AS bytesUnknown, min(name) AS name, max(name) AS lastName,
      plain, raw
    FROM (${each}) GROUP BY zone${by}, template, place, name_bytes, type, mask, notEvaluated, exempted, plain, own, raw`;
  const ofClass = `${single ? violatedSql(alike, sql) : `CASE WHEN plain THEN ${violatedSql(alike, sql)} ELSE 0::UBIGINT END`}`;
  return `SELECT * EXCLUDE (parts, segments)
      REPLACE (mask | ${ofClass} AS mask, exempted | ${zoneExemptSql(run, profile)} AS exempted)
    FROM (${rowsWithPartsSql(`(${groups})`, sql.delimiter)})`;
}

/**
 * Turns classes into rows of the roll-up. Columns: profile, zone, template, violated (not exempted), exempted (violated
 * but exempted), notEvaluated (not exempted either), keys, bytes, bytesUnknown, firstName, lastName, rest and styles.
 * The last two are set only in rows that stand for cut children (cut-levels.ts), so here they are false and NULL.
 */
export const foldedSql = (classes: string, profile: number, child = false): string =>
  `SELECT ${child ? 'child, ' : ''}${profile}::UINTEGER AS profile, zone, template, mask & ~exempted AS violated, mask & exempted AS exempted,
      notEvaluated & ~exempted AS notEvaluated, sum(keys)::BIGINT AS keys, sum(bytes) AS bytes, sum(bytesUnknown)::BIGINT AS bytesUnknown,
      min(name) AS firstName, max(lastName) AS lastName, false AS rest, NULL::UTINYINT AS styles
    FROM (${classes}) GROUP BY ALL`;

/** Rows of the roll-up for one run of zones, under a filter that `where` already holds. */
export const rollupSql = (
  keys: string,
  where: Where,
  compiled: CompiledPolicy,
  run: Run,
  child: string | null = null,
): string => foldedSql(classesSql(keys, where, compiled, run, { child }), run.profile, child !== null);

/** SQL that is true for keys so small that they certainly pass all of these rules; null if no rule has such a limit. */
function passedBySizeSql(rules: readonly CompiledRule[], sql: SqlContext): string | null {
  const sizes = rules.flatMap((rule) => rule.entry?.passedBySize?.(rule.params, sql) ?? []);
  if (sizes.length === 0) return null;
  const min = (field: keyof (typeof sizes)[number]) => {
    const numbers = sizes.flatMap((size) => size[field] ?? []);
    return numbers.length === 0 ? null : sql.int(Math.min(...numbers));
  };
  const [bytes, strings, elements] = [min('bytes'), min('stringBytes'), min('elements')];
  const terms = [
    ...(bytes === null ? [] : [`bytes <= ${bytes}`]),
    ...(elements === null ? [] : [`(type = 'string' OR length <= ${elements})`]),
    ...(strings === null ? [] : [`(type <> 'string' OR length <= ${strings})`]),
  ];
  return `(${terms.join(' AND ')})`;
}
