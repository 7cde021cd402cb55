import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { isStandard, STANDARD_THRESHOLDS } from '@/lib/model/bigkey-thresholds';
import type { ReportQuery } from '@/lib/model/reports/query';
import { REPORT_ROWS } from '@/lib/model/reports/registry';
import type { ReportName, ReportResults, Totals } from '@/lib/model/reports/reports';
import type { SnapshotRef, Source } from '@/lib/snapshots/with-source';
import { nodeOf } from './node-of';

/**
 * Answers that were computed ahead lie beside the sealed file (warm-reports.ts). They are what the report would say,
 * kept as JSON; losing them costs time, never truth, so they are renamed into place but not fsynced. The folder's name
 * holds the version of their shape. Those that tell of bigkeys lie apart where these are not the standards' ones.
 */
const FOLDER = 'answers-3';

type Answered = Pick<SnapshotRef, 'dir' | 'bigkeys'>;

/** Of the answers that tell of bigkeys. */
export function answersFolder({ dir, bigkeys = STANDARD_THRESHOLDS }: Answered): string {
  if (isStandard(bigkeys)) return path.join(dir, FOLDER);
  return path.join(dir, `${FOLDER}-${bigkeys.stringBytes}-${bigkeys.elements}-${bigkeys.collectionBytes}`);
}

function fileOf({ dir, bigkeys }: Answered, name: ReportName, node: string): string {
  const id = createHash('sha256').update(node).digest('hex').slice(0, 32);
  return path.join(answersFolder(REPORT_ROWS[name].tellsBigkeys ? { dir, bigkeys } : { dir }), `${name}-${id}.json`);
}

/** Those of thresholds that hold no more; they would only be asked for again if somebody set these back. */
export async function removeOtherAnswers(ref: Answered): Promise<void> {
  const kept = [answersFolder({ dir: ref.dir }), answersFolder(ref)];
  for (const entry of await readdir(ref.dir)) {
    const folder = path.join(ref.dir, entry);
    if (entry.startsWith(`${FOLDER}-`) && !kept.includes(folder)) await rm(folder, { recursive: true, force: true });
  }
}

export async function readAnswer<N extends ReportName>(
  ref: SnapshotRef,
  name: N,
  node: string,
): Promise<ReportResults[N] | null> {
  try {
    const stored = JSON.parse(await readFile(fileOf(ref, name, node), 'utf8'));
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
  const file = fileOf(ref, name, node);
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  const temporary = `${file}.${process.pid}.tmp`;
  await writeFile(temporary, JSON.stringify({ node, endedAt: ref.manifest.endedAt, report }), { mode: 0o600 });
  await rename(temporary, file);
}

/** Keys and bytes of the node a query is about, where its overview is stored. Order and cut do not matter to them. */
export async function knownTotals(source: Source, query: ReportQuery): Promise<Totals | null> {
  if (source.live) return null;
  const { cursor: _cursor, ...rest } = query;
  const node = nodeOf(rest);
  return node === null ? null : readAnswer(source, 'overview', node);
}
