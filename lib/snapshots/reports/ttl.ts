import type { ReportQuery } from '@/lib/model/reports/query';
import type { TtlReport } from '@/lib/model/reports/reports';
import { NO_TOTALS, sumTotals, type TotalsRow, toTotals, totalsSql } from '@/lib/snapshots/key-query/totals-sql';
import type { SqlValue } from '@/lib/snapshots/query/duckdb';
import { waitForBoth } from '@/lib/snapshots/query/wait-for-both';
import {
  bucketSql,
  momentPartsSql,
  momentSql,
  TIME_STEPS,
  TTL_AHEAD,
  TTL_BOUNDS,
  TTL_EXPIRED,
  TTL_NONE,
  TTL_UNKNOWN,
} from '@/lib/snapshots/rollup/classes';
import { findRollupScope } from '@/lib/snapshots/rollup/scope';
import { STORM_KEYS } from '@/lib/snapshots/rollup/storm-sql';
import { findExpiryStorms } from './expiry-storms';
import { buildCellFacts, buildKeyFacts, CELL_TOTALS, type RolledSource } from './facts';
import { buildPrefixFacts } from './grouping/by-prefix';
import { withGroups } from './grouping/with-groups';

/** TTLs shorter than this mostly mean that expiry is used as a timer. */
const SHORT_SECONDS = 60;
/**
 * The chart shows this share of the keys, because a few keys that outlive all others by years would press these into
 * one point.
 */
const DRAWN_SHARE = 0.99;
const DEFAULT_LIMIT = 50;
/** If the chart reaches beyond the last of TIME_STEPS, its step is a whole number of days. */
const DAY = 86_400;
const TIMELINE_POINTS = 500;

/**
 * The report on expiry. TTLs are counted from the end of the scan (from now while it runs). `any` are keys with an
 * expiry, `expired` those of them that have expired; buckets are half-open [from, to) and contain only keys that have
 * not.
 */
export async function buildTtlReport(source: RolledSource, query: ReportQuery): Promise<TtlReport> {
  const chosenBounds =
    query.buckets && query.buckets.length > 0 ? [0, ...new Set(query.buckets)].sort((a, b) => a - b) : null;
  const bounds = chosenBounds ?? TTL_BOUNDS;
  const { states, drawn, shortLivedKeys, storms, noExpiryByPrefix } = await readExpiry(source, query, chosenBounds);
  const sumStates = (...some: string[]) => sumTotals(states.filter((row) => some.includes(row.state)));
  const ahead = states.filter((row) => row.state === 'ahead');
  return {
    none: sumStates('none'),
    unknown: sumStates('unknown'),
    expired: sumStates('expired'),
    any: sumStates('expired', 'ahead'),
    buckets: bounds.map((fromSeconds, i) => {
      const found = ahead.find((row) => row.bucket === i);
      return { fromSeconds, toSeconds: bounds[i + 1] ?? null, keys: found?.keys ?? 0, bytes: found?.bytes ?? 0 };
    }),
    ...drawn,
    storms,
    noExpiryByPrefix,
    shortest: { keys: shortLivedKeys, underSeconds: SHORT_SECONDS },
  };
}

type State = TotalsRow & { state: string; bucket: number | null; last: number | null };

interface Expiring extends Pick<TtlReport, 'storms' | 'noExpiryByPrefix'> {
  states: State[];
  drawn: Pick<TtlReport, 'timeline' | 'later'>;
  /** Number of keys with less than SHORT_SECONDS left. */
  shortLivedKeys: number;
}

/**
 * Groups the keys by their remaining time: from the roll-up if it can answer for both classes and moments, otherwise in
 * one pass over the keys, which are grouped as the roll-up groups them. The roll-up knows only TTL_BOUNDS, so bounds
 * chosen by the reader are answered from the keys.
 */
async function readExpiry(source: RolledSource, query: ReportQuery, chosenBounds: number[] | null): Promise<Expiring> {
  const cells = chosenBounds === null ? findRollupScope(source.rollup, 'cells', query) : null;
  const moments = chosenBounds === null ? findRollupScope(source.rollup, 'moments', query) : null;
  if (cells !== null && moments !== null) {
    const { totals, ttlClass, maxExpire, where, rows } = buildCellFacts(cells);
    const cellsSql = `SELECT ttl, ttl::INTEGER - ${TTL_AHEAD} AS bucket, * EXCLUDE (ttl) FROM ${rows} ${where.sql}`;
    const parallelSource = { ...source, query: source.queryInParallel };
    const prefixes = buildPrefixFacts(source, query);
    const isRolled = prefixes.facts.scope !== null;
    const [states, [shortLivedKeys, noExpiryByPrefix]] = await waitForBoth(
      source.query<State>(statesSql(cellsSql, totals, ttlClass, maxExpire), where.values),
      waitForBoth(
        countShortLived(parallelSource, `${rows} ${where.sql}`, where.values),
        // Only queries on the roll-up may run in parallel; if this one needs the keys, it runs below, after the others.
        isRolled ? countWithoutExpiry(parallelSource, query, prefixes) : Promise.resolve(null),
      ),
    );
    const momentRowsSql = `(SELECT * FROM ${moments.rows} ${moments.where.sql})`;
    return {
      states,
      shortLivedKeys,
      drawn: await buildTimeline(source, query, states, momentRowsSql, moments.where.values),
      storms: await findFutureStorms(source, query, states),
      noExpiryByPrefix: noExpiryByPrefix ?? (await countWithoutExpiry(source, query, prefixes)),
    };
  }
  const { rows, where, ttlClass } = buildKeyFacts(source, query);
  // With the default bounds the bucket follows from the class of the TTL; only other bounds are computed per key.
  const bucket = chosenBounds
    ? bucketSql(
        'expire_at',
        chosenBounds.map((seconds) => source.asOf + seconds * 1000),
      )
    : 'NULL';
  const groups = `SELECT * EXCLUDE (moment${chosenBounds ? '' : ', bucket'}), ${chosenBounds ? '' : `ttl::INTEGER - ${TTL_AHEAD} AS bucket, `}${momentPartsSql(source.asOf)}
    FROM (SELECT ttl, bucket, moment, count(*) AS n, count(bytes) AS sized, sum(bytes)::DOUBLE AS total, max(expire_at) AS maxExpire
      FROM (SELECT bytes, expire_at, ${ttlClass} AS ttl, ${bucket} AS bucket, ${momentSql(source.asOf)} AS moment
        FROM ${rows} ${where.sql})
      GROUP BY 1, 2, 3)`;
  return withGroups(source, groups, where.values, async (from) => {
    const states = await source.query<State>(statesSql(`SELECT * FROM ${from}`, CELL_TOTALS, 'ttl', 'max(maxExpire)'));
    return {
      states,
      shortLivedKeys: await countShortLived(source, from, []),
      drawn: await buildTimeline(source, query, states, from, []),
      storms: await findFutureStorms(source, query, states),
      noExpiryByPrefix: await countWithoutExpiry(source, query, buildPrefixFacts(source, query)),
    };
  });
}

/** A storm needs STORM_KEYS keys that have not expired yet. */
const findFutureStorms = async (source: RolledSource, query: ReportQuery, states: readonly State[]) =>
  states.reduce((sum, { state, keys }) => sum + (state === 'ahead' ? keys : 0), 0) < STORM_KEYS
    ? []
    : findExpiryStorms(source, query);

/** @param select Rows with `ttl` and `bucket`; `bucket` is only used for keys that have not expired. */
const statesSql = (select: string, totals: string, ttlClass: string, maxExpire: string) =>
  `SELECT state, CASE WHEN state = 'ahead' THEN bucket END AS bucket, ${totals}, ${maxExpire} AS last
   FROM (SELECT *, CASE ${ttlClass} WHEN ${TTL_UNKNOWN} THEN 'unknown' WHEN ${TTL_NONE} THEN 'none'
       WHEN ${TTL_EXPIRED} THEN 'expired' ELSE 'ahead' END AS state FROM (${select}))
   GROUP BY 1, 2`;

async function countShortLived(source: RolledSource, from: string, values: readonly SqlValue[]): Promise<number> {
  const short = TTL_BOUNDS.flatMap((begin, i) => (begin < SHORT_SECONDS ? [TTL_AHEAD + i] : []));
  const [row] = await source.query<{ keys: number }>(
    `SELECT coalesce(sum(n) FILTER (ttl IN (${short.join(', ')})), 0)::BIGINT AS keys FROM ${from}`,
    values,
  );
  return row!.keys;
}

/**
 * Returns the points of the chart. They begin at multiples of the step; only points with keys are sent. `later` are the
 * keys after the last point: unless the query itself has an end, the chart ends when all but one in a hundred keys have
 * expired.
 *
 * @param from SQL to put after FROM: `ttl`, `step`, `begins` and sums, for all keys of the query.
 */
async function buildTimeline(
  source: RolledSource,
  query: ReportQuery,
  states: readonly State[],
  from: string,
  values: readonly SqlValue[],
): Promise<Pick<TtlReport, 'timeline' | 'later'>> {
  const lastExpireAt = Math.max(...states.filter((r) => r.state === 'ahead').map((r) => r.last ?? 0), 0);
  if (lastExpireAt === 0) return { timeline: [], later: { ...NO_TOTALS } };
  const steps = await source.query<{ step: number; keys: number }>(
    `SELECT step, sum(n)::BIGINT AS keys FROM ${from} WHERE ttl >= ${TTL_AHEAD} GROUP BY 1`,
    values,
  );
  const lastStepIndex = query.ttlMax === undefined ? findFinestStep(steps) : TIME_STEPS.length;
  const end = Math.min(lastExpireAt, source.asOf + (TIME_STEPS[lastStepIndex]?.untilMs ?? Number.POSITIVE_INFINITY));
  const stepIndex = TIME_STEPS.findIndex(({ untilMs }) => end - source.asOf <= untilMs);
  const seconds =
    TIME_STEPS[stepIndex]?.seconds ?? Math.ceil((end - source.asOf) / 1000 / (TIMELINE_POINTS - 1) / DAY) * DAY;
  // NULL: after the end of the chart.
  const at = (begins: string) => `CASE WHEN step <= ${lastStepIndex} THEN ${begins} // ${seconds * 1000} END AS at`;
  // Moments beyond the last step are counted more coarsely than any chart. If one of them is drawn, the keys are read.
  const rows = await (stepIndex >= 0
    ? source.query<Point>(pointsSql(at('begins'), CELL_TOTALS, `${from} WHERE ttl >= ${TTL_AHEAD}`), values)
    : readKeyPoints(source, query, at('expire_at')));
  return {
    timeline: rows.flatMap(({ at: point, keys, bytes }) =>
      point === null ? [] : [{ minuteMs: point * seconds * 1000, stepSeconds: seconds, keys, bytes }],
    ),
    later: toTotals(rows.find((row) => row.at === null)),
  };
}

type Point = TotalsRow & { at: number | null };

const pointsSql = (at: string, totals: string, from: string) =>
  `SELECT ${at}, ${totals} FROM ${from} GROUP BY 1 ORDER BY 1`;

function readKeyPoints(source: RolledSource, query: ReportQuery, at: string): Promise<Point[]> {
  const { rows, where } = buildKeyFacts(source, query);
  where.and(`expire_at > ${source.asOf}`);
  const from = `(SELECT expire_at, bytes, ${momentPartsSql(source.asOf)}
    FROM (SELECT expire_at, bytes, ${momentSql(source.asOf)} AS moment FROM ${rows} ${where.sql}))`;
  return source.query<Point>(pointsSql(at, totalsSql, from), where.values);
}

/**
 * The index of the finest step that can be drawn and reaches nearly all keys. Keys that expire centuries later are in
 * no step.
 */
function findFinestStep(steps: readonly { step: number; keys: number }[]): number {
  const countWithin = (lastStepIndex: number) =>
    steps.reduce((sum, { step, keys }) => sum + (step <= lastStepIndex ? keys : 0), 0);
  const nearly = Math.ceil(countWithin(TIME_STEPS.length - 1) * DRAWN_SHARE);
  return TIME_STEPS.findIndex((_, i) => countWithin(i) >= nearly);
}

async function countWithoutExpiry(
  source: RolledSource,
  query: ReportQuery,
  { facts, from }: ReturnType<typeof buildPrefixFacts>,
): Promise<TtlReport['noExpiryByPrefix']> {
  const rows = await source.query<TotalsRow & { prefix: string; all: number }>(
    `SELECT label AS prefix, ${facts.keys('true')} AS "all", ${facts.keys(facts.none)} AS keys,
       ${facts.bytes(facts.none)} AS bytes, ${facts.bytesUnknown(facts.none)} AS bytesUnknown
     FROM ${from} GROUP BY 1 HAVING ${facts.keys(facts.none)} > 0
     ORDER BY ${facts.bytes(facts.none)} DESC, ${facts.keys(facts.none)} DESC, prefix LIMIT ${query.limit ?? DEFAULT_LIMIT}`,
    facts.where.values,
  );
  return rows.map((row) => ({ prefix: row.prefix, ...toTotals(row), share: row.keys / row.all }));
}
