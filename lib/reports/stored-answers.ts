import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { ReportQuery } from '@/lib/model/reports/query';
import type { ReportName, ReportResults, Totals } from '@/lib/model/reports/reports';
import type { SnapshotRef, Source } from '@/lib/snapshots/with-source';
import { nodeOf } from './node-of';

/**
 * Answers that were computed ahead lie beside the sealed file (warm-reports.ts). They are what the report would say, kept
 * as JSON; losing them costs time, never truth, so they are renamed into place but not fsynced. The folder's name holds the
 * version of their shape.
 */
const FOLDER = 'answers-1';

export const answersFolder = (dir: string) => path.join(dir, FOLDER);

function fileOf(dir: string, name: ReportName, node: string): string {
  const id = createHash('sha256').update(node).digest('hex').slice(0, 32);
  return path.join(answersFolder(dir), `${name}-${id}.json`);
}

export async function readAnswer<N extends ReportName>(
  ref: SnapshotRef,
  name: N,
  node: string,
): Promise<ReportResults[N] | null> {
  try {
    const stored = JSON.parse(await readFile(fileOf(ref.dir, name, node), 'utf8'));
    // A file of a snapshot sealed anew would be an answer about other keys.
    return stored.node === node && stored.endedAt === ref.manifest.endedAt ? stored.report : null;
  } catch {
    return null;
  }
}

export async function writeAnswer<N extends ReportName>(
  ref: SnapshotRef,
  name: N,
  node: string,
  report: ReportResults[N],
): Promise<void> {
  await mkdir(answersFolder(ref.dir), { recursive: true, mode: 0o700 });
  const file = fileOf(ref.dir, name, node);
  const temporary = `${file}.${process.pid}.tmp`;
  await writeFile(temporary, JSON.stringify({ node, endedAt: ref.manifest.endedAt, report }), { mode: 0o600 });
  await rename(temporary, file);
}

/** Keys and bytes of the node a query is about, where its overview is stored. Order and cut do not matter to them. */
export async function knownTotals(source: Source, query: ReportQuery): Promise<Totals | null> {
  if (source.live) return null;
  const { cursor: _cursor, ...rest } = query;
  const node = nodeOf('overview', rest);
  return node === null ? null : readAnswer(source, 'overview', node);
}
