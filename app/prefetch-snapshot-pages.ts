import { setTimeout as sleep } from 'node:timers/promises';
import { createLoader, parseAsString } from 'nuqs/server';
import { chooseSnapshot, sortNewestFirst } from '@/components/data/choose-snapshot';
import type { Ask } from '@/components/data/first-html/prefetched';
import { formatK } from '@/components/data/format/format-k';
import { queryKeys } from '@/components/data/query-keys';
import { toQueryString } from '@/components/data/query-string';
import { SCOPE_PARAMS, toScope } from '@/components/findings/scope/scope-params';
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
import { getPageActor } from '@/lib/http/access/page-actor';
import { buildSessionInfo } from '@/lib/http/access/session-info';
import { getFleet } from '@/lib/instances/get-fleet';
import { getInstance } from '@/lib/instances/get-instance';
import { ReportQuery } from '@/lib/model/reports/query';
import type { ReportName } from '@/lib/model/reports/reports';
import { getFindings, getRuleFindings } from '@/lib/scans/get-findings';
import { getReport } from '@/lib/scans/get-report';
import { getSnapshot } from '@/lib/scans/get-snapshot';
import { listSnapshots } from '@/lib/scans/list-snapshots';
import { prefetchRules } from './prefetch-pages';

/**
 * The first HTML of a page contains the answers of the same queries that the API would run, under the query keys that
 * the browser uses. Every part is optional: if it is missing, the browser requests it
 * (components/data/first-html/prefetched.tsx).
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
  // Finding out who asks must not keep the frame waiting beyond its time budget either.
  const asking = getPageActor();
  asking.catch(() => undefined);
  const id = /^\/instances\/([\w-]+)/.exec(pathname)?.[1];
  await Promise.all([
    ask(queryKeys.session, async () => buildSessionInfo(await asking)),
    ...(id && id !== 'new'
      ? [
          ask(queryKeys.instance(id), async () => getInstance(await asking, id)),
          ask(queryKeys.snapshots(id), async () => sortNewestFirst(await listSnapshots(await asking, id))),
        ]
      : []),
  ]);
}

export const prefetchFleet = (ask: Ask) => ask(queryKeys.fleet, async () => getFleet(await getPageActor()));

export const prefetchOverview = (page: PageProps) => async (ask: Ask) => {
  const [id, search] = [await readSnapshotId(ask, page), await page.searchParams];
  if (id === null) return;
  const filter = toOverviewQuery(parseFilter(search));
  const scope = toScoreScope(filter);
  await Promise.all([
    askPageReport(ask, id, 'overview', filter),
    askPageReport(ask, id, 'tree', { ...filter, ...toTopPrefixesQuery(loadOverview(search)) }),
    ask(queryKeys.snapshot(id), async () => getSnapshot(await getPageActor(), id)),
    ask(queryKeys.findings(id, scope), async (signal) => getFindings(await getPageActor(), id, asApi(scope), signal)),
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
    ask(queryKeys.snapshot(id), async () => getSnapshot(await getPageActor(), id)),
  ]);
};

export const prefetchFindings = (page: PageProps) => async (ask: Ask) => {
  const id = await readSnapshotId(ask, page);
  if (id === null) return;
  const scope = toScope(loadScope(await page.searchParams));
  await ask(queryKeys.findings(id, scope), async (signal) =>
    getFindings(await getPageActor(), id, asApi(scope), signal),
  );
};

export type RulePageProps = PageProps & { params: Promise<{ id: string; rule: string }> };

export const prefetchRule = (page: RulePageProps) => async (ask: Ask) => {
  const id = await readSnapshotId(ask, page);
  if (id === null) return;
  const rule = decodeURIComponent((await page.params).rule);
  const scope = toScope(loadScope(await page.searchParams));
  await Promise.all([
    prefetchRules(ask),
    // The first page has no cursor.
    ask(queryKeys.findingsOfRule(id, rule, { ...scope, limit: RULE_PAGE_SIZE }), async (signal) =>
      getRuleFindings(await getPageActor(), id, rule, asApi({ ...scope, limit: RULE_PAGE_SIZE }), signal),
    ),
  ]);
};

/** The same filter as in useFilter. */
function parseFilter(search: Search): Query {
  const { delimiter, ...values } = loadFilter(search);
  return { ...toFilter(values), ...(delimiter ? { delimiter } : {}) };
}

/** Goes through the text that the browser would send, so that both send the same query. */
const asApi = (query: Query) => ReportQuery.parse(Object.fromEntries(new URLSearchParams(toQueryString(query))));

const askPageReport = (ask: Ask, id: string, name: ReportName, query: Query) =>
  ask(queryKeys.report(id, name, query), async (signal) =>
    getReport(await getPageActor(), id, name, asApi(query), signal),
  );

async function readSnapshotId(ask: Ask, { params, searchParams }: PageProps): Promise<string | null> {
  const id = decodeURIComponent((await params).id);
  const key = queryKeys.snapshots(id);
  const snapshots = await ask(key, async () => sortNewestFirst(await listSnapshots(await getPageActor(), id)));
  return chooseSnapshot(snapshots ?? [], loadSnapshotId(await searchParams).snapshot)?.id ?? null;
}
