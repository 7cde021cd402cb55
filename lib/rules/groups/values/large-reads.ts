import { buildRuleWhere, type Found, type GroupQuestion } from '@/lib/rules/groups/counts/group-answer';
import { readServerFile } from '@/lib/snapshots/folder/server-file';

const READS_ALL: readonly string[] = ['HGETALL', 'HKEYS', 'HVALS'];
const MAX_KEYS = 200;

/** Entries of the slow log about one key. */
interface SlowReads {
  calls: number;
  slowestMicroseconds: number;
}

/**
 * C24: hashes with many fields that were read whole. The slow log names the key of such a call, and the snapshot has
 * its length; joined, they show which hash it was and how large. Fast calls leave no entry. So if the command is called
 * and there is no entry, large hashes are not evaluated. If nobody calls it, or no hash is large, the rule is passed.
 */
export const findLargeReads: GroupQuestion = async (source, rule): Promise<Found> => {
  const audit = await readServerFile(source);
  const slowReads = new Map<string, SlowReads>();
  for (const entry of audit?.nodes.flatMap(({ slowlog }) => slowlog ?? []) ?? []) {
    const name = entry.args[0];
    if (name === undefined || !READS_ALL.includes(entry.command)) continue;
    const { calls, slowestMicroseconds } = slowReads.get(name) ?? { calls: 0, slowestMicroseconds: 0 };
    slowReads.set(name, {
      calls: calls + 1,
      slowestMicroseconds: Math.max(slowestMicroseconds, entry.microseconds),
    });
  }
  const elements = Number(rule.params.elements);
  /** The condition for large hashes; null: with any name. */
  const buildLargeWhere = (names: readonly string[] | null) => {
    const where = buildRuleWhere(rule);
    where.and(`type = 'hash' AND length > ${where.bind(elements)}::DOUBLE`);
    if (names !== null) where.and(`name IN (${names.map((name) => `${where.bind(name)}::VARCHAR`).join(', ')})`);
    return where;
  };
  const named = slowReads.size === 0 ? null : buildLargeWhere([...slowReads.keys()]);
  const rows =
    named === null
      ? []
      : await source.query<Row>(
          `SELECT name, any_value(length)::DOUBLE AS length, count(*)::DOUBLE AS keys, coalesce(sum(bytes), 0)::DOUBLE AS bytes
           FROM ${source.keys} ${named.sql} GROUP BY name ORDER BY length DESC, name LIMIT ${MAX_KEYS}`,
          named.values,
        );
  const groups = rows.map(({ name, length, keys, bytes }) => ({
    subject: name,
    path: null,
    keys,
    bytes,
    example: name,
    figures: {
      elements: length,
      slowCalls: slowReads.get(name)!.calls,
      slowestMicroseconds: slowReads.get(name)!.slowestMicroseconds,
    },
  }));
  if (audit !== null && isNeverCalled(audit.nodes)) return { groups };
  const where = buildLargeWhere(null);
  const [all] = await source.query<{ keys: number }>(
    `SELECT count(*) AS keys FROM ${source.keys} ${where.sql}`,
    where.values,
  );
  const hasNoStats = audit === null || audit.nodes.some(({ commandStats }) => commandStats === null);
  const hasNoLog = audit?.nodes.some(({ slowlog }) => slowlog === null) ?? true;
  const missing = [...(hasNoStats ? ['info'] : []), ...(hasNoLog ? ['slowlog get'] : [])];
  return {
    groups,
    unknownKeys: Math.max(0, (all?.keys ?? 0) - groups.length),
    ...(missing.length > 0 && { missing }),
  };
};

const isNeverCalled = (nodes: readonly { commandStats: Record<string, { calls: number }> | null }[]) =>
  nodes.length > 0 &&
  nodes.every(
    ({ commandStats }) =>
      commandStats !== null && READS_ALL.every((command) => (commandStats[command.toLowerCase()]?.calls ?? 0) === 0),
  );

interface Row extends Record<string, unknown> {
  name: string;
  length: number;
  keys: number;
  bytes: number;
}
