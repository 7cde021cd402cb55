import { type Found, type FoundGroup, type GroupQuestion, numberOf } from '@/lib/findings/groups/counts/group-answer';
import { Where } from '@/lib/key-query/where-clause';
import { KINDS } from '@/lib/model/names/id-kinds';
import { readServerFile } from '@/lib/snapshots/folder/server-file';
import { templatesTable } from './templates';

/**
 * C12: more applications on one instance than wanted. The segment that names the project (the first, or the one that
 * the profile says) with a share of the keys counts as one; those of one registered team count as one together. Ids are
 * no applications. The names that clients gave themselves count as well, where CLIENT LIST may be read: the larger
 * number decides. Violated or not is asked of the whole; the groups tell who lives there.
 */
const MAX_FIRST = 1000;

export const applications: GroupQuestion = async (source, rule, context): Promise<Found> => {
  const templates = await templatesTable(source, rule, context);
  const where = new Where();
  const separator = `${where.bind(context.delimiter)}::VARCHAR`;
  const share = `${where.bind(numberOf(rule.params, 'share', 0.01))}::DOUBLE`;
  const segment = Math.max(1, Math.trunc(numberOf(rule.params, 'segment', 1)));
  const rows = await source.query<Row & Record<string, unknown>>(
    `WITH named AS (
         SELECT array_to_string(string_split(template, ${separator})[:${segment}], ${separator}) AS first, sum(keys)::DOUBLE AS keys, sum(bytes)::DOUBLE AS bytes, min(firstName) AS example
         FROM ${templates} WHERE len(string_split(template, ${separator})) > ${segment} GROUP BY 1),
       whole AS (SELECT sum(keys)::DOUBLE AS n FROM ${templates})
     SELECT first, keys, bytes, example, keys / n AS share FROM named, whole
     WHERE keys >= n * ${share} AND NOT regexp_matches(first, '[{](${KINDS.join('|')})[}]$')
     ORDER BY keys DESC, first LIMIT ${MAX_FIRST}`,
    where.values,
  );
  const found = rows.map((row): FoundGroup & { owner: string | null } => {
    const path = row.first + context.delimiter;
    return {
      subject: path,
      path,
      keys: row.keys,
      bytes: row.bytes,
      example: row.example,
      figures: { share: row.share },
      owner: context.ownerOf(path),
    };
  });
  const counted = found.filter((group) => !context.exempt(rule.id, group.path ?? ''));
  const count = new Set(
    counted.map((group) => (group.owner === null ? `prefix ${group.subject}` : `team ${group.owner}`)),
  ).size;
  const clients = await clientNames(source.dir);
  if (Math.max(count, clients.length) <= numberOf(rule.params, 'applications', 5)) return { groups: [] };
  return {
    groups: found.map(({ owner: _owner, ...group }) => ({
      ...group,
      figures: {
        ...group.figures,
        applications: count,
        ...(clients.length > 0 && { clientNames: clients.slice(0, MAX_NAMES).join(', ') }),
      },
    })),
  };
};

const MAX_NAMES = 20;

/** What the clients of all nodes call themselves; empty where CLIENT LIST may not be read, or none has a name. */
async function clientNames(dir: string): Promise<string[]> {
  const audit = await readServerFile(dir);
  const connections = new Map<string, number>();
  for (const one of audit?.nodes.flatMap(({ clients }) => clients.applications ?? []) ?? [])
    connections.set(one.name, (connections.get(one.name) ?? 0) + one.connections);
  return [...connections].sort((a, b) => b[1] - a[1]).map(([name]) => name);
}

interface Row {
  first: string;
  keys: number;
  bytes: number;
  example: string;
  share: number;
}
