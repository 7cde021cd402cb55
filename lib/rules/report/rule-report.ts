import { AppError } from '@/lib/model/errors';
import { toKnownBytes } from '@/lib/model/keys/known-bytes';
import type { ReportQuery } from '@/lib/model/reports/query';
import type { GroupFinding, RuleFindingReport } from '@/lib/model/rules/findings';
import { readCombinations, selectLiveRows } from '@/lib/rules/evaluate/combinations';
import { toRuleMask } from '@/lib/rules/evaluate/pass-sql';
import { findEvaluationScope } from '@/lib/rules/evaluate/scope';
import { parseGroupPart } from '@/lib/rules/groups/group-part';
import { askGroups, readStoredGroups } from '@/lib/rules/groups/stored-groups';
import type { CompiledPolicy } from '@/lib/rules/policy/compile-policy';
import { type RulesMeta, rulesRestsSql } from '@/lib/rules/policy/rules-folder';
import type { Source } from '@/lib/snapshots/query/with-source';
import { findExamples } from './examples';
import { computeExpiryShare } from './expiry-share';
import { sumCombinations } from './findings-report';
import { judgeScannedServer } from './judge-scanned-server';
import { pickOffsetPage } from './offset-page';
import { buildGroupFindings, buildKeyFindings, buildServerFindings, listKeyRules } from './rule-findings';

/** Prefixes are cut this many segments below the path of the query. */
const SEGMENTS = 2;
const DEFAULT_LIMIT = 50;

/** Shows where one rule is violated: the prefixes with most violating keys, or the violating groups. */
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
  const groups =
    meta === null ? await askGroups(source, compiled, null) : await readStoredGroups(source.dir, meta.hash);
  const part = parseGroupPart(compiled, query);
  const grouped = buildGroupFindings(compiled, groups, total, part).find((one) => one.rule === id);
  if (grouped) {
    const own = part === null ? groups[id]!.groups : groups[id]!.groups.filter(part.holds);
    const { rows, nextCursor } = pickOffsetPage(own, query, 200);
    return { ...none, finding: grouped, groups: rows.map(toShown), nextCursor };
  }
  const server = buildServerFindings(
    compiled,
    await judgeScannedServer(source, compiled, await computeExpiryShare(source)),
  ).find((one) => one.rule === id);
  if (server) return { ...none, finding: server };
  throw new AppError(
    'not_found',
    `The rule ${id} is not enabled in the profile of this instance. Enable it there first.`,
    {
      rule: id,
    },
  );
}

/** Stored groups have the sum of the known bytes. */
const toShown = (group: GroupFinding): GroupFinding => ({
  ...group,
  bytes: toKnownBytes({ keys: group.keys, bytes: group.bytes ?? 0 }),
});

/** The parameters that the profiles of the policy give a rule, each set once with the names of its profiles. */
export function listRuleSettings(compiled: CompiledPolicy, id: string): RuleFindingReport['settings'] {
  const sets = new Map<string, RuleFindingReport['settings'][number]>();
  const order = [compiled.base, ...compiled.profiles.keys()].filter((p, i, all) => all.indexOf(p) === i);
  for (const index of order) {
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
  const asked =
    scope === null
      ? selectLiveRows(source, compiled, query).map(({ sql, where }) => ({ sql, values: where.values }))
      : [{ sql: `(SELECT * FROM ${scope.rows} ${scope.where.sql})`, values: scope.where.values }];
  const zones = findOwnerZones(compiled, query);
  const bits = compiled.profiles.map((profile, i) => `WHEN ${i} THEN ${toRuleMask(profile, [id])}::UBIGINT`).join(' ');
  const found = new Map<string, PrefixRow>();
  for (const { sql, values } of asked) {
    const rows = await source.query<PrefixRow>(
      `SELECT path, any_value(profile) AS profile, arg_max(zone, violated) AS zone, sum(violated)::DOUBLE AS keys, sum(violatedBytes)::DOUBLE AS bytes,
         sum(keys)::DOUBLE AS "all", min(firstViolated) AS firstName
       FROM (SELECT CASE WHEN len(parts) > ${depth} THEN concat(array_to_string(parts[:${depth}], ':'), ':') ELSE template END AS path,
           profile, zone, keys, CASE WHEN hit THEN keys ELSE 0 END AS violated, CASE WHEN hit THEN bytes ELSE 0 END AS violatedBytes,
           CASE WHEN hit THEN firstName END AS firstViolated
         FROM (SELECT *, string_split(template, ':') AS parts, (violated & CASE profile ${bits} ELSE 0::UBIGINT END) <> 0 AS hit FROM ${sql}
           ${zones === null ? '' : `WHERE ${amongSql(zones)}`})
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
  const { rows: shown, nextCursor } = pickOffsetPage(violated, query, DEFAULT_LIMIT);
  const wanted = shown.map(({ profile: index, firstName }) => {
    const profile = compiled.profiles[index]!;
    const rule = profile.keyRules.find((one) => one.id === id);
    return firstName === null || !rule ? null : { profile, rule, name: firstName, close: false };
  });
  const examples = await findExamples(
    source,
    compiled,
    wanted.filter((one) => one !== null),
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
    const { sql, values } = asked[0]!;
    const [row] = await source.query<{ children: number | null }>(
      `SELECT sum(children)::DOUBLE AS children FROM ${rulesRestsSql(source.dir, meta!)}
       WHERE len(string_split(template, ':')) <= ${depth} AND (violated & CASE profile ${bits} ELSE 0::UBIGINT END) <> 0
         AND template IN (SELECT template FROM ${sql} WHERE rest) ${zones === null ? '' : `AND ${amongSql(zones)}`}`,
      values,
    );
    return row?.children ?? 0;
  }
}

const amongSql = (zones: readonly number[]) => `zone IN (${zones.length === 0 ? 'NULL' : zones.join(', ')})`;

/** Indexes of the zones of the `owner` in the query; null: all. */
function findOwnerZones(compiled: CompiledPolicy, query: ReportQuery): number[] | null {
  if (query.owner === undefined) return null;
  const team = query.owner === '-' ? null : query.owner;
  return compiled.zones.flatMap((zone, i) => (zone.owner === team ? [i] : []));
}
