import { recogniseValue } from '@/lib/model/keys/recognised-values';
import type { KeyVerdict, SplitAdvice } from '@/lib/model/rules/findings';
import type { EffectivePolicy } from '@/lib/model/rules/policy';
import { toWellFormed } from '@/lib/model/text/to-well-formed';
import { getBigkeyThresholds } from '@/lib/rules/bigkey-thresholds';
import { adviseBuckets, computeSeverity } from '@/lib/rules/bucket-advice';
import { type CompiledProfile, type CompiledRule, compilePolicy } from '@/lib/rules/policy/compile-policy';
import { globExemptedSql } from '@/lib/rules/policy/exempted-sql';
import type { Zone } from '@/lib/rules/policy/zones';
import { createNameSuggester } from '@/lib/rules/suggest-name';
import { Where } from '@/lib/snapshots/key-query/where-clause';
import { type AdHocOptions, type AdHocRow, withRows } from '@/lib/snapshots/query/ad-hoc-rows';
import { confirmSuggestions, type Suggestion } from './confirm-suggestions';
import { bitSql, createPassContext, rowsSql } from './pass-sql';

/** Types whose size is compared with the bigkey thresholds of a profile. */
const MEASURED: readonly (string | null)[] = ['string', 'hash', 'list', 'set', 'zset'];

/**
 * Elements of hashes and sets are looked up one by one, so a hash of the element can choose the new key. Lists and
 * sorted sets are read in order and are split differently.
 */
const SPLIT_BY = { string: 'bytes', hash: 'elements', set: 'elements', list: 'list', zset: 'zset' } as const;

/**
 * Says how far a key is above the bigkey thresholds and into how many keys it should be split; null for other types and
 * for keys below the thresholds.
 */
export function adviseSplit(
  profile: Pick<CompiledProfile, 'body'>,
  row: Parameters<typeof recogniseValue>[0],
): SplitAdvice | null {
  const limits = getBigkeyThresholds(profile.body);
  const [type, length, bytes] = [row.type ?? null, row.length ?? null, row.bytes ?? null];
  if (!MEASURED.includes(type) || recogniseValue(row) !== null) return null;
  const severity = computeSeverity(type, length, bytes, limits);
  const buckets = adviseBuckets(type, length, bytes, limits);
  if (severity === null || buckets === null) return null;
  const isString = type === 'string';
  const times = isString ? (length ?? bytes)! / limits.stringBytes : length! / limits.elements;
  return { severity, times, buckets, of: SPLIT_BY[type as keyof typeof SPLIT_BY] };
}

/**
 * Options of `checkRows`, which evaluates single keys with the same predicates as whole snapshots: for the key page,
 * `lint`, and trying names in the editor. It returns one verdict per row, in the order of the rows.
 */
export interface CheckOptions extends AdHocOptions {
  /** True: evaluate only rules that look at nothing but the name. */
  nameOnly?: boolean;
  clustered?: boolean;
  /** Commands of the server besides COMMAND_NAMES. */
  moreCommands?: readonly string[];
  /** Names of other keys. None of them is suggested as a new name. */
  taken?: readonly string[];
}

const compareNameBytes = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b));
const isInZone = (name: string, zone: Zone) =>
  compareNameBytes(name, zone.from) >= 0 && (zone.to === null || compareNameBytes(name, zone.to) < 0);

export async function checkRows(
  policy: EffectivePolicy,
  rows: readonly AdHocRow[],
  options: CheckOptions = {},
): Promise<KeyVerdict[]> {
  if (rows.length === 0) return [];
  const compiled = compilePolicy(policy, {
    asOf: options.asOf ?? Date.now(),
    lazyExpire: options.lazyfreeLazyExpire ?? null,
    clustered: options.clustered ?? false,
    // A single key is judged as on its master.
    replicaNodes: [],
    ...(options.moreCommands && { moreCommands: options.moreCommands }),
  });
  const zones = rows.map((row) => compiled.zones.find((zone) => isInZone(toWellFormed(row.name), zone))!);
  const verdicts = new Map<number, KeyVerdict>();
  await withRows(
    rows,
    async (source) => {
      for (const [index, profile] of compiled.profiles.entries()) {
        const mine = rows.flatMap((_, i) => (zones[i]!.profile === index ? [i] : []));
        if (mine.length === 0) continue;
        const rules = profile.keyRules.filter((rule) => !options.nameOnly || rule.nameOnly);
        const where = new Where();
        const sql = createPassContext(where, compiled, profile);
        // Read masks, and only for rows with a violated or unknown rule: most names violate nothing, and one column per
        // rule would fill the memory.
        const bits = (asked: (rule: CompiledRule) => string) => {
          const terms = rules.flatMap((rule, i) => {
            const text = asked(rule);
            return text === 'false' ? [] : [`CASE WHEN ${text} THEN ${bitSql(i)} ELSE 0::UBIGINT END`];
          });
          return terms.length === 0 ? '0::UBIGINT' : terms.join(' | ');
        };
        const found = await source.query<{ ordinal: number; b: string; u: string; e: string }>(
          `SELECT ordinal, b::VARCHAR AS b, u::VARCHAR AS u, e::VARCHAR AS e FROM (SELECT ordinal, ${bits((rule) => rule.violated(sql))} AS b,
            ${bits((rule) => rule.unknown(sql) ?? 'false')} AS u, ${bits((rule) => globExemptedSql(compiled, rule, sql))} AS e
            FROM ${rowsSql(source.keys, '', sql)}) WHERE b <> 0 OR u <> 0`,
          where.values,
        );
        const suggest = createNameSuggester(profile.body);
        const suggestions = new Map<number, Suggestion>();
        const judged = new Map<string, Pick<KeyVerdict, 'violated' | 'unknown'>>();
        for (const { ordinal, b, u, e } of found) {
          const zone = zones[ordinal]!;
          if (zone.profile !== index) continue;
          const row = rows[ordinal]!;
          const same = `${compiled.zones.indexOf(zone)}:${b}:${u}:${e}`;
          const { violated, unknown } = judged.get(same) ?? toVerdict(rules, zone, { b, u, e });
          judged.set(same, { violated, unknown });
          verdicts.set(ordinal, { violated, unknown, suggested: null });
          const suggested = violated.some((one) => one.rule.startsWith('N'))
            ? suggest(row.name, row.type ?? null)
            : null;
          if (suggested !== null) suggestions.set(ordinal, { name: row.name, type: row.type ?? null, suggested });
        }
        const all = [...suggestions.values()];
        const names = [...rows.map((row) => row.name), ...(options.taken ?? [])];
        const confirmed = await confirmSuggestions(source.query, compiled, profile, all, names);
        for (const [ordinal, suggestion] of suggestions)
          if (confirmed.has(suggestion)) verdicts.get(ordinal)!.suggested = suggestion.suggested;
        if (options.nameOnly) continue;
        for (const i of mine)
          verdicts.set(i, { ...(verdicts.get(i) ?? NOTHING), split: adviseSplit(profile, rows[i]!) });
      }
    },
    options,
  );
  return rows.map((_, i) => verdicts.get(i) ?? { ...NOTHING });
}

const NOTHING: KeyVerdict = { violated: [], unknown: [], suggested: null };

function toVerdict(rules: readonly CompiledRule[], zone: Zone, masks: { b: string; u: string; e: string }) {
  const [b, u, e] = [BigInt(masks.b), BigInt(masks.u), BigInt(masks.e)];
  const has = (mask: bigint, i: number) => ((mask >> BigInt(i)) & 1n) === 1n;
  const isExempt = (id: string, i: number) => has(e, i) || zone.exempt.includes('*') || zone.exempt.includes(id);
  return {
    violated: rules.flatMap(({ id, title, strength }, i) =>
      has(b, i) ? [{ rule: id, title, strength, exempt: isExempt(id, i) }] : [],
    ),
    unknown: rules.flatMap(({ id }, i) => (has(u, i) && !has(b, i) && !isExempt(id, i) ? [id] : [])),
  };
}
