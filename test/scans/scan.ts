import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { KeyFilter } from '@/lib/model/filter';
import type { Progress, WaitReason } from '@/lib/model/job';
import { decodeKey } from '@/lib/model/keys/key-id';
import type { ProfileBody } from '@/lib/model/rules/policy';
import { InstanceInput } from '@/lib/model/servers/instance';
import { ScanOptions } from '@/lib/model/snapshots/scan';
import type { SnapshotManifest } from '@/lib/model/snapshots/snapshot';
import { scanToFolder } from '@/lib/scans/scan-to-folder';
import { streamKeyExport } from '@/lib/snapshots/reports/export/stream-key-export';
import type { RedisServer } from '../servers/redis';

/** The result of a whole scan of real servers, run as the command line does. */
export interface Scanned {
  manifest: SnapshotManifest;
  dir: string;
  rows: ScannedRow[];
}
export interface ScannedRow {
  k: string | null;
  name: string;
  db: number;
  node: number;
  type: string | null;
  bytes: number | null;
  length: number | null;
  expireAt: number | null;
  slot: number;
}

export interface Options {
  input?: Record<string, unknown>;
  options?: Record<string, unknown>;
  profile?: ProfileBody;
  dir?: string;
  retryForMs?: number;
  signal?: AbortSignal;
  shouldStop?: () => boolean;
  onReport?: (update: { progress?: Progress; reason?: WaitReason | null }) => void;
}

export const toEndpoint = (server: { host: string; port: number }) => ({ host: server.host, port: server.port });
export const freshFolder = () => mkdtempSync(join(tmpdir(), 'colonnade-scan-'));

/** Runs until sealed or stopped; null = stopped. */
export async function scanOnce(servers: RedisServer[], options: Options = {}): Promise<Scanned | null> {
  const dir = options.dir ?? freshFolder();
  const manifest = await scanToFolder({
    input: InstanceInput.parse({
      name: 'test',
      topology: 'standalone',
      endpoints: servers.map(toEndpoint),
      ...options.input,
    }),
    options: ScanOptions.parse({ speed: 'fast', ...options.options }),
    profile: options.profile ?? null,
    dir,
    allowedDestinations: [],
    // The servers of the tests are confirmed; test/hostile/unconfirmed.itest.ts tests others.
    confirmedAddresses: ['127.0.0.0/16'],
    signal: options.signal ?? new AbortController().signal,
    shouldStop: options.shouldStop ?? (() => false),
    retryForMs: options.retryForMs ?? 20_000,
    onReport: options.onReport ?? (() => {}),
  });
  return manifest === null ? null : { manifest, dir, rows: await readRows(dir, manifest) };
}

export async function scanWhole(servers: RedisServer[], options: Options = {}): Promise<Scanned> {
  const scanned = await scanOnce(servers, options);
  if (scanned === null) throw new Error('the scan stopped');
  return scanned;
}

export async function readRows(dir: string, manifest: SnapshotManifest): Promise<ScannedRow[]> {
  const { stream } = await streamKeyExport({ dir, manifest }, KeyFilter.parse({}), 'jsonl');
  const text = await new Response(stream).text();
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as ScannedRow);
}

/** Returns database and name as hex of its bytes, which can be compared without loss. */
export const identities = (rows: ScannedRow[]) =>
  rows.map((row) => `${row.db}/${row.k === null ? row.name : decodeKey(row.k).toString('hex')}`).sort();
