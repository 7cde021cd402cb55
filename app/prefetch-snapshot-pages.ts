import { setTimeout as sleep } from 'node:timers/promises';
import { createLoader, parseAsString } from 'nuqs/server';
import type { Ask } from '@/app/prefetched';
import { COMPARE_PARAMS, toCompareQuery, toGrouping, toGroupsQuery } from '@/components/compare/compare-params';
import { chooseSnapshot } from '@/components/data/choose-snapshot';
import { formatK } from '@/components/data/format/format-k';
import { SCOPE_PARAMS, SINCE_PARAMS, toScope, toSince } from '@/components/findings/scope/scope-params';
import { toOverviewQuery, toScoreScope } from '@/components/instances/overview/overview-query';
import { FILTER_PARAMS, toFilter } from '@/components/reports/filter/filter-params';
import {
  AHEAD_PARAMS,
  BIGKEYS_PARAMS,
  IDLE_PARAMS,
  KEY_PARAMS,
  KEYS_PARAMS,
  OVERVIEW_PARAMS,
  PAGE_SIZE,
  PATTERNS_PARAMS,
  RULE_PAGE_SIZE,
  SLOTS_PARAMS,
  TREE_PARAMS,
  TTL_PARAMS,
  toAheadQuery,
  toKeyRowQuery,
  toSavingsQuery,
  toTopPrefixesQuery,
  toTreeQuery,
  toTtlQuery,
} from '@/components/reports/report-params';
import type { ReportQuery } from '@/lib/model/reports/query';
import type { ReportName } from '@/lib/model/reports/reports';
import { prefetchRules } from './prefetch-pages';

/**
 * The first HTML of a page contains the answers that the API would give, under the query keys that the browser uses.
 * Every part is optional: if it is missing, the browser requests it (app/prefetched.tsx).
 */
export interface PageProps {
  params: Promise<{ id: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}
type Search = Awaited<PageProps['searchParams']>;
type Query = Partial<ReportQuery>;

const loadSnapshotId = createLoader({ snapshot: parseAsString });
const loadFilter = createLoader({ ...FILTER_PARAMS, delimiter: parseAsString });
const loadScope = createLoader(SCOPE_PARAMS);
const loadCompared = createLoader(COMPARE_PARAMS);
const loadSince = createLoader(SINCE_PARAMS);
const loadBigkeys = createLoader(BIGKEYS_PARAMS);
const loadTree = createLoader(TREE_PARAMS);
const loadKey = createLoader(KEY_PARAMS);
const loadKeys = createLoader(KEYS_PARAMS);
const loadPatterns = createLoader(PATTERNS_PARAMS);
const loadSlots = createLoader(SLOTS_PARAMS);
const loadTtl = createLoader(TTL_PARAMS);
const loadIdle = createLoader(IDLE_PARAMS);
const loadAhead = createLoader(AHEAD_PARAMS);
const loadOverview = createLoader(OVERVIEW_PARAMS);

/**
 * The data of the frame of all pages: the session, the name of the instance and its snapshots. The instance menu loads
 * its list when it opens.
 */
export async function prefetchFrame(ask: Ask, pathname: string): Promise<void> {
  const id = /^\/instances\/([\w-]+)/.exec(pathname)?.[1];
  await Promise.all([
    ask('GET /api/session', {}),
    ...(id && id !== 'new'
      ? [ask('GET /api/instances/{id}', { id }), ask('GET /api/instances/{id}/snapshots', { id })]
      : []),
  ]);
}

export const prefetchFleet = (ask: Ask) => ask('GET /api/fleet', {});

export const prefetchOverview = (page: PageProps) => async (ask: Ask) => {
  const [id, search] = [await readSnapshotId(ask, page), await page.searchParams];
  if (id === null) return;
  const filter = toOverviewQuery(parseFilter(search));
  const scope = toScoreScope(filter);
  await Promise.all([
    askPageReport(ask, id, 'overview', filter),
    askPageReport(ask, id, 'tree', { ...filter, ...toTopPrefixesQuery(loadOverview(search)) }),
    ask('GET /api/snapshots/{id}', { id }),
    ask('GET /api/snapshots/{id}/reports/findings', { id, query: scope }),
    ask('GET /api/snapshots/{id}/deltas', { id }),
  ]);
};

/** The query parameters that a page adds to the common filter, read from its address. */
const QUESTIONS: { readonly [N in ReportName]?: (search: Search) => Query } = {
  tree: (search) => toTreeQuery(loadTree(search)),
  bigkeys: (search) => ({ sort: loadBigkeys(search).sort, limit: PAGE_SIZE }),
  keys: (search) => ({ sort: loadKeys(search).sort, limit: PAGE_SIZE }),
  patterns: (search) => ({ sort: loadPatterns(search).sort, limit: PAGE_SIZE }),
  slots: (search) => ({ masters: loadSlots(search).masters }),
  ttl: (search) => toTtlQuery(loadTtl(search)),
  idle: (search) => ({ days: loadIdle(search).days }),
};

/** The query that one card of the page sends by itself under the same filter. */
const OF_CARDS: { readonly [N in ReportName]?: (filter: Query, search: Search) => Query | null } = {
  ttl: (filter, search) => toAheadQuery(filter, loadAhead(search)),
  types: toSavingsQuery,
};
/**
 * Reports whose card query is computed from rows. Such a card is only waited for briefly (QUICK_MS), so that the page
 * is not delayed.
 */
const OF_KEYS: readonly ReportName[] = ['types'];
const QUICK_MS = 50;

export const prefetchReport = (page: PageProps, name: ReportName) => async (ask: Ask) => {
  const [id, search] = [await readSnapshotId(ask, page), await page.searchParams];
  if (id === null) return;
  const filter = parseFilter(search);
  const ofCard = OF_CARDS[name]?.(filter, search) ?? null;
  const beside = ofCard === null ? undefined : askPageReport(ask, id, name, ofCard);
  await Promise.all([
    askPageReport(ask, id, name, { ...filter, ...QUESTIONS[name]?.(search) }),
    OF_KEYS.includes(name) ? Promise.race([beside, sleep(QUICK_MS, undefined, { ref: false })]) : beside,
  ]);
};

export type KeyPageProps = PageProps & { params: Promise<{ id: string; k: string }> };

/** `k` names a key, as the address has it. What the server says about the key now is requested by the browser. */
export const prefetchKey = (page: KeyPageProps, k: string) => async (ask: Ask) => {
  const id = await readSnapshotId(ask, page);
  if (id === null) return;
  const { db } = loadKey(await page.searchParams);
  await Promise.all([
    askPageReport(ask, id, 'keys', toKeyRowQuery(formatK(k), db)),
    ask('GET /api/snapshots/{id}', { id }),
  ]);
};

/** The figures of a comparison, and its groups if they are shown. */
export const prefetchComparison = (page: PageProps) => async (ask: Ask) => {
  const [id, search] = [await readSnapshotId(ask, page), await page.searchParams];
  if (id === null) return;
  const params = loadCompared(search);
  const query = toCompareQuery(params);
  const by = toGrouping(params.list);
  const found = await ask('GET /api/snapshots/{id}/compare', { id, query });
  if (found === undefined || by === null) return;
  const groups = toGroupsQuery(query, found.before.snapshotId, by, params.change);
  await ask('GET /api/snapshots/{id}/compare/groups', { id, query: { ...groups, limit: PAGE_SIZE } });
};

export const prefetchFindings = (page: PageProps) => async (ask: Ask) => {
  const id = await readSnapshotId(ask, page);
  if (id === null) return;
  const search = await page.searchParams;
  const query = toScope(loadScope(search));
  await Promise.all([
    ask('GET /api/snapshots/{id}/reports/findings', { id, query: { ...query, ...toSince(loadSince(search)) } }),
    askPageReport(ask, id, 'frameworks', { ...query }),
  ]);
};

export type RulePageProps = PageProps & { params: Promise<{ id: string; rule: string }> };

export const prefetchRule = (page: RulePageProps) => async (ask: Ask) => {
  const id = await readSnapshotId(ask, page);
  if (id === null) return;
  const rule = decodeURIComponent((await page.params).rule);
  // The first page has no cursor.
  const search = await page.searchParams;
  const query = { ...toScope(loadScope(search)), ...toSince(loadSince(search)), limit: RULE_PAGE_SIZE };
  await Promise.all([prefetchRules(ask), ask('GET /api/snapshots/{id}/reports/findings/{rule}', { id, rule, query })]);
};

/** The same filter as in useFilter. */
function parseFilter(search: Search): Query {
  const { delimiter, ...values } = loadFilter(search);
  return { ...toFilter(values), ...(delimiter ? { delimiter } : {}) };
}

const askPageReport = (ask: Ask, id: string, report: ReportName, query: Query) =>
  ask('GET /api/snapshots/{id}/reports/{report}', { id, report, query });

async function readSnapshotId(ask: Ask, { params, searchParams }: PageProps): Promise<string | null> {
  const id = decodeURIComponent((await params).id);
  const { snapshots } = (await ask('GET /api/instances/{id}/snapshots', { id })) ?? {};
  return chooseSnapshot(snapshots ?? [], loadSnapshotId(await searchParams).snapshot)?.id ?? null;
}
