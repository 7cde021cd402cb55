import type { ReportQuery } from '@/lib/model/reports/query';
import type { TtlReport } from '@/lib/model/reports/reports';
import { NO_TOTALS, sumTotals, type TotalsRow, toTotals } from '@/lib/snapshots/key-query/totals-sql';
import {
  bucketSql,
  TIME_STEPS,
  TTL_AHEAD,
  TTL_BOUNDS,
  TTL_EXPIRED,
  TTL_NONE,
  TTL_UNKNOWN,
  ttlClassSql,
} from '@/lib/snapshots/rollup/classes';
import type { Decision } from '@/lib/snapshots/rollup/scope';
import { STORM_KEYS } from '@/lib/snapshots/rollup/storm-sql';
import {
  CELL_TOTALS,
  countSql,
  countUnsizedSql,
  HAS_NO_EXPIRY,
  type RolledSource,
  type Rows,
  selectCellsByPrefix,
  sumBytesSql,
  withSteps,
} from './cells';
import { findExpiryStorms } from './expiry-storms';

/** TTLs shorter than this mostly mean that expiry is used as a timer. */
const SHORT_SECONDS = 60;
/**
 * The chart shows this share of the keys, because a few keys that outlive all others by years would press these into
 * one point.
 */
const DRAWN_SHARE = 0.99;
const DEFAULT_LIMIT = 50;
/**
 * The report on expiry. TTLs are counted from the end of the scan (from now while it runs). `any` are keys with an
 * expiry, `expired` those of them that have expired; buckets are half-open [from, to) and contain only keys that have
 * not.
 */
export async function buildTtlReport(source: RolledSource, decision: Decision, query: ReportQuery): Promise<TtlReport> {
  const chosen =
    query.buckets && query.buckets.length > 0 ? [0, ...new Set(query.buckets)].sort((a, b) => a - b) : null;
  const bounds = chosen ?? TTL_BOUNDS;
  // The default bounds are those of the classes. Only the keys can answer for other ones.
  const ends = chosen?.map((seconds) => source.asOf + seconds * 1000);
  const dimensions = `${ttlClassSql(source.asOf)} AS ttl${ends ? `, ${bucketSql('expire_at', ends)} AS bucket` : ''}`;
  const groups = { cells: dimensions, steps: 'moments' as const };
  const { counted, drawn } = await withSteps(source, decision, groups, async (cells, moments) => {
    const counted = await source.query<Counted>(
      `SELECT ttl, ${chosen ? 'bucket' : `ttl::INTEGER - ${TTL_AHEAD}`} AS bucket, ${CELL_TOTALS}, max(maxExpire) AS last FROM ${cells.from} GROUP BY 1, 2`,
      cells.values,
    );
    return { counted, drawn: await buildTimeline(source, query, counted, moments) };
  });
  const sumStates = (...states: number[]) => sumTotals(counted.filter(({ ttl }) => states.includes(ttl)));
  const ahead = counted.filter(isAhead);
  const allAhead = sumTotals(ahead);
  const expired = sumStates(TTL_EXPIRED);
  return {
    none: sumStates(TTL_NONE),
    unknown: sumStates(TTL_UNKNOWN),
    expired,
    any: sumTotals([expired, allAhead]),
    buckets: bounds.map((fromSeconds, i) => {
      const { keys, bytes } = sumTotals(ahead.filter((row) => row.bucket === i));
      return { fromSeconds, toSeconds: bounds[i + 1] ?? null, keys, bytes };
    }),
    ...drawn,
    // A storm needs STORM_KEYS keys that have not expired yet.
    storms: allAhead.keys < STORM_KEYS ? [] : await findExpiryStorms(source, query),
    noExpiryByPrefix: await countWithoutExpiry(source, decision, query),
    shortest: {
      keys: sumTotals(ahead.filter(({ ttl }) => TTL_BOUNDS[ttl - TTL_AHEAD]! < SHORT_SECONDS)).keys,
      underSeconds: SHORT_SECONDS,
    },
  };
}

/** Keys of a class of expiry and a bucket. `last` is the latest expiry, epoch ms. */
type Counted = TotalsRow & { ttl: number; bucket: number | null; last: number | null };
const isAhead = ({ ttl }: Counted) => ttl >= TTL_AHEAD;

/**
 * Returns the points of the chart. They begin at multiples of the step; only points with keys are sent. `later` are the
 * keys after the last point: unless the query itself has an end, the chart ends when all but one in a hundred keys have
 * expired. It does not reach beyond the last of TIME_STEPS, because later moments are counted more coarsely than a chart
 * needs.
 */
async function buildTimeline(
  source: RolledSource,
  query: ReportQuery,
  counted: readonly Counted[],
  { from, values }: Rows,
): Promise<Pick<TtlReport, 'timeline' | 'later'>> {
  const lastExpireAt = Math.max(...counted.filter(isAhead).map(({ last }) => last ?? 0), 0);
  if (lastExpireAt === 0) return { timeline: [], later: { ...NO_TOTALS } };
  const ahead = `${from} WHERE ttl >= ${TTL_AHEAD}`;
  const steps = await source.query<{ step: number; keys: number }>(
    `SELECT step, sum(n)::BIGINT AS keys FROM ${ahead} GROUP BY 1`,
    values,
  );
  const lastStepIndex = query.ttlMax === undefined ? findFinestStep(steps) : TIME_STEPS.length - 1;
  const end = Math.min(lastExpireAt, source.asOf + TIME_STEPS[lastStepIndex]!.untilMs);
  const { seconds } = TIME_STEPS.find(({ untilMs }) => end - source.asOf <= untilMs)!;
  // NULL: after the end of the chart.
  const rows = await source.query<TotalsRow & { at: number | null }>(
    `SELECT CASE WHEN step <= ${lastStepIndex} THEN begins // ${seconds * 1000} END AS at, ${CELL_TOTALS}
     FROM ${ahead} GROUP BY 1 ORDER BY 1`,
    values,
  );
  return {
    timeline: rows.flatMap(({ at, keys, bytes }) =>
      at === null ? [] : [{ minuteMs: at * seconds * 1000, stepSeconds: seconds, keys, bytes }],
    ),
    later: toTotals(rows.find(({ at }) => at === null)),
  };
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
  decision: Decision,
  { limit = DEFAULT_LIMIT }: ReportQuery,
): Promise<TtlReport['noExpiryByPrefix']> {
  const { from, values } = selectCellsByPrefix(source, decision);
  const rows = await source.query<TotalsRow & { prefix: string; all: number }>(
    `SELECT label AS prefix, sum(n)::BIGINT AS "all", ${countSql(HAS_NO_EXPIRY)} AS keys,
       ${sumBytesSql(HAS_NO_EXPIRY)} AS bytes, ${countUnsizedSql(HAS_NO_EXPIRY)} AS bytesUnknown
     FROM ${from} GROUP BY 1 HAVING keys > 0 ORDER BY bytes DESC, keys DESC, prefix LIMIT ${limit}`,
    values,
  );
  return rows.map((row) => ({ prefix: row.prefix, ...toTotals(row), share: row.keys / row.all }));
}
