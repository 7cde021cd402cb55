/**
 * The requests of the `reports` bench, and how they are timed. Every warm sample requests a node that was not requested
 * before with that report, so a cache of recent answers cannot help; "warm" means that the process has run and the file
 * is in the system's cache. The caller chooses the transport: direct calls, or HTTP.
 */
import type { ReportQuery } from '@/lib/model/reports/query';
import type { ReportName, TreeReport } from '@/lib/model/reports/reports';

export type Ask = (report: ReportName, query: ReportQuery) => Promise<unknown>;
export interface RouteFigures {
  route: string;
  samples: number;
  warmP50Ms: number;
  warmP95Ms: number;
  warmMaxMs: number;
  coldMs: number;
}

const ASKED: ReportName[] = [
  'tree',
  'overview',
  'patterns',
  'bigkeys',
  'ttl',
  'slots',
  'types',
  'sizes',
  'names',
  'idle',
  'keys',
];
const DEPTHS = 3;

/** Returns nodes of each depth of the tree: the largest, and as many spread over the rest. */
export async function nodesByDepth(ask: Ask, each: number): Promise<string[][]> {
  const depths: string[][] = [];
  let level = [''];
  for (let depth = 1; depth <= DEPTHS; depth++) {
    const children: { path: string; keys: number }[] = [];
    for (const path of level) {
      const answer = (await ask('tree', path === '' ? { limit: 200 } : { template: path, limit: 200 })) as {
        report: TreeReport;
      };
      for (const child of answer.report.children)
        if (child.branchKeys > 0) children.push({ path: child.path, keys: child.keys });
    }
    children.sort((a, b) => b.keys - a.keys);
    const largest = children.slice(0, Math.ceil(each / 2));
    const rest = children.slice(largest.length);
    const step = Math.max(1, Math.floor(rest.length / Math.floor(each / 2)));
    level = [...largest, ...rest.filter((_, i) => i % step === 0).slice(0, Math.floor(each / 2))].map((c) => c.path);
    depths.push(level);
  }
  return depths;
}

/** Filters on fields that are in the roll-up's classes, and some that need the keys. */
const FILTERS: ReportQuery[] = [
  { type: ['string'] },
  { db: [0] },
  { expiry: 'any' },
  { bytesMin: 256, bytesMax: 4095 },
  { type: ['hash'], expiry: 'none' },
];
const OF_KEYS: ReportQuery[] = [{ search: 'cart' }, { bytesMin: 300 }, { lengthMin: 2 }];
/** Reports that the roll-up answers; key lists and slots are always computed from the keys, filtered or not. */
const ROLLED: ReportName[] = ['tree', 'overview', 'patterns', 'ttl', 'types', 'sizes', 'idle'];

export async function measureRoutes(
  ask: Ask,
  depths: string[][],
): Promise<{ routes: RouteFigures[]; warmP95Ms: number; filteredP95Ms: number; rowsP95Ms: number }> {
  const warm: RouteFigures[] = [];
  const filtered: RouteFigures[] = [];
  const rows: RouteFigures[] = [];
  for (const report of ASKED) {
    const cold = await timed(() => ask(report, {}));
    for (const [i, nodes] of depths.entries()) {
      const figures = async (route: string, queries: ReportQuery[]): Promise<RouteFigures> => {
        const samples: number[] = [];
        // The tree was already requested to find the nodes, so another limit makes this a different request.
        for (const query of queries)
          samples.push(await timed(() => ask(report, report === 'tree' ? { ...query, limit: 90 } : query)));
        return makeFigures(`${report} ${route} ${i + 1}`, samples, cold);
      };
      const at = (filters: ReportQuery[], some: string[]) =>
        some.flatMap((template) => filters.map((filter) => ({ ...filter, template })));
      (ROLLED.includes(report) ? warm : rows).push(
        await figures(
          'depth',
          nodes.map((template) => ({ template })),
        ),
      );
      // Sums have the storms of all keys only; under a filter the keys are read for them.
      if (ROLLED.includes(report))
        (report === 'ttl' ? rows : filtered).push(await figures('filtered', at(FILTERS, nodes.slice(0, 8))));
      rows.push(await figures('of keys', at(OF_KEYS, nodes.slice(0, 4))));
    }
  }
  const max = (some: RouteFigures[]) => Math.max(...some.map((route) => route.warmP95Ms));
  return {
    routes: [...warm, ...filtered, ...rows],
    warmP95Ms: max(warm),
    filteredP95Ms: max(filtered),
    rowsP95Ms: max(rows),
  };
}

/**
 * Measures every report about the whole of a keyspace in which nothing groups (hostile-spaces.ts): each request once,
 * by the table that answers it. A report that does not fit may answer `too_large` and is listed; its time counts like
 * any other.
 */
export async function measureRoot(
  ask: Ask,
  isTooLarge: (error: unknown) => boolean,
): Promise<{ routes: RouteFigures[]; tooLarge: string[]; p95Ms: number; maxMs: number }> {
  const routes: RouteFigures[] = [];
  const tooLarge: string[] = [];
  const all: number[] = [];
  for (const report of ASKED) {
    const one = (query: ReportQuery) =>
      timed(() =>
        ask(report, query).catch((error) => {
          if (!isTooLarge(error)) throw error;
          tooLarge.push(`${report} ${JSON.stringify(query)}`);
        }),
      );
    const coldMs = await one({});
    const samples: number[] = [];
    // Another limit makes this a different request, for which no answer is cached.
    for (const query of [{}, ...FILTERS, ...OF_KEYS]) samples.push(await one({ ...query, limit: 90 }));
    all.push(...samples);
    routes.push(makeFigures(`${report} root`, samples, coldMs));
  }
  return { routes, tooLarge, p95Ms: percentile(all, 0.95), maxMs: percentile(all, 1) };
}

const makeFigures = (route: string, samples: readonly number[], coldMs: number): RouteFigures => ({
  route,
  samples: samples.length,
  warmP50Ms: percentile(samples, 0.5),
  warmP95Ms: percentile(samples, 0.95),
  warmMaxMs: percentile(samples, 1),
  coldMs,
});

async function timed(act: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await act();
  return Math.round((performance.now() - began) * 10) / 10;
}

function percentile(samples: readonly number[], share: number): number {
  const sorted = [...samples].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}
