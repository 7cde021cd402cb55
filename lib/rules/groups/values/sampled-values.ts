import { type SampledValue, SENSITIVE_KINDS, type SensitiveKind } from '@/lib/model/keys/value-samples';
import { foldedPrefixesSql, toPathOrNull } from '@/lib/rules/groups/counts/folded-prefixes';
import {
  buildRuleWhere,
  type Found,
  type FoundGroup,
  type GroupQuestion,
  type GroupRule,
  MAX_GROUPS_READ,
} from '@/lib/rules/groups/counts/group-answer';
import { isInRange } from '@/lib/rules/policy/zones';
import { readValueSamples } from '@/lib/snapshots/folder/value-samples-file';
import { Where } from '@/lib/snapshots/key-query/where-clause';
import { withRows } from '@/lib/snapshots/query/ad-hoc-rows';
import type { Source } from '@/lib/snapshots/query/with-source';

/**
 * V20: prefixes with values that looked like sensitive data, if the scan sampled values. `keys` are the sampled keys
 * that did. It is unknown how many of the other keys do, so these are reported as not evaluated. If nothing was
 * sampled, the rule is not evaluated.
 */
export const findSampledValues: GroupQuestion = async (source, rule, context): Promise<Found> => {
  const samples = await readValueSamples(source);
  const looked = (samples?.looked ?? []).filter(({ name }) => appliesTo(rule, name));
  const unknownKeys = Math.max(0, (await countStrings(source, rule)) - looked.length);
  const missing = samples?.denied ? { missing: ['getrange'] } : {};
  if (looked.length === 0) return { groups: [], blind: unknownKeys > 0, unknownKeys, ...missing };
  const { kinds } = rule.params;
  const wanted = SENSITIVE_KINDS.filter((kind) => !Array.isArray(kinds) || kinds.includes(kind));
  const rows = await withRows(
    looked.map(({ name, bytes }) => ({ name, bytes, type: 'string' })),
    (sampled) => {
      const where = new Where();
      const sql = foldedPrefixesSql(sampled.keys, where, context.delimiter, {
        ordinals: ['list(ordinal)', 'flatten(list(ordinals))'],
      });
      return sampled.query<{ path: string; ordinals: number[] }>(`SELECT path, ordinals FROM (${sql})`, where.values);
    },
  );
  const groups = rows
    .map(({ path, ordinals }) =>
      toGroup(
        path,
        ordinals.map((i) => looked[i]!),
        wanted,
      ),
    )
    .filter((group) => group.keys > 0)
    .sort((a, b) => b.keys - a.keys || (a.subject < b.subject ? -1 : 1));
  return { groups: groups.slice(0, MAX_GROUPS_READ), unknownKeys, sampled: true, ...missing };
};

async function countStrings(source: Source, rule: GroupRule): Promise<number> {
  const where = buildRuleWhere(rule).and(`coalesce(type, 'string') = 'string'`);
  const [row] = await source.query<{ keys: number }>(
    `SELECT count(*) AS keys FROM ${source.keys} ${where.sql}`,
    where.values,
  );
  return row?.keys ?? 0;
}

function toGroup(path: string, looked: readonly SampledValue[], wanted: readonly SensitiveKind[]): FoundGroup {
  const hits = looked.filter(({ kinds }) => kinds.some((kind) => wanted.includes(kind)));
  const counts = wanted.map((kind) => [kind, hits.filter(({ kinds }) => kinds.includes(kind)).length] as const);
  return {
    subject: path,
    path: toPathOrNull(path),
    keys: hits.length,
    bytes: hits.reduce((sum, { bytes }) => sum + (bytes ?? 0), 0),
    example: hits.map(({ name }) => name).sort()[0] ?? null,
    figures: { looked: looked.length, ...Object.fromEntries(counts.filter(([, count]) => count > 0)) },
  };
}

/** Whether the rule applies to a name. */
const appliesTo = ({ ranges }: GroupRule, name: string) =>
  ranges === undefined || ranges.some((range) => isInRange(name, range));
