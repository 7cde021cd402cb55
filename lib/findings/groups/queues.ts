import { foldedPrefixes, pathOrNull } from './folded-prefixes';
import {
  ALL_SQL,
  type AllRow,
  allOf,
  type Found,
  type GroupQuestion,
  MOST_READ,
  numberOf,
  whereOfRule,
} from './group-answer';

/**
 * C11: long lists and streams that are in use look like queues. In use: touched within the hour, or (where no idle time
 * is told) used often, or the name says so. A hint: who pushes and pops is not seen.
 */
const IN_USE_SECONDS = 3600;
/** LFU counters start at 5 and fall while nobody comes. */
const IN_USE_FREQUENCY = 6;
/** `list` is none of them: it names the type, as a standard wants it at the end of a name. */
const WORDS = '(?i)(^|[^a-z])(queues?|mq|msgs?|messages?|tasks?|jobs?|events?|outbox|inbox|pending|worker)([^a-z]|$)';

export const queues: GroupQuestion = async (source, rule, context): Promise<Found> => {
  const where = whereOfRule(rule);
  where.and(`type IN ('list', 'stream') AND length >= ${where.bind(numberOf(rule.params, 'elements', 1000))}::DOUBLE`);
  const spoken = `regexp_matches(name, '${WORDS}')`;
  const unseen = 'idle_seconds IS NULL AND freq IS NULL';
  const [unknown] = await source.query<{ n: number }>(
    `SELECT count(*) AS n FROM ${source.keys} ${where.sql} AND ${unseen} AND NOT ${spoken}`,
    where.values,
  );
  const missing = whereOfRule(rule);
  missing.and(`(type IS NULL OR (type IN ('list', 'stream') AND length IS NULL))`);
  const [unmeasured] = await source.query<{ n: number }>(
    `SELECT count(*) AS n FROM ${source.keys} ${missing.sql}`,
    missing.values,
  );
  where.and(`(idle_seconds <= ${IN_USE_SECONDS} OR freq >= ${IN_USE_FREQUENCY} OR (${unseen} AND ${spoken}))`);
  const sql = foldedPrefixes(source.keys, where, context.delimiter, {
    elements: ['sum(length)::DOUBLE', 'sum(elements)'],
    longest: ['max(length)', 'max(longest)'],
    streams: [`count(*) FILTER (type = 'stream')`, 'sum(streams)::DOUBLE'],
    named: [`count(*) FILTER (${spoken})`, 'sum(named)::DOUBLE'],
  });
  const rows = await source.query<AllRow & Row>(
    `SELECT *, ${ALL_SQL} FROM (${sql}) ORDER BY elements DESC, path LIMIT ${MOST_READ}`,
    where.values,
  );
  return {
    groups: rows.map((row) => ({
      subject: row.path === '' ? row.example : row.path,
      path: pathOrNull(row.path),
      keys: row.keys,
      bytes: row.bytes,
      example: row.example,
      figures: {
        elements: row.elements,
        longest: row.longest,
        lists: row.keys - row.streams,
        streams: row.streams,
        named: row.named,
      },
    })),
    all: allOf(rows),
    unknownKeys: (unknown?.n ?? 0) + (unmeasured?.n ?? 0),
  };
};

interface Row {
  path: string;
  keys: number;
  bytes: number;
  example: string;
  elements: number;
  longest: number;
  streams: number;
  named: number;
}
