/**
 * Prefixes and templates of two snapshots, from their roll-ups: a few thousand sums each, whatever the number of keys.
 * Two roll-ups may fold or cut the same level differently. So ids are folded as in templates, and what one of the two
 * has cut is cut in both.
 */

import type { ChangeCounts, ComparedGroup, SumTotals } from '@/lib/model/comparison/comparison';
import type { Change, Grouping } from '@/lib/model/comparison/comparison-words';
import { AppError } from '@/lib/model/errors';
import type { ReportQuery } from '@/lib/model/reports/query';
import { selectFilteredKeys } from '@/lib/snapshots/key-query/keys-where';
import { toPathPrefix } from '@/lib/snapshots/key-query/prefix-sql';
import { bigkeySql } from '@/lib/snapshots/query/bigkey-sql';
import { TEMPLATE_DELIMITER } from '@/lib/snapshots/query/columns';
import { type Source, withSource } from '@/lib/snapshots/query/with-source';
import { BIG, TTL_NONE } from '@/lib/snapshots/rollup/classes';
import { openRollup, toTemplate } from '@/lib/snapshots/rollup/open-rollup';
import { tableSql } from '@/lib/snapshots/rollup/rollup-folder';
import { findRollupScope } from '@/lib/snapshots/rollup/scope';
import { CUT } from '@/lib/snapshots/rollup/settle-paths';
import { type CommonPart, type ComparedRef, limitToCommon, needsKeys } from './common-part';

/** The part of the keyspace that a reader chose, by names alone. */
export type NameScope = Pick<ReportQuery, 'prefix' | 'template'>;

export interface ComparedSums {
  totals: Record<'now' | 'before', SumTotals>;
  groups: Record<Grouping, ComparedGroup[]>;
}

/** Maximum number of templates that are counted from the keys; the roll-up has fewer. */
const MAX_TEMPLATES = 50_000;
/** Shown in place of everything below a level with too many different names. */
const CUT_SHOWN = '…';

/** Errors: those of reports; `too_large` if the keys of the part have too many templates. */
export async function compareGroups(
  now: ComparedRef,
  before: ComparedRef,
  common: CommonPart,
  scope: NameScope,
  onMissingRollup: (id: string) => void = () => {},
): Promise<ComparedSums> {
  const [sumsNow, sumsBefore] = [
    await readSums(now, common, scope, onMissingRollup),
    await readSums(before, common, scope, onMissingRollup),
  ];
  const cuts = new Set([...sumsNow, ...sumsBefore].flatMap(({ template }) => listCuts(template)));
  const toGroups = (name: (template: string) => string) => {
    const [a, b] = [sumUp(sumsNow, name), sumUp(sumsBefore, name)];
    return [...new Set([...a.keys(), ...b.keys()])].map((group) => {
      const [inNow, inBefore] = [a.get(group) ?? null, b.get(group) ?? null];
      return { name: group, change: findChange(inNow, inBefore), now: inNow, before: inBefore };
    });
  };
  const total = (sums: readonly Sum[]) => sumUp(sums, () => '').get('') ?? NOTHING;
  return {
    totals: { now: total(sumsNow), before: total(sumsBefore) },
    groups: {
      prefix: toGroups((template) => toPrefix(cutTemplate(template, cuts))),
      template: toGroups((template) => cutTemplate(template, cuts).replace(CUT, CUT_SHOWN)),
    },
  };
}

export const countChanges = (groups: readonly ComparedGroup[]): ChangeCounts => {
  const counts: ChangeCounts = { new: 0, gone: 0, grown: 0, shrunk: 0 };
  for (const { change } of groups) if (change !== null) counts[change]++;
  return counts;
};

/** Returns the groups that differ, or those with one change; the largest difference in memory first. */
export function listChanged(groups: readonly ComparedGroup[], change: Change | undefined): ComparedGroup[] {
  const difference = ({ now, before }: ComparedGroup, field: 'bytes' | 'keys') =>
    Math.abs((now?.[field] ?? 0) - (before?.[field] ?? 0));
  return groups
    .filter((group) => (change === undefined ? group.change !== null : group.change === change))
    .sort(
      (a, b) =>
        difference(b, 'bytes') - difference(a, 'bytes') ||
        difference(b, 'keys') - difference(a, 'keys') ||
        (a.name < b.name ? -1 : 1),
    );
}

const NOTHING: SumTotals = { keys: 0, bytes: null, bytesUnknown: 0, noExpiry: 0, bigkeys: 0 };

function findChange(now: SumTotals | null, before: SumTotals | null): Change | null {
  if (now === null || before === null) return now === null ? 'gone' : 'new';
  // Sums over different numbers of unknown values cannot be compared, so only the number of keys decides.
  const isKnown = now.bytes !== null && before.bytes !== null && now.bytesUnknown === 0 && before.bytesUnknown === 0;
  const difference = (isKnown ? now.bytes! - before.bytes! : 0) || now.keys - before.keys;
  return difference === 0 ? null : difference > 0 ? 'grown' : 'shrunk';
}

/** The sums of one path, or of one template where the keys were read. */
type Sum = { template: string; keys: number; sized: number; bytes: number; noExpiry: number; bigkeys: number };

async function readSums(
  ref: ComparedRef,
  common: CommonPart,
  scope: NameScope,
  onMissingRollup: (id: string) => void,
): Promise<Sum[]> {
  return withSource(ref, async (source) => {
    const query = narrow(scope, common);
    if (query === null) return [];
    const rollup = await openRollup(source);
    if (rollup === null) onMissingRollup(ref.manifest.id);
    const found = needsKeys(common) ? null : findRollupScope(rollup, 'cells', query);
    if (found === null) return readKeySums(source, common, query);
    const where = found.where.copy();
    limitToCommon(where, common);
    const rows = await source.query<Omit<Sum, 'template'> & { path: number }>(
      `SELECT path, sum(n)::BIGINT AS keys, sum(sized)::BIGINT AS sized, sum(total)::DOUBLE AS bytes,
         coalesce(sum(n) FILTER (ttl = ${TTL_NONE}), 0)::BIGINT AS noExpiry, coalesce(sum(n) FILTER (big = ${BIG}), 0)::BIGINT AS bigkeys
       FROM ${tableSql(ref.dir, 'cells')} ${where.sql} GROUP BY path`,
      where.values,
    );
    return rows.map(({ path, ...sums }) => ({ ...sums, template: toTemplate(found.rollup.paths[path]!) }));
  });
}

/**
 * Joins the scope of the reader with the prefix of the common part. null: they exclude each other. If a prefix and a
 * folded path apply, both are kept, and the keys decide.
 */
function narrow(scope: NameScope, { prefix }: CommonPart): NameScope | null {
  const chosen = scope.prefix ?? '';
  if (!chosen.startsWith(prefix) && !prefix.startsWith(chosen)) return null;
  const longer = chosen.length > prefix.length ? chosen : prefix;
  return { ...(longer !== '' && { prefix: longer }), ...(scope.template && { template: scope.template }) };
}

async function readKeySums(source: Source, common: CommonPart, query: NameScope): Promise<Sum[]> {
  const { keys, where } = selectFilteredKeys(source, query);
  limitToCommon(where, common);
  const rows = await source.query<Sum>(
    `SELECT template, count(*)::BIGINT AS keys, count(bytes)::BIGINT AS sized, coalesce(sum(bytes), 0)::DOUBLE AS bytes,
       count(*) FILTER (expire_at IS NULL AND expiry_known)::BIGINT AS noExpiry,
       count(*) FILTER (${bigkeySql(source.bigkeys)})::BIGINT AS bigkeys
     FROM ${keys} ${where.sql} GROUP BY template LIMIT ${MAX_TEMPLATES + 1}`,
    where.values,
  );
  if (rows.length > MAX_TEMPLATES)
    throw new AppError('too_large', 'This part has too many different templates. Compare a longer prefix.');
  return rows;
}

function sumUp(sums: readonly Sum[], toName: (template: string) => string): Map<string, SumTotals> {
  const found = new Map<string, SumTotals>();
  for (const { template, keys, sized, bytes, noExpiry, bigkeys } of sums) {
    const name = toName(template);
    const total = found.get(name) ?? { ...NOTHING };
    total.keys += keys;
    total.bytesUnknown += keys - sized;
    if (sized > 0) total.bytes = (total.bytes ?? 0) + bytes;
    total.noExpiry += noExpiry;
    total.bigkeys += bigkeys;
    found.set(name, total);
  }
  return found;
}

/** The path above each cut level of a template: `user:{int}:` of `user:{int}:CUT`. */
const listCuts = (template: string): string[] => (template.endsWith(CUT) ? [template.slice(0, -CUT.length)] : []);

/** Cuts a template at the first level that one of the two roll-ups has cut. */
function cutTemplate(template: string, cuts: ReadonlySet<string>): string {
  if (cuts.has('')) return CUT;
  if (cuts.size === 0) return template;
  for (let at = template.indexOf(TEMPLATE_DELIMITER); at >= 0; at = template.indexOf(TEMPLATE_DELIMITER, at + 1)) {
    const above = template.slice(0, at + 1);
    if (cuts.has(above)) return above + CUT;
  }
  return template;
}

const toPrefix = (template: string): string => {
  const segments = template.split(TEMPLATE_DELIMITER);
  if (segments.includes(CUT) && segments.length <= 2) return template.replace(CUT, CUT_SHOWN);
  return toPathPrefix(
    segments,
    segments.map(() => null),
  );
};
