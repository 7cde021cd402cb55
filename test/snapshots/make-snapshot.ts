import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { NO_COST } from '@/lib/model/job';
import { ScanOptions } from '@/lib/model/snapshots/scan';
import { SNAPSHOT_SCHEMA_VERSION, type SnapshotManifest } from '@/lib/model/snapshots/snapshot';
import { readManifest, writeManifest } from '@/lib/snapshots/folder/manifest';
import { createPartWriter, type PartWriter } from '@/lib/snapshots/parts/part-writer';
import type { SnapshotRef } from '@/lib/snapshots/query/with-source';
import { sealSnapshot } from '@/lib/snapshots/seal/seal-snapshot';
import { cutFiles } from './cut-files';
import { AS_OF, type MadeRow, pagesOf } from './made-rows';

export function makeManifest(over: Partial<SnapshotManifest> = {}): SnapshotManifest {
  return {
    schemaVersion: SNAPSHOT_SCHEMA_VERSION,
    id: 'snap',
    instanceId: null,
    instanceName: 'test',
    jobId: null,
    state: 'live',
    options: ScanOptions.parse({}),
    nodes: [0, 1, 2].map((i) => ({
      address: `10.0.0.${i}:6379`,
      runId: null,
      role: 'master' as const,
      slots: [[Math.round((i * 16384) / 3), Math.round(((i + 1) * 16384) / 3) - 1] as [number, number]],
    })),
    flavor: 'redis',
    version: '7.0.15',
    maxmemoryPolicy: null,
    lazyfreeLazyExpire: false,
    usedMemoryBytes: null,
    startedAt: AS_OF - 60_000,
    endedAt: AS_OF,
    readingEndedAt: null,
    keys: 0,
    fileBytes: null,
    files: [],
    checksums: {},
    coverage: {
      keysRead: 0,
      keysAtStart: null,
      keysAtEnd: null,
      vanished: 0,
      duplicatesRemoved: null,
      unknownFacts: { type: 0, ttl: 0, bytes: 0, length: 0, encoding: 0, idle: 0 },
      lengthNotAsked: 0,
      oversizeReplies: 0,
      restarts: 0,
      skipped: [],
      commandsDenied: [],
      idleFrom: 'master',
      partial: false,
      partialReasons: [],
    },
    cost: NO_COST,
    ...over,
  };
}

/** Creates a data folder; `clean` deletes it. */
export async function dataFolder(): Promise<{ root: string; clean(): Promise<void> }> {
  const root = await mkdtemp(path.join(tmpdir(), 'colonnade-snapshots-'));
  return { root, clean: () => rm(root, { recursive: true, force: true }) };
}

/** Writes rows as parts of at most `partRows` rows and returns their files. */
export async function writeParts(
  dir: string,
  rows: readonly MadeRow[],
  partRows = 5000,
  firstSequence = 1,
): Promise<string[]> {
  await mkdir(dir, { recursive: true });
  const files: string[] = [];
  let sequence = firstSequence;
  let writer: PartWriter | null = null;
  let at = '';
  for (const page of pagesOf(rows)) {
    if (writer && (writer.rows >= partRows || at !== `${page.node}/${page.db}`)) {
      files.push((await writer.finish()).file);
      writer = null;
    }
    at = `${page.node}/${page.db}`;
    writer ??= await createPartWriter(dir, { node: page.node, db: page.db, sequence: sequence++ });
    await writer.append(page);
  }
  if (writer) files.push((await writer.finish()).file);
  return files;
}

export async function makeLive(root: string, id: string, rows: readonly MadeRow[]): Promise<SnapshotRef> {
  const dir = path.join(root, id);
  await writeParts(dir, rows);
  const manifest = makeManifest({ id });
  await writeManifest(dir, manifest);
  return { dir, manifest };
}

export async function makeSealed(
  root: string,
  id: string,
  rows: readonly MadeRow[],
  { instanceId = null, fileRows }: { instanceId?: string | null; fileRows?: number } = {},
): Promise<SnapshotRef> {
  const dir = path.join(root, id);
  const parts = await writeParts(dir, rows);
  await sealSnapshot(dir, parts, {
    manifest: (s) => makeManifest({ id, instanceId, state: 'sealed', keys: s.keys, fileBytes: s.fileBytes }),
  });
  if (fileRows !== undefined) await cutFiles(dir, { fileRows });
  return { dir, manifest: await readManifest(dir) };
}
