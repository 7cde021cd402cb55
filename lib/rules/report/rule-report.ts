import { AppError } from '@/lib/model/errors';
import { toKnownBytes } from '@/lib/model/keys/known-bytes';
import type { ReportQuery } from '@/lib/model/reports/query';
import type { GroupFinding, RuleFindingReport } from '@/lib/model/rules/findings';
import { readCombinations, selectLiveRows } from '@/lib/rules/evaluate/combinations';
import { profileMaskSql, toRuleMask } from '@/lib/rules/evaluate/pass-sql';
import { findEvaluationScope } from '@/lib/rules/evaluate/scope';
import { parseGroupPart } from '@/lib/rules/groups/group-part';
import { readGroupAnswers } from '@/lib/rules/groups/stored-groups';
import { type CompiledPolicy, listBaseFirst } from '@/lib/rules/policy/compile-policy';
import { parseOwner } from '@/lib/rules/policy/owned-prefixes';
import { type RulesMeta, rulesRestsSql } from '@/lib/rules/policy/rules-folder';
import type { Source } from '@/lib/snapshots/query/with-source';
import { findExamples } from './examples';
import { sumCombinations } from './findings-report';
import { buildGroupFindings, buildKeyFindings, listKeyRules } from './rule-findings';
import { buildServerFindings } from './server-findings';

/** Prefixes are cut this many segments below the path of the query. */
const SEGMENTS = 2;
/** Rows of a page if the query sets no limit. */
const DEFAULT_PREFIXES = 50;
const DEFAULT_GROUPS = 200;

/**
 * Shows where one rule is violated: the prefixes with most violating keys, or the violating groups. Errors: `not_found`
 * if the rule is not enabled.
 */
export async function buildRuleReport(
  source: Source,
  compiled: CompiledPolicy,
  meta: RulesMeta | null,
  id: string,
  query: ReportQuery,
): Promise<RuleFindingReport> {
  const none = { prefixes: [], prefixCount: 0, groups: [], nextCursor: null, settings: listRuleSettings(compiled, id) };
  const entry = listKeyRules(compiled).find(({ rule }) => rule.id === id);
  const combinations = await readCombinations(source, compiled, meta, query);
  const total = sumCombinations(combinations);
  if (entry) {
    const finding = (await buildKeyFindings(source, compiled, [entry], combinations, total))[0]!;
    return { ...none, finding, ...(await readRulePrefixes(source, compiled, meta, id, query)) };
  }
  const groups = await readGroupAnswers(source, compiled, meta);
  const part = parseGroupPart(compiled, query);
  const grouped = buildGroupFindings(compiled, groups, total, part).find((one) => one.rule === id);
  if (grouped) {
    const own = part === null ? groups[id]!.groups : groups[id]!.groups.filter(part.holds);
    const { rows, nextCursor } = pickOffsetPage(own, query, DEFAULT_GROUPS);
    return { ...none, finding: grouped, groups: rows.map(withKnownBytes), nextCursor };
  }
  const server = (await buildServerFindings(source, compiled)).find(({ rule }) => rule === id);
  if (server) return { ...none, finding: server };
  throw new AppError(
    'not_found',
    `The rule ${id} is not enabled in the profile of this instance. Enable it there first.`,
    { rule: id },
  );
}

/** Stored groups have the sum of the known bytes, which says nothing about a group if none are known. */
const withKnownBytes = (group: GroupFinding): GroupFinding => ({
  ...group,
  bytes: toKnownBytes({ keys: group.keys, bytes: group.bytes ?? 0 }),
});

/** The parameters that the profiles of the policy give a rule, each set once with the names of its profiles. */
function listRuleSettings(compiled: CompiledPolicy, id: string): RuleFindingReport['settings'] {
  const sets = new Map<string, RuleFindingReport['settings'][number]>();
  for (const index of listBaseFirst(compiled)) {
    const { name, keyRules, groupRules, serverRules } = compiled.profiles[index]!;
    // Servers are checked against the base profile only.
    const rules = [...keyRules, ...groupRules, ...(index === compiled.base ? serverRules : [])];
    const rule = rules.find((one) => one.id === id);
    if (!rule) continue;
    const key = JSON.stringify(Object.entries(rule.params).sort(([a], [b]) => (a < b ? -1 : 1)));
    const known = sets.get(key);
    if (known) known.profiles.push(name);
    else sets.set(key, { profiles: [name], params: rule.params });
  }
  return [...sets.values()];
}

type PrefixRow = Record<string, unknown> & {
  profile: number;
  zone: number;
  path: string;
  keys: number;
  bytes: number;
  all: number;
  firstName: string | null;
};

/**
 * Returns the folded paths with violating keys, cut two segments below the path of the query. If a wide level was cut,
 * its largest children are among them; the others are only included in the count.
 */
async function readRulePrefixes(
  source: Source,
  compiled: CompiledPolicy,
  meta: RulesMeta | null,
  id: string,
  query: ReportQuery,
): Promise<Pick<RuleFindingReport, 'prefixes' | 'prefixCount' | 'nextCursor'>> {
  const depth = (query.template ?? query.prefix ?? '').split(':').length - 1 + SEGMENTS;
  const scope = await findEvaluationScope(source, meta, query, depth);
  /** The rows of the roll-up to sum: one statement, or one per profile if they are computed from the keys. */
  const statements =
    scope === null
      ? selectLiveRows(source, compiled, query).map(({ sql, where }) => ({ sql, values: where.values }))
      : [{ sql: `(SELECT * FROM ${scope.rows} ${scope.where.sql})`, values: scope.where.values }];
  const zones = findOwnerZones(compiled, query);
  const violatesSql = `(violated & ${profileMaskSql(compiled, (profile) => toRuleMask(profile, [id]))}) <> 0`;
  const found = new Map<string, PrefixRow>();
  for (const { sql, values } of statements) {
    const rows = await source.query<PrefixRow>(
      `SELECT path, any_value(profile) AS profile, arg_max(zone, violated) AS zone, sum(violated)::DOUBLE AS keys, sum(violatedBytes)::DOUBLE AS bytes,
         sum(keys)::DOUBLE AS "all", min(firstViolated) AS firstName
       FROM (SELECT CASE WHEN len(parts) > ${depth} THEN concat(array_to_string(parts[:${depth}], ':'), ':') ELSE template END AS path,
           profile, zone, keys, CASE WHEN hit THEN keys ELSE 0 END AS violated, CASE WHEN hit THEN bytes ELSE 0 END AS violatedBytes,
           CASE WHEN hit THEN firstName END AS firstViolated
         FROM (SELECT *, string_split(template, ':') AS parts, ${violatesSql} AS hit FROM ${sql}
           ${zones === null ? '' : `WHERE ${inZonesSql(zones)}`})
         WHERE NOT rest OR len(parts) > ${depth})
       GROUP BY path`,
      values,
    );
    for (const row of rows) {
      const known = found.get(row.path);
      if (!known) found.set(row.path, row);
      else {
        known.keys += row.keys;
        known.bytes += row.bytes;
        known.all += row.all;
        known.firstName ??= row.firstName;
      }
    }
  }
  const violated = [...found.values()].filter((row) => row.keys > 0);
  violated.sort((a, b) => b.keys - a.keys || b.bytes - a.bytes || (a.path < b.path ? -1 : 1));
  const { rows: shown, nextCursor } = pickOffsetPage(violated, query, DEFAULT_PREFIXES);
  const wanted = shown.map(({ profile: index, firstName }) => {
    const profile = compiled.profiles[index]!;
    const rule = profile.keyRules.find((own) => own.id === id);
    return firstName === null || !rule ? null : { profile, rule, name: firstName, needsType: false };
  });
  const examples = await findExamples(
    source,
    compiled,
    wanted.filter((example) => example !== null),
    'one list',
  );
  const prefixes = shown.map((row, i) => ({
    path: row.path,
    // A template that was cut has one segment more: an empty one after its last delimiter.
    end: row.path.split(':').length <= depth,
    keys: row.keys,
    bytes: toKnownBytes(row),
    owner: compiled.zones[row.zone]!.owner,
    shareOfPrefix: row.all > 0 ? row.keys / row.all : 0,
    example: wanted[i] === null ? null : (examples.shift() ?? null),
  }));
  const rest = scope === null || !meta?.rests ? 0 : await countRest();
  return { prefixes, prefixCount: violated.length + rest, nextCursor };

  /** Number of children that are only in the rests of these levels and have keys that violate the rule. */
  async function countRest(): Promise<number> {
    const { sql, values } = statements[0]!;
    const [row] = await source.query<{ children: number | null }>(
      `SELECT sum(children)::DOUBLE AS children FROM ${rulesRestsSql(source.dir, meta!)}
       WHERE len(string_split(template, ':')) <= ${depth} AND ${violatesSql}
         AND template IN (SELECT template FROM ${sql} WHERE rest) ${zones === null ? '' : `AND ${inZonesSql(zones)}`}`,
      values,
    );
    return row?.children ?? 0;
  }
}

const inZonesSql = (zones: readonly number[]) => `zone IN (${zones.length === 0 ? 'NULL' : zones.join(', ')})`;

/** Indexes of the zones of the `owner` in the query; null: all. */
function findOwnerZones(compiled: CompiledPolicy, query: ReportQuery): number[] | null {
  if (query.owner === undefined) return null;
  const team = parseOwner(query.owner);
  return compiled.zones.flatMap((zone, i) => (zone.owner === team ? [i] : []));
}

/**
 * Returns a page of a complete list. The cursor is the offset of its first row; null: there is no further page. Errors:
 * `bad_request` if the cursor is not a number.
 */
export function pickOffsetPage<T>(
  all: readonly T[],
  { cursor, limit }: Pick<ReportQuery, 'cursor' | 'limit'>,
  defaultLimit: number,
): { rows: T[]; nextCursor: string | null } {
  if (cursor !== undefined && !/^[1-9][0-9]{0,8}$/.test(cursor))
    throw new AppError('bad_request', 'The cursor does not belong to this list.');
  const from = Number(cursor ?? 0);
  const to = from + (limit ?? defaultLimit);
  return { rows: all.slice(from, to), nextCursor: to < all.length ? String(to) : null };
}
