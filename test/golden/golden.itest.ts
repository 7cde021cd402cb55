import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ReportQuery } from '@/lib/model/reports/query';
import type { ReportName, TreeReport } from '@/lib/model/reports/reports';
import { ensureEvaluated, readFindings, readRuleFindings } from '@/lib/rules/findings/read-findings';
import { toPolicy } from '@/lib/rules/policy/effective-policy';
import { presets } from '@/lib/rules/profiles/presets';
import type { SnapshotRef } from '@/lib/snapshots/query/with-source';
import { runReport } from '@/lib/snapshots/reports/run-report';
import { makeRollup } from '@/lib/snapshots/rollup/make-rollup';
import { dataFolder, makeSealed } from '../snapshots/make-snapshot';
import { KEYSPACES } from './keyspaces';

/**
 * Compares every report under eight filters, the tree three levels down and all findings of three keyspaces with the
 * files in this folder. A change that should not affect answers must not change them. If answers are meant to change,
 * run with `-u` and say why in the commit.
 */
const REPORTS: ReportName[] = [
  ...(['overview', 'tree', 'patterns', 'bigkeys', 'ttl', 'slots', 'types', 'sizes', 'names', 'idle', 'keys'] as const),
];
/** Filters for each keyspace: a prefix, a search text for names, and a path with ids. */
const PLACES: Record<keyof typeof KEYSPACES, { prefix: string; search: string; template: string }> = {
  demo: { prefix: 'shop:', search: 'user', template: 'shop:user:{int}:' },
  frameworks: { prefix: 'spring:session:', search: '*:1?', template: 'celery-task-meta-{uuid}' },
  hostile: { prefix: 'shop:user:', search: 'a', template: 'mail:{email}:' },
};
const makeFilters = ({ prefix, search, template }: (typeof PLACES)['demo']): ReportQuery[] => [
  {},
  { prefix },
  { template, db: [0] },
  { search },
  { type: ['hash', 'zset'], bytesMin: 200 },
  { expiry: 'any', ttlMax: 7200 },
  { idleMin: 20 * 86_400, node: [0, 1] },
  { rule: ['N8', 'V3', 'T1'], lengthMin: 3 },
];
const policy = toPolicy(presets.get('default')!);

let folder: Awaited<ReturnType<typeof dataFolder>>;
beforeAll(async () => {
  folder = await dataFolder();
});
afterAll(() => folder.clean());

/** Returns the value as text, without what differs from run to run. */
const toText = (value: unknown) =>
  JSON.stringify(value, (field, inner) => {
    if (field === 'evaluatedInMs') return undefined;
    if (/cursor$/i.test(field) && typeof inner === 'string') return '(cursor)';
    // Members of an object are sorted, because their order has no meaning.
    const isObject = typeof inner === 'object' && inner !== null && !Array.isArray(inner);
    return isObject ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1))) : inner;
  });

async function openKeyspace(name: keyof typeof KEYSPACES): Promise<SnapshotRef> {
  const ref = await makeSealed(folder.root, name, KEYSPACES[name]());
  await makeRollup(ref);
  return (await ensureEvaluated(ref, policy)).ref;
}

/** Returns the tree level by level, descending into the three largest nodes of each. */
async function readTree(ref: SnapshotRef, path: string, levels: number): Promise<string[]> {
  const { report } = await runReport(ref, 'tree', path === '' ? { limit: 100 } : { template: path, limit: 100 });
  const tree = report as TreeReport;
  const below = tree.children.filter(({ branchKeys }) => branchKeys > 0).slice(0, 3);
  const lines = levels === 1 ? [] : await Promise.all(below.map((node) => readTree(ref, node.path, levels - 1)));
  return [`tree ${path}\n${toText(tree)}`, ...lines.flat()];
}

describe.each(Object.keys(KEYSPACES) as (keyof typeof KEYSPACES)[])('%s', (name) => {
  let ref: SnapshotRef;
  beforeAll(async () => {
    ref = await openKeyspace(name);
  });

  it('answers every report under eight filters as it did', async () => {
    const lines: string[] = [];
    for (const report of REPORTS)
      for (const filter of makeFilters(PLACES[name])) {
        const answer = await runReport(ref, report, { ...filter, limit: 12 });
        lines.push(`${report} ${JSON.stringify(filter)}\n${toText(answer.report)}`);
      }
    await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot(`./${name}.reports.txt`);
  });

  it('has the tree it had', async () => {
    const lines = await readTree(ref, '', 3);
    expect(lines.length).toBeGreaterThan(3);
    await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot(`./${name}.tree.txt`);
  });

  it('has the findings it had', async () => {
    const report = await readFindings(ref, policy, {});
    const found = report.rules.filter(({ keys }) => (keys ?? 0) > 0).map(({ rule }) => rule);
    expect(found.length).toBeGreaterThan(5);
    const lines = [`findings\n${toText(report)}`];
    for (const rule of found)
      lines.push(`${rule}\n${toText(await readRuleFindings(ref, policy, rule, { limit: 12 }))}`);
    await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot(`./${name}.findings.txt`);
  });
});
