import { KINDS } from '@/lib/model/names/written-segment';
import type { Found, FoundGroup, GroupQuestion } from '@/lib/rules/groups/counts/group-answer';
import { readServerFile } from '@/lib/snapshots/folder/server-file';
import { Where } from '@/lib/snapshots/key-query/where-clause';
import type { Source } from '@/lib/snapshots/query/with-source';
import { makeTemplatesTable } from './templates';

const MAX_PROJECTS = 1000;
/** Number of client names that are shown. */
const MAX_NAMES_SHOWN = 20;

/**
 * C12: there are more applications on one instance than the profile allows. Each value of the segment that names the
 * project (the first, or the one set in the profile) counts as an application if it has at least a set share of the
 * keys; those of one registered team count as one together. Ids are not applications. The names that clients gave
 * themselves are counted too if CLIENT LIST may be read, and the larger number decides. The rule is violated or passed
 * as a whole; the groups show which projects there are.
 */
export const findApplications: GroupQuestion = async (source, rule, context): Promise<Found> => {
  const templates = await makeTemplatesTable(source, rule, context);
  const segment = Math.max(1, Math.trunc(Number(rule.params.segment)));
  const projects = (share: number) => readProjects(source, templates, context.delimiter, segment, share);
  const limit = Number(rule.params.applications);
  const clients = await readClientNames(source);
  const asGroup = (row: Row): FoundGroup & { owner: string | null } => {
    const path = row.first + context.delimiter;
    return {
      subject: path,
      path,
      keys: row.keys,
      bytes: row.bytes,
      example: row.example,
      figures: { share: row.share },
      owner: context.findOwner(path),
    };
  };
  const found = (await projects(Number(rule.params.share))).map(asGroup);
  const counted = found.filter((group) => !context.exempt(rule.id, group.path ?? ''));
  const count = new Set(
    counted.map((group) => (group.owner === null ? `prefix ${group.subject}` : `team ${group.owner}`)),
  ).size;
  if (Math.max(count, clients.length) <= limit) return { groups: [] };
  const figures = {
    applications: count,
    ...(clients.length > 0 && { clientNames: clients.slice(0, MAX_NAMES_SHOWN).join(', ') }),
  };
  // If only the clients are too many, small projects are shown too, and if no name has a project, all keys are one
  // group.
  const shown = found.length > 0 ? found : (await projects(0)).map(asGroup);
  if (shown.length === 0) return { groups: [{ ...(await readAllKeys(source, templates)), figures }] };
  return {
    groups: shown.map(({ owner: _owner, ...group }) => ({ ...group, figures: { ...group.figures, ...figures } })),
  };
};

/**
 * Projects with at least a share (0…1) of the keys, largest first. `segment` is the number of the last segment of a
 * project.
 */
const readProjects = (source: Source, templates: string, delimiter: string, segment: number, share: number) => {
  const where = new Where();
  const separator = `${where.bind(delimiter)}::VARCHAR`;
  return source.query<Row & Record<string, unknown>>(
    `WITH named AS (
         SELECT array_to_string(string_split(template, ${separator})[:${segment}], ${separator}) AS first, sum(keys)::DOUBLE AS keys, sum(bytes)::DOUBLE AS bytes, min(firstName) AS example
         FROM ${templates} WHERE len(string_split(template, ${separator})) > ${segment} GROUP BY 1),
       whole AS (SELECT sum(keys)::DOUBLE AS n FROM ${templates})
     SELECT first, keys, bytes, example, keys / n AS share FROM named, whole
     WHERE keys >= n * ${where.bind(share)}::DOUBLE AND NOT regexp_matches(first, '[{](${KINDS.join('|')})[}]$')
     ORDER BY keys DESC, first LIMIT ${MAX_PROJECTS}`,
    where.values,
  );
};

/** All keys as one group, which has no path. */
async function readAllKeys(source: Source, templates: string) {
  const [row] = await source.query<{ keys: number | null; bytes: number | null; example: string | null }>(
    `SELECT sum(keys)::DOUBLE AS keys, sum(bytes)::DOUBLE AS bytes, min(firstName) AS example FROM ${templates}`,
  );
  return { subject: '', path: null, keys: row?.keys ?? 0, bytes: row?.bytes ?? 0, example: row?.example ?? null };
}

/**
 * The names that clients of all nodes gave themselves, most connections first; empty if CLIENT LIST may not be read or
 * none has a name.
 */
async function readClientNames(source: Source): Promise<string[]> {
  const audit = await readServerFile(source);
  const connections = new Map<string, number>();
  for (const application of audit?.nodes.flatMap(({ clients }) => clients.applications ?? []) ?? [])
    connections.set(application.name, (connections.get(application.name) ?? 0) + application.connections);
  return [...connections].sort((a, b) => b[1] - a[1]).map(([name]) => name);
}

interface Row {
  first: string;
  keys: number;
  bytes: number;
  example: string;
  share: number;
}
