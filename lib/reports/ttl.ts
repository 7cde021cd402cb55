import { NO_TOTALS, type TotalsRow, totalsOf } from '@/lib/key-query/totals-sql';
import type { ReportQuery } from '@/lib/model/reports/query';
import type { TtlReport } from '@/lib/model/reports/reports';
import { bucketSql, TIME_STEPS, TTL_AHEAD, TTL_BOUNDS } from '@/lib/rollup/classes';
import { momentSql, stepSql } from '@/lib/rollup/roll-up-file';
import { rollupScope } from '@/lib/rollup/scope';
import { prefixFacts } from './by-prefix';
import { expiryStorms } from './expiry-storms';
import { CELL_TOTALS, factsOf, keyFacts, type RolledSource } from './facts';

/**
 * When keys expire. TTLs count from the end of the scan (now, while it runs). `any` are keys with an expiry, `expired`
 * those of them whose time is over; buckets are half-open [from, to) and hold only what is still to expire.
 */
/** Shorter TTLs mostly mean that expiry is used as a timer. */
const SHORT_SECONDS = 60;
/** A few keys that outlive all others by years would press these into one point. */
const DRAWN_SHARE = 0.99;
const DEFAULT_LIMIT = 50;
/** Beyond the steps a reader can name, whole days. */
const DAY = 86_400;
const TIMELINE_POINTS = 500;

export async function ttl(source: RolledSource, query: ReportQuery): Promise<TtlReport> {
  const own = query.buckets && query.buckets.length > 0 ? [0, ...new Set(query.buckets)] : null;
  const bounds = own?.sort((a, b) => a - b) ?? TTL_BOUNDS;
  const facts = own ? keyFacts(source, query) : factsOf(source, query);
  const ahead = own
    ? bucketSql(
        `(expire_at - ${source.asOf})`,
        own.map((seconds) => seconds * 1000),
      )
    : `${facts.ttlClass} - ${TTL_AHEAD}`;
  const rows = await source.query<TotalsRow & { state: string; bucket: number | null; last: number | null }>(
    `SELECT state, CASE WHEN state = 'ahead' THEN ${ahead} END AS bucket, ${facts.totals}, ${facts.maxExpire} AS last
     FROM (SELECT *, CASE WHEN ${facts.unknown} THEN 'unknown' WHEN ${facts.none} THEN 'none'
         WHEN ${facts.expired} THEN 'expired' ELSE 'ahead' END AS state FROM ${facts.rows} ${facts.where.sql})
     GROUP BY 1, 2`,
    facts.where.values,
  );
  const of = (...states: string[]) =>
    rows
      .filter((row) => states.includes(row.state))
      .reduce((sum, row) => add(sum, row), { keys: 0, bytes: 0, bytesUnknown: 0 });
  const last = Math.max(...rows.filter((r) => r.state === 'ahead').map((r) => r.last ?? 0), 0);
  return {
    none: of('none'),
    unknown: of('unknown'),
    expired: of('expired'),
    any: of('expired', 'ahead'),
    buckets: bounds.map((fromSeconds, i) => {
      const found = rows.find((row) => row.state === 'ahead' && row.bucket === i);
      return { fromSeconds, toSeconds: bounds[i + 1] ?? null, keys: found?.keys ?? 0, bytes: found?.bytes ?? 0 };
    }),
    ...(last > 0 ? await timeline(source, query, last) : { timeline: [], later: { ...NO_TOTALS } }),
    storms: last > 0 ? await expiryStorms(source, query) : [],
    noExpiryByPrefix: await noExpiryByPrefix(source, query),
    shortest: { keys: last > 0 ? await shortLived(source, query) : 0, underSeconds: SHORT_SECONDS },
  };
}

async function shortLived(source: RolledSource, query: ReportQuery): Promise<number> {
  const facts = factsOf(source, query);
  const short = TTL_BOUNDS.flatMap((from, i) => (from < SHORT_SECONDS ? [TTL_AHEAD + i] : []));
  const [row] = await source.query<{ keys: number }>(
    `SELECT ${facts.keys(`${facts.ttlClass} IN (${short.join(', ')})`)} AS keys FROM ${facts.rows} ${facts.where.sql}`,
    facts.where.values,
  );
  return row!.keys;
}

function add(a: TtlReport['any'], b: TtlReport['any']): TtlReport['any'] {
  return { keys: a.keys + b.keys, bytes: a.bytes + b.bytes, bytesUnknown: a.bytesUnknown + b.bytesUnknown };
}

/**
 * Points begin at multiples of the step; only points with keys are sent. `later` is what the last point leaves out:
 * unless the question itself ends somewhere, the drawing ends where all but one in a hundred keys have expired.
 */
async function timeline(
  source: RolledSource,
  query: ReportQuery,
  last: number,
): Promise<Pick<TtlReport, 'timeline' | 'later'>> {
  const scope = rollupScope(source.rollup, 'moments', query);
  const steps = await source.query<{ step: number; keys: number }>(
    `SELECT step, sum(n)::BIGINT AS keys FROM ${aheadSql(source, scope, query)} GROUP BY 1`,
    valuesOf(scope, source, query),
  );
  const upTo = query.ttlMax === undefined ? drawnSteps(steps) : TIME_STEPS.length;
  const end = Math.min(last, source.asOf + (TIME_STEPS[upTo]?.untilMs ?? Number.POSITIVE_INFINITY));
  const drawn = TIME_STEPS.findIndex(({ untilMs }) => end - source.asOf <= untilMs);
  const seconds =
    TIME_STEPS[drawn]?.seconds ?? Math.ceil((end - source.asOf) / 1000 / (TIMELINE_POINTS - 1) / DAY) * DAY;
  // Moments beyond the last step are counted coarser than any drawing; where one is drawn, the keys are asked.
  const exact = drawn >= 0 ? scope : null;
  const begins = exact === null ? 'expire_at' : 'begins';
  const rows = await source.query<TotalsRow & { at: number | null }>(
    `SELECT CASE WHEN step <= ${upTo} THEN ${begins} // ${seconds * 1000} END AS at, ${CELL_TOTALS}
     FROM ${aheadSql(source, exact, query)} GROUP BY 1 ORDER BY 1`,
    valuesOf(exact, source, query),
  );
  return {
    timeline: rows.flatMap(({ at, keys, bytes }) =>
      at === null ? [] : [{ minuteMs: at * seconds * 1000, stepSeconds: seconds, keys, bytes }],
    ),
    later: totalsOf(rows.find((row) => row.at === null)),
  };
}

type MomentScope = ReturnType<typeof rollupScope>;

/** What is still to expire, by the step that counts it: of the roll-up, or key by key in the same columns. */
function aheadSql(source: RolledSource, scope: MomentScope, query: ReportQuery): string {
  if (scope !== null) return `(SELECT * FROM ${scope.rows} ${scope.where.sql}) WHERE ttl >= ${TTL_AHEAD}`;
  const { rows, where } = keyFacts(source, query);
  return `(SELECT *, ${momentSql(source.asOf)} AS begins, 1 AS n, (bytes IS NOT NULL)::INTEGER AS sized, bytes AS total
    FROM (SELECT expire_at, bytes, ${stepSql(source.asOf)} AS step FROM ${rows} ${where.sql})) WHERE expire_at > ${source.asOf}`;
}

const valuesOf = (scope: MomentScope, source: RolledSource, query: ReportQuery) =>
  (scope?.where ?? keyFacts(source, query).where).values;

/** Of the steps that can be drawn the finest that reaches nearly all; what is centuries away has no place in any. */
function drawnSteps(steps: readonly { step: number; keys: number }[]): number {
  const within = (upTo: number) => steps.reduce((sum, { step, keys }) => sum + (step <= upTo ? keys : 0), 0);
  const nearly = Math.ceil(within(TIME_STEPS.length - 1) * DRAWN_SHARE);
  return TIME_STEPS.findIndex((_, i) => within(i) >= nearly);
}

async function noExpiryByPrefix(source: RolledSource, query: ReportQuery): Promise<TtlReport['noExpiryByPrefix']> {
  const { facts, from } = prefixFacts(source, query);
  const rows = await source.query<TotalsRow & { prefix: string; all: number }>(
    `SELECT label AS prefix, ${facts.keys('true')} AS "all", ${facts.keys(facts.none)} AS keys,
       ${facts.bytes(facts.none)} AS bytes, ${facts.bytesUnknown(facts.none)} AS bytesUnknown
     FROM ${from} GROUP BY 1 HAVING ${facts.keys(facts.none)} > 0
     ORDER BY ${facts.bytes(facts.none)} DESC, ${facts.keys(facts.none)} DESC, prefix LIMIT ${query.limit ?? DEFAULT_LIMIT}`,
    facts.where.values,
  );
  return rows.map((row) => ({ prefix: row.prefix, ...totalsOf(row), share: row.keys / row.all }));
}
