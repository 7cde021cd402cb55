/**
 * Writes a sealed snapshot of N generated keys (keyspace.ts) as a scan does: pages → parts → seal. No Redis is used.
 *   tsx bench/keyspaces/generate-snapshot.ts --keys 10000000 --dir /tmp/data/snap [--rollup] [--json]
 */
import { mkdir, rm } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { NO_COST } from '@/lib/model/job';
import { STANDARD_THRESHOLDS } from '@/lib/model/keys/bigkey-thresholds';
import { ScanOptions } from '@/lib/model/snapshots/scan';
import { SNAPSHOT_SCHEMA_VERSION, type SnapshotManifest } from '@/lib/model/snapshots/snapshot';
import { readManifest } from '@/lib/snapshots/folder/manifest';
import { createPartWriter, type PartWriter } from '@/lib/snapshots/parts/part-writer';
import { makeRollup } from '@/lib/snapshots/rollup/make-rollup';
import { sealSnapshot } from '@/lib/snapshots/seal/seal-snapshot';
import { keyAt, NOW, pages } from './keyspace';
import { peakDisk, sumDisk } from './peak-disk';

const PART_ROWS = 250_000;
const NODES = 3;

export interface Generated {
  keys: number;
  /** Time that the scanning thread spends in append(), per key. */
  appendMicrosecondsPerKey: number;
  sealSeconds: number;
  sealCpuSeconds: number;
  /** Bytes on the disk while it was sealed, at most, by key; the next three are what they consist of. */
  diskPeakBytesPerKey: number;
  diskPeakPartsBytesPerKey: number;
  diskPeakKeysBytesPerKey: number;
  diskPeakSpillBytesPerKey: number;
  bytesPerKey: number;
  rollupSeconds: number | null;
  rollupCpuSeconds: number | null;
  rollupMiB: number | null;
  peakRssMiB: number;
}

export async function generateSnapshot(
  dir: string,
  keys: number,
  rollup: boolean,
  make: typeof keyAt = keyAt,
): Promise<Generated> {
  await rm(dir, { recursive: true, force: true });
  await mkdir(dir, { recursive: true });
  const watch = peakRss();
  const parts: string[] = [];
  let writer: PartWriter | null = null;
  let node = -1;
  let sequence = 0;
  let appendMs = 0;
  for (const page of pages(keys, 1, NODES, make)) {
    if (writer && (writer.rows >= PART_ROWS || node !== page.node)) {
      parts.push((await writer.finish()).file);
      writer = null;
    }
    node = page.node;
    writer ??= await createPartWriter(dir, { node, db: 0, sequence: ++sequence });
    const began = performance.now();
    const behind = writer.append(page);
    appendMs += performance.now() - began;
    if (behind) await behind;
  }
  if (writer) parts.push((await writer.finish()).file);
  const bigkeys = STANDARD_THRESHOLDS;
  const disk = await peakDisk(dir);
  const began = performance.now();
  const cpu = process.cpuUsage();
  const stats = await sealSnapshot(dir, parts, {
    bigkeys,
    manifest: ({ keys: n, fileBytes }) => makeManifest(basename(dir), n, fileBytes),
  });
  const sealSeconds = (performance.now() - began) / 1000;
  const sealCpuSeconds = cpuSeconds(cpu);
  const peak = disk();
  const made = rollup ? await timedRollup(dir) : null;
  return {
    keys: stats.keys,
    appendMicrosecondsPerKey: (appendMs * 1000) / keys,
    sealSeconds,
    sealCpuSeconds,
    diskPeakBytesPerKey: sumDisk(peak) / keys,
    diskPeakPartsBytesPerKey: peak.parts / keys,
    diskPeakKeysBytesPerKey: peak.keys / keys,
    diskPeakSpillBytesPerKey: peak.spill / keys,
    bytesPerKey: stats.fileBytes / stats.keys,
    rollupSeconds: made?.seconds ?? null,
    rollupCpuSeconds: made?.cpuSeconds ?? null,
    rollupMiB: made?.mib ?? null,
    peakRssMiB: watch(),
  };
}

async function timedRollup(dir: string) {
  const began = performance.now();
  const cpu = process.cpuUsage();
  const bigkeys = STANDARD_THRESHOLDS;
  const { bytes } = await makeRollup({ dir, manifest: await readManifest(dir), bigkeys });
  const seconds = (performance.now() - began) / 1000;
  return { seconds, cpuSeconds: cpuSeconds(cpu), mib: bytes / 2 ** 20 };
}

function cpuSeconds(since: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1e6;
}

/** Watches the memory of this process; the returned function returns its peak in MiB. */
export function peakRss(): () => number {
  let peak = 0;
  const look = () => {
    peak = Math.max(peak, process.memoryUsage.rss());
  };
  const timer = setInterval(look, 20);
  timer.unref();
  return () => {
    look();
    clearInterval(timer);
    return Math.round(peak / 1024 / 1024);
  };
}

function makeManifest(id: string, keys: number, fileBytes: number): SnapshotManifest {
  return {
    schemaVersion: SNAPSHOT_SCHEMA_VERSION,
    id,
    instanceId: null,
    instanceName: 'generated',
    jobId: null,
    state: 'sealed',
    options: ScanOptions.parse({}),
    nodes: Array.from({ length: NODES }, (_, i) => ({
      address: `127.0.0.1:${7000 + i}`,
      runId: null,
      role: 'master' as const,
      slots: [[Math.round((i * 16_384) / NODES), Math.round(((i + 1) * 16_384) / NODES) - 1] as [number, number]],
    })),
    flavor: 'redis',
    version: '7.0.15',
    maxmemoryPolicy: 'noeviction',
    lazyfreeLazyExpire: false,
    usedMemoryBytes: null,
    startedAt: NOW - 60_000,
    endedAt: NOW,
    readingEndedAt: NOW,
    keys,
    fileBytes,
    files: [],
    checksums: {},
    coverage: {
      keysRead: keys,
      keysAtStart: keys,
      keysAtEnd: keys,
      vanished: 0,
      duplicatesRemoved: 0,
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
  };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const { values } = parseArgs({
    options: {
      keys: { type: 'string', default: '1000000' },
      dir: { type: 'string' },
      rollup: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
    },
  });
  const dir = resolve(values.dir ?? '/tmp/colonnade-generated/snapshot');
  const result = await generateSnapshot(dir, Number(values.keys), values.rollup);
  console.log(values.json ? JSON.stringify(result) : { dir, ...result });
}
