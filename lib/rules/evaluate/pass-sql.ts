/**
 * The one statement that evaluates all key rules on all keys of a range. For each key it computes three masks: rules
 * that are violated, rules that could not be evaluated, and rules that a glob exempts. Masks are UBIGINT and leave the
 * database only as text, because a number of JavaScript holds 53 bits.
 */

import { getBigkeyThresholds } from '@/lib/rules/bigkey-thresholds';
import {
  allKnownSql,
  type CompiledPolicy,
  type CompiledProfile,
  type CompiledRule,
} from '@/lib/rules/policy/compile-policy';
import type { Binder, Zone } from '@/lib/rules/policy/zones';
import { createSqlContext, rowsWithPartsSql } from '@/lib/rules/sql-context';
import type { SqlContext } from '@/lib/rules/types';
import { globSql } from '@/lib/snapshots/key-query/glob-sql';
import { limitToRange, type NameRange, rangeTermsSql } from '@/lib/snapshots/key-query/name-range';
import type { Where } from '@/lib/snapshots/key-query/where-clause';
import { rulesTemplateSql, shapedSql } from './folded-template-sql';

/**
 * The zones of one profile, evaluated together because planning the statement takes longer than running it on some
 * thousand keys. `ranges` are the ranges of their names, with neighbours merged into one.
 */
export interface Run {
  profile: number;
  ranges: NameRange[];
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

/** The context for statements whose rows have the columns `parts` and `segments` (`rowsSql`). */
export function createPassContext(where: Binder, compiled: CompiledPolicy, profile: CompiledProfile): SqlContext {
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
const flagSql = (predicate: string, bit: number) =>
  `CASE WHEN ${predicate} THEN ${1n << BigInt(bit)}::UBIGINT ELSE 0::UBIGINT END`;

/** SQL for the mask of violated rules. */
export const violatedSql = (rules: readonly CompiledRule[], sql: SqlContext): string =>
  joinBitsSql(rules.map((rule) => flagSql(rule.violated(sql), rule.bit)));

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
  return profile.keyRules.reduce(
    (mask, { id, bit }) => (every || ids.includes(id) ? mask | (1n << BigInt(bit)) : mask),
    0n,
  );
}

/** SQL for the mask that `toMask` returns for the profile of a row, over rows with the column `profile`. */
export const profileMaskSql = ({ profiles }: CompiledPolicy, toMask: (profile: CompiledProfile) => bigint): string =>
  `CASE profile ${profiles.map((profile, i) => `WHEN ${i} THEN ${toMask(profile)}::UBIGINT`).join(' ')} ELSE 0::UBIGINT END`;

/** SQL for the mask of rules that globs exempt. */
export function exemptedSql(compiled: CompiledPolicy, profile: CompiledProfile, sql: SqlContext): string {
  return joinBitsSql(
    compiled.patterns.flatMap(({ rules, glob }) => {
      const bits = toRuleMask(profile, rules);
      return bits === 0n ? [] : [`CASE WHEN ${globSql(glob, sql.text)} THEN ${bits}::UBIGINT ELSE 0::UBIGINT END`];
    }),
  );
}

/** SQL for the index of the zone of a name, found by binary search. */
function zoneSql(run: Run, where: Where): string {
  const among = (zones: Run['zones']): string => {
    if (zones.length === 1) return `${zones[0]!.index}::UINTEGER`;
    const middle = zones.length >> 1;
    const first = among(zones.slice(0, middle));
    return `CASE WHEN name < ${where.bind(zones[middle]!.zone.from)}::VARCHAR THEN ${first} ELSE ${among(zones.slice(middle))} END`;
  };
  return among(run.zones);
}

/**
 * Each range is read by a sub-select of its own: with several ranges in one condition the database would read the whole
 * file. A single range becomes part of `where`.
 */
function selectRanges(keys: string, where: Where, ranges: readonly NameRange[]): string {
  if (ranges.length === 1) {
    limitToRange(where, ranges[0]!);
    return keys;
  }
  const read = ranges.map((range) => `SELECT * FROM ${keys} WHERE ${rangeTermsSql(where, range).join(' AND ')}`);
  return `(${read.join(' UNION ALL ')})`;
}

/** SQL for the bits that the exemptions of each zone exempt, as one expression over the column `zone`. */
function zoneExemptSql(run: Run, profile: CompiledProfile): string {
  const whens = run.zones.flatMap(({ index, zone }) => {
    const bits = toRuleMask(profile, zone.exempt);
    return bits === 0n ? [] : [`WHEN ${index} THEN ${bits}::UBIGINT`];
  });
  return whens.length === 0 ? '0::UBIGINT' : `CASE zone ${whens.join(' ')} ELSE 0::UBIGINT END`;
}

/**
 * Whether a rule gives all plain names of one template, type and length the same verdict, whatever their ids. This is
 * true of catalogue rules that look only at the name, unless a text among their parameters could match inside an id or
 * across its edge.
 */
export function idsAlike(rule: CompiledRule, profile: Pick<CompiledProfile, 'delimiter'>): boolean {
  if (rule.entry === null || rule.entry.idsMatter === true || !rule.nameOnly || /[0-9a-f]/i.test(profile.delimiter))
    return false;
  // A text cannot match in an id if it has no digit and no colon, and at least one character other than a–f, dot,
  // underscore and dash. UUIDs contain dashes.
  const texts = Object.values(rule.params).flatMap((value) => (typeof value === 'number' ? [] : value));
  return texts.every((text) => !/[0-9:]/.test(text) && /[^a-f._-]/i.test(text));
}

/**
 * Rows of the roll-up for one run of zones, under a filter that `where` already has. Columns: profile, zone, template,
 * violated (not exempted), exempted (violated but exempted), notEvaluated (not exempted either), keys, bytes,
 * bytesUnknown, firstName, lastName, rest and styles. The last two are set only in rows that stand for cut children
 * (cut-levels.ts), so here they are false and NULL.
 *
 * Rules about names are most of the work, and most names differ only in an id. So plain names are first grouped by
 * everything that matters to such rules, and then the rules are evaluated on one name per group.
 *
 * @param child A SQL expression over the row by which rows are grouped in addition. Its column is named `child`.
 */
export function rollupSql(
  keys: string,
  where: Where,
  compiled: CompiledPolicy,
  run: Run,
  child: string | null = null,
): string {
  const by = child === null ? '' : 'child, ';
  const profile = compiled.profiles[run.profile]!;
  const rows = selectRanges(keys, where, run.ranges);
  const sql = createPassContext(where, compiled, profile);
  const alike = profile.keyRules.filter((rule) => idsAlike(rule, profile));
  const alone = violatedSql(
    profile.keyRules.filter((rule) => !alike.includes(rule)),
    sql,
  );
  const needsParts = /\b(parts|segments)\b/.test(alone);
  const shaped = shapedSql(`(SELECT * FROM ${rows} ${where.sql})`, profile.delimiter === ':');
  const each = `SELECT ${child === null ? '' : `${child} AS child, `}${zoneSql(run, where)} AS zone, ${rulesTemplateSql} AS template, place,
      CASE WHEN plain THEN name_bytes END AS name_bytes, CASE WHEN plain THEN type END AS type, plain,
      (${alone}) | CASE WHEN plain THEN 0::UBIGINT ELSE ${violatedSql(alike, sql)} END AS mask,
      ${notEvaluatedSql(profile.keyRules, sql)} AS notEvaluated, ${exemptedSql(compiled, profile, sql)} AS exempted, name, bytes
    FROM (${rowsWithPartsSql(shaped, sql.delimiter, needsParts ? null : 'NOT plain')})`;
  const groups = `SELECT ${by}zone, template, name_bytes, type, mask, notEvaluated, exempted, count(*) AS keys,
      coalesce(sum(bytes), 0)::DOUBLE AS bytes, count(*) - count(bytes) AS bytesUnknown, min(name) AS name, max(name) AS lastName,
      plain, NULL::BLOB AS raw
    FROM (${each}) GROUP BY ${by}zone, template, place, name_bytes, type, mask, notEvaluated, exempted, plain`;
  const classes = `SELECT * EXCLUDE (exempted), mask | CASE WHEN plain THEN ${violatedSql(alike, sql)} ELSE 0::UBIGINT END AS found,
      exempted | ${zoneExemptSql(run, profile)} AS exempted
    FROM (${rowsWithPartsSql(`(${groups})`, sql.delimiter)})`;
  return `SELECT ${by}${run.profile}::UINTEGER AS profile, zone, template, found & ~exempted AS violated, found & exempted AS exempted,
      notEvaluated & ~exempted AS notEvaluated, sum(keys)::BIGINT AS keys, sum(bytes) AS bytes, sum(bytesUnknown)::BIGINT AS bytesUnknown,
      min(name) AS firstName, max(lastName) AS lastName, false AS rest, NULL::UTINYINT AS styles
    FROM (${classes}) GROUP BY ALL`;
}
