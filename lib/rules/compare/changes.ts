import { AppError } from '@/lib/model/errors';
import {
  createPassContext,
  exemptedSql,
  notEvaluatedSql,
  toRuleMask,
  violatedSql,
} from '@/lib/rules/evaluate/pass-sql';
import type { CompiledPolicy, CompiledProfile, CompiledRule } from '@/lib/rules/policy/compile-policy';
import type { Zone } from '@/lib/rules/policy/zones';
import { rowsWithPartsSql } from '@/lib/rules/sql-context';
import { type CommonPart, findCommonPart, limitToCommon } from '@/lib/snapshots/compare/common-part';
import { CUT_ROWS, cutNames } from '@/lib/snapshots/compare/cut-names';
import { compareNameBytes, limitToRange, type NameRange } from '@/lib/snapshots/key-query/name-range';
import { Where } from '@/lib/snapshots/key-query/where-clause';
import { sealedSql } from '@/lib/snapshots/query/columns';
import type { Limits } from '@/lib/snapshots/query/duckdb';
import { assertReadable, type SnapshotRef, type Source, withSource } from '@/lib/snapshots/query/with-source';
import { type ChangeScope, limitToScopeTemplate, limitZones } from './changes-scope';

/**
 * The exact changes between two sealed snapshots under one policy, in the part of the keyspace that both scans read
 * (common-part.ts). For each key rule: the keys that violate it now and did not before (whether they existed or not), those that no longer violate it, and those that
 * violated it and are gone. Exempted findings do not count on either side. If one of the two snapshots could not tell
 * whether a key violates a rule, the key counts as neither new nor fixed: a scan that was refused a fact fixes nothing.
 *
 * Both files are sorted by name, so they are joined range by range, with at most about 250,000 keys of each side at a
 * time, and memory stays small whatever the size. What depends only on the name and the type cannot change for a key
 * that is in both with the same type, so rules about names are evaluated only on keys that differ.
 */
interface RuleChange {
  newKeys: number;
  fixedKeys: number;
  goneKeys: number;
  /** The first new keys in the order of names. */
  examples: string[];
}
export type Changes = Record<string, RuleChange>;

export const MAX_EXAMPLES = 20;

export async function compareFindings(
  current: SnapshotRef,
  previous: SnapshotRef,
  compiled: { current: CompiledPolicy; previous: CompiledPolicy },
  limits: Limits & { cutRows?: number } = {},
  scope: ChangeScope = {},
  common = findCommonPart(current, previous),
): Promise<Changes> {
  if (compiled.current.hash !== compiled.previous.hash)
    throw new AppError('internal', 'Snapshots can be compared under one and the same policy only.');
  await assertReadable(previous);
  const changes: Changes = {};
  await withSource(
    current,
    async (source) => {
      const before = `(${sealedSql(previous.dir, previous.manifest)})`;
      for (const zone of joinZones(limitZones(compiled.current.zones, scope, common))) {
        const cuts = await cutNames(source, [source.keys, before], zone, limits.cutRows ?? CUT_ROWS);
        for (const cut of cuts) {
          limits.signal?.throwIfAborted();
          await compareCut(source, before, { cut, scope, common }, zone, compiled, changes);
        }
      }
    },
    { timeoutMs: 300_000, ...limits },
  );
  return changes;
}

/** Joins neighbouring zones that differ only in their owner. */
function joinZones(zones: readonly Zone[]): Zone[] {
  const found: Zone[] = [];
  for (const zone of zones) {
    const last = found.at(-1);
    const isAlike = last && last.profile === zone.profile && last.exempt.join() === zone.exempt.join();
    if (isAlike && last.to === zone.from) last.to = zone.to;
    else found.push({ ...zone });
  }
  return found;
}

/** Keys by which rules they violate newly (`fresh`) and no longer (`lost`), as masks in decimal text. */
interface ChangeRow extends Record<string, unknown> {
  fresh: string;
  lost: string;
  /** Whether the keys exist now. */
  isNow: boolean;
  keys: number;
  /** Names. The database returns a list, in one of two forms. */
  examples: string[] | { items: string[] };
}

interface Part {
  cut: NameRange;
  scope: ChangeScope;
  common: CommonPart;
}

async function compareCut(
  source: Source,
  before: string,
  part: Part,
  zone: Zone,
  compiled: { current: CompiledPolicy; previous: CompiledPolicy },
  changes: Changes,
): Promise<void> {
  const profile = compiled.current.profiles[zone.profile]!;
  if (profile.keyRules.length === 0) return;
  const where = new Where();
  const sql = cutSql(source.keys, before, where, part, zone, compiled, profile);
  const rows = await source.query<ChangeRow>(sql, where.values);
  for (const row of rows) {
    const fresh = BigInt(row.fresh);
    const lost = BigInt(row.lost);
    for (const rule of profile.keyRules) {
      const bit = 1n << BigInt(rule.bit);
      if ((fresh & bit) !== 0n) addNew(getChange(changes, rule), row);
      if ((lost & bit) !== 0n) getChange(changes, rule)[row.isNow ? 'fixedKeys' : 'goneKeys'] += row.keys;
    }
  }
  // Cuts come in the order of names. Within one, examples of several masks are merged, so limit them only now.
  for (const change of Object.values(changes)) change.examples.length = Math.min(change.examples.length, MAX_EXAMPLES);
}

function getChange(changes: Changes, rule: CompiledRule): RuleChange {
  changes[rule.id] ??= { newKeys: 0, fixedKeys: 0, goneKeys: 0, examples: [] };
  return changes[rule.id]!;
}

function addNew(change: RuleChange, row: ChangeRow): void {
  change.newKeys += row.keys;
  const names = Array.isArray(row.examples) ? row.examples : row.examples.items;
  change.examples = [...change.examples, ...names].sort(compareNameBytes);
}

/** SQL for the rows of `ChangeRow` in one cut. */
function cutSql(
  now: string,
  before: string,
  where: Where,
  { cut, scope, common }: Part,
  zone: Zone,
  compiled: { current: CompiledPolicy; previous: CompiledPolicy },
  profile: CompiledProfile,
): string {
  limitToRange(where, cut);
  limitToScopeTemplate(where, scope);
  limitToCommon(where, common);
  const range = where.sql;
  const old = compiled.previous.profiles[zone.profile]!;
  const sql = createPassContext(where, compiled.current, profile);
  const oldSql = createPassContext(where, compiled.previous, old);
  const isNameOnly = (rule: CompiledRule) => rule.nameOnly;
  const factMaskSql = (keys: string, of: CompiledProfile, context: typeof sql) => {
    const mask = violatedSql(
      of.keyRules.filter((rule) => !isNameOnly(rule)),
      context,
    );
    const notEvaluated = notEvaluatedSql(of.keyRules, context);
    const rows = `(SELECT * FROM ${keys} ${range})`;
    const source = /\b(parts|segments)\b/.test(mask + notEvaluated)
      ? `(${rowsWithPartsSql(rows, context.delimiter)})`
      : rows;
    return `SELECT name, db, raw, sha256, name_bytes, type, slot, tag, ${mask} AS facts, ${notEvaluated} AS notEvaluated FROM ${source}`;
  };
  const nameMaskSql = (of: CompiledProfile, context: typeof sql) =>
    violatedSql(of.keyRules.filter(isNameOnly), context);
  const exempted = `((${exemptedSql(compiled.current, profile, sql)}) | ${toRuleMask(profile, zone.exempt)}::UBIGINT)`;
  // If only one of the snapshots is of a cluster, the verdict on the same name may differ too.
  const same =
    compiled.current.clustered === compiled.previous.clustered
      ? 'c.type IS NOT DISTINCT FROM p.type AND c.facts = p.facts'
      : 'false';
  const differ = `SELECT coalesce(c.name, p.name) AS name, coalesce(c.raw, p.raw) AS raw, coalesce(c.sha256, p.sha256) AS sha256,
      coalesce(c.name_bytes, p.name_bytes) AS name_bytes, coalesce(c.slot, p.slot) AS slot, coalesce(c.tag, p.tag) AS tag,
      c.facts IS NOT NULL AS isNow, p.facts IS NOT NULL AS wasThen, c.type AS type, p.type AS oldType,
      coalesce(c.facts, 0::UBIGINT) AS nowFacts, coalesce(p.facts, 0::UBIGINT) AS oldFacts,
      coalesce(c.notEvaluated, 0::UBIGINT) | coalesce(p.notEvaluated, 0::UBIGINT) AS notEvaluated
    FROM (${factMaskSql(now, profile, sql)}) c FULL JOIN (${factMaskSql(before, old, oldSql)}) p
      ON c.name = p.name AND c.db = p.db AND c.raw IS NOT DISTINCT FROM p.raw AND c.sha256 IS NOT DISTINCT FROM p.sha256
    WHERE NOT coalesce(${same}, false)`;
  const parted = rowsWithPartsSql(`(${differ})`, sql.delimiter);
  const judgedNow = `SELECT * EXCLUDE (type), oldType AS type, CASE WHEN isNow THEN nowFacts | ${nameMaskSql(profile, sql)} ELSE 0::UBIGINT END AS nowMask,
      ${exempted} AS exempted FROM (${parted})`;
  const judged = `SELECT name, isNow, notEvaluated, nowMask & ~exempted AS nowMask,
      CASE WHEN wasThen THEN oldFacts | ${nameMaskSql(old, oldSql)} ELSE 0::UBIGINT END & ~exempted AS oldMask FROM (${judgedNow})`;
  return `SELECT (nowMask & ~oldMask & ~notEvaluated)::VARCHAR AS fresh, (oldMask & ~nowMask & ~notEvaluated)::VARCHAR AS lost, isNow,
      count(*) AS keys, min(name, ${MAX_EXAMPLES}) AS examples
    FROM (${judged}) WHERE (xor(nowMask, oldMask) & ~notEvaluated) <> 0 GROUP BY 1, 2, 3`;
}
