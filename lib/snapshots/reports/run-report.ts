import { AppError } from '@/lib/model/errors';
import type { KeyFilter } from '@/lib/model/filter';
import type { ReportQuery } from '@/lib/model/reports/query';
import type { ReportEnvelope, ReportName, ReportResults } from '@/lib/model/reports/reports';
import { getSnapshotAsOf } from '@/lib/model/snapshots/snapshot';
import { getProcessWide } from '@/lib/runtime/process-wide';
import { findFilterPrefix } from '@/lib/snapshots/key-query/find-filter-prefix';
import { parseOrder } from '@/lib/snapshots/key-query/keyset';
import type { RuledSnapshotRef, RuledSource } from '@/lib/snapshots/key-query/rule-filter';
import { chooseDefaultLane, type Limits, QUERY_TIMEOUT_MS } from '@/lib/snapshots/query/duckdb';
import { getFileBounds } from '@/lib/snapshots/query/file-bounds';
import type { Lane } from '@/lib/snapshots/query/lanes';
import { assertReadable, type SnapshotRef, withSource } from '@/lib/snapshots/query/with-source';
import { buildLevelReport } from '@/lib/snapshots/reports/tree/tree';
import { forgetRollup, openRollup, type Rollup } from '@/lib/snapshots/rollup/open-rollup';
import { type Decision, decide, findRollupScope } from '@/lib/snapshots/rollup/scope';
import { findTemplatesContaining } from '@/lib/snapshots/rollup/search-paths';
import { cacheAnswer, getCachedAnswer } from './answer-cache';
import { buildBigkeysReport } from './bigkeys';
import { type RolledSource, selectSums } from './cells';
import { buildFrameworksReport } from './frameworks';
import { buildIdleReport } from './idle';
import { buildKeysReport } from './keys';
import { buildNamesReport } from './names';
import { buildOverviewReport } from './overview';
import { buildPatternsReport } from './patterns';
import { buildSizesReport } from './sizes';
import { buildSlotsReport } from './slots';
import { buildTtlReport } from './ttl';
import { buildTypesReport } from './types';

type ReportSource = RuledSource & RolledSource;
type Builders = {
  [Name in ReportName]: (source: ReportSource, decision: Decision, query: ReportQuery) => Promise<ReportResults[Name]>;
};
const builders: Builders = {
  overview: buildOverviewReport,
  tree: buildLevelReport,
  patterns: buildPatternsReport,
  bigkeys: buildBigkeysReport,
  ttl: buildTtlReport,
  slots: buildSlotsReport,
  types: buildTypesReport,
  sizes: buildSizesReport,
  names: (source, _, query) => buildNamesReport(source, query),
  frameworks: (source, _, query) => buildFrameworksReport(source, query),
  idle: buildIdleReport,
  keys: buildKeysReport,
};

/** Reports whose queries are all under the filter, so they need only the files that can have its keys. */
const LISTS: ReadonlySet<ReportName> = new Set(['keys', 'bigkeys']);

interface AskLimits extends Limits {
  /** Called if a sealed snapshot has no valid roll-up, so that its keys are read. */
  onMissingRollup?: () => void;
}

/**
 * Runs one report on one snapshot. The envelope says whether the scan is still running. Recent answers about a sealed
 * snapshot are cached; otherwise the roll-up answers what it can, and the keys answer the rest.
 */
export async function runReport<Name extends ReportName>(
  ref: RuledSnapshotRef,
  name: Name,
  query: ReportQuery,
  limits: AskLimits = {},
): Promise<ReportEnvelope<ReportResults[Name]>> {
  const started = performance.now();
  const sealed = ref.manifest.state === 'sealed';
  const asOf = getSnapshotAsOf(ref.manifest);
  const report = sealed ? await runSealedReport(ref, name, query, limits) : await ask(ref, name, query, limits);
  return {
    snapshotId: ref.manifest.id,
    live: !sealed,
    asOf,
    keysInSnapshot: ref.manifest.keys,
    tookMs: Math.round(performance.now() - started),
    report,
  };
}

async function ask<N extends ReportName>(ref: RuledSnapshotRef, name: N, query: ReportQuery, limits: AskLimits) {
  const answer = (rollup: Rollup | null) => {
    const decision = decide(rollup, name, query);
    const build = async (source: RuledSource) =>
      builders[name](await addHints(source, rollup, decision), decision, query);
    const lane = chooseLane(ref, name, decision, limits);
    const below = LISTS.has(name) ? findFilterPrefix(query, query.delimiter) : undefined;
    return withSource(ref, build, { ...limits, lane, below });
  };
  const sealed = ref.manifest.state === 'sealed';
  try {
    const rollup = sealed ? await withSource(ref, openRollup, limits) : null;
    if (sealed && rollup === null) limits.onMissingRollup?.();
    return await answer(rollup);
  } catch (error) {
    // A damaged roll-up does not mean that the keys are damaged. If they are, reading them throws its own error.
    if (!(error instanceof AppError) || error.code !== 'snapshot_unreadable') throw error;
    const report = await answer(null);
    await forgetRollup(ref.dir);
    if (sealed) limits.onMissingRollup?.();
    return report;
  }
}

/** Above this number a pass over the keys takes seconds, and several at once need more memory than queries may use. */
const LARGE_KEYS = 20_000_000;

/**
 * Returns the lane in which a query waits for its turn. Queries that the roll-up answers are fast however many keys
 * there are, so they never wait for queries that only the keys can answer.
 */
function chooseLane({ manifest }: SnapshotRef, name: ReportName, { kind, query }: Decision, limits: Limits): Lane {
  const usual = chooseDefaultLane({ timeoutMs: QUERY_TIMEOUT_MS, ...limits });
  if (usual !== 'ask' || manifest.keys <= LARGE_KEYS) return usual;
  // The list of keys reads rows, which no sum contains. In any order but that of the file all rows are compared.
  const comparesAll = name === 'keys' && parseOrder(query.sort, 'name').sort !== 'name';
  return kind === 'keys' || comparesAll ? 'heavy' : usual;
}

/** Adds what makes reading the keys faster. */
async function addHints(source: RuledSource, rollup: Rollup | null, { kind, query }: Decision): Promise<ReportSource> {
  const bounds = await getFileBounds(source);
  if (rollup === null) return { ...source, rollup, bounds };
  const searched = (filter: KeyFilter, delimiter: string) => findTemplatesContaining(rollup, { ...filter, delimiter });
  const withoutBigkeys = kind === 'keys' && !(await mayHaveBigkeys(source, rollup, query));
  return { ...source, rollup, bounds, searched, withoutBigkeys };
}

/** Whether some key on the path of a query is a bigkey or may be one. */
async function mayHaveBigkeys(source: RuledSource, rollup: Rollup, { prefix, template, delimiter }: ReportQuery) {
  const scope =
    findRollupScope(rollup, 'cells', { prefix, template, delimiter }) ?? findRollupScope(rollup, 'cells', {})!;
  const { from, values } = selectSums(scope, 'cells');
  return (await source.query(`SELECT 1 FROM ${from} WHERE big > 0 LIMIT 1`, values)).length > 0;
}

/** Returns the cached answer, or that of the same report if it is running; otherwise runs the report. */
async function runSealedReport<N extends ReportName>(
  ref: RuledSnapshotRef,
  name: N,
  query: ReportQuery,
  limits: AskLimits,
) {
  await assertReadable(ref);
  const { id, endedAt, fileBytes } = ref.manifest;
  const fields = Object.entries(query).filter(([, value]) => value !== undefined);
  const key = JSON.stringify([
    ...[ref.dir, id, endedAt, fileBytes],
    ...[ref.ruleFilter?.hash ?? null, ref.ruleOrder?.hash ?? null, ref.bigkeys ?? null],
    name,
    fields.sort(([a], [b]) => (a < b ? -1 : 1)),
  ]);
  const recent = getCachedAnswer(key) as ReportResults[N] | undefined;
  if (recent !== undefined) return recent;
  const running = getRunningReports().get(key);
  if (running) {
    // The caller that began it may leave before the answer; then it is begun again.
    await running.catch(() => undefined);
    ref.signal?.throwIfAborted();
    const answer = getCachedAnswer(key) as ReportResults[N] | undefined;
    if (answer !== undefined) return answer;
  }
  const asking = ask(ref, name, query, limits).then((report) => {
    cacheAnswer(key, report);
    return report;
  });
  getRunningReports().set(key, asking);
  try {
    return await asking;
  } finally {
    if (getRunningReports().get(key) === asking) getRunningReports().delete(key);
  }
}

/**
 * Returns the reports that are running, so that two readers of the same report share one: a page that gave up waiting,
 * and its browser.
 */
const getRunningReports = () => getProcessWide('reports-under-way', () => new Map<string, Promise<unknown>>());
