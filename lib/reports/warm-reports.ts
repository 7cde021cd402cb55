import { access, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { ReportQuery } from '@/lib/model/reports/query';
import type { ReportName } from '@/lib/model/reports/reports';
import { type SnapshotRef, withSource } from '@/lib/snapshots/with-source';
import { orderedNode, STORED } from './from-stored';
import { nodeOf } from './node-of';
import { computeReport } from './run-report';
import { answersFolder, readAnswer, removeOtherAnswers, writeAnswer } from './stored-answers';
import { WIDE_LIMIT } from './tree';

/**
 * Answers ahead of time what would be slow to answer live. A question costs time in proportion to the keys it is about,
 * and few nodes of the tree are large: at most keys / LARGE_NODE per level. So after sealing the tree is walked from
 * its root through all nodes above that size, and every report about them is computed by the very code that answers
 * live and kept (stored-answers.ts). What remains to be asked live is about fewer keys than that, whatever the prefix.
 * Run it after sealing, off the request path; it may stop anywhere and is continued by the next call.
 */
export const LARGE_NODE = 100_000;
/** A keyspace of long common paths has large nodes all the way down; nobody drills there one by one. */
const MAX_LEVELS = 8;
const MAX_NODES = 400;

export interface WarmOptions {
  signal?: AbortSignal;
  largeNode?: number;
}

export async function warmReports(ref: SnapshotRef, options: WarmOptions = {}): Promise<{ answers: number }> {
  const done = path.join(answersFolder(ref), 'done');
  const stamp = String(ref.manifest.endedAt);
  if (ref.manifest.state !== 'sealed' || (await isThere(done))) return { answers: 0 };
  const large = options.largeNode ?? LARGE_NODE;
  let level = ref.manifest.keys > large ? [''] : [];
  let answers = 0;
  for (let depth = 0, nodes = 0; depth < MAX_LEVELS && level.length > 0 && nodes < MAX_NODES; depth++) {
    const next: string[] = [];
    for (const template of level.slice(0, MAX_NODES - nodes)) {
      nodes++;
      for (const child of await answerNode(ref, template, options)) {
        if (child.branchKeys > large) next.push(child.path);
      }
      answers += STORED.length;
    }
    level = next;
  }
  await mkdir(answersFolder(ref), { recursive: true, mode: 0o700 });
  await writeFile(done, stamp);
  await removeOtherAnswers(ref);
  return { answers };
}

const isThere = (file: string) =>
  access(file).then(
    () => true,
    () => false,
  );

/** More than was kept: another order would show others, so the second usual order is kept too. */
function isCut(report: object): boolean {
  if ('rest' in report) return report.rest !== null;
  return (
    'templateCount' in report &&
    'patterns' in report &&
    (report.patterns as unknown[]).length < Number(report.templateCount)
  );
}

async function answerNode(ref: SnapshotRef, template: string, { signal }: WarmOptions) {
  const query: ReportQuery = template === '' ? {} : { template };
  const ask = <N extends ReportName>(name: N, wide: ReportQuery) =>
    withSource(ref, (source) => computeReport(source, name, wide), { signal, timeoutMs: 300_000 });
  let children: { path: string; branchKeys: number }[] = [];
  for (const name of STORED) {
    const node = nodeOf(query)!;
    const cut = name === 'tree' || name === 'patterns';
    const wide = cut || name === 'bigkeys' ? { ...query, limit: WIDE_LIMIT, sort: '-bytes' } : query;
    // There already: a run that was cut off, or other thresholds of bigkeys, which most reports do not tell of.
    const known = await readAnswer(ref, name, node);
    const report = known ?? (await ask(name, wide));
    if ('children' in report) children = report.children;
    if (known === null) await writeAnswer(ref, name, node, report);
    const other = orderedNode(node, '-keys');
    if (cut && isCut(report) && (await readAnswer(ref, name, other)) === null)
      await writeAnswer(ref, name, other, await ask(name, { ...wide, sort: '-keys' }));
  }
  return children;
}
