import { createReadStream } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { crc32 } from 'node:zlib';
import { AppError } from '@/lib/model/errors';
import { log } from '@/lib/runtime/log';
import { getProcessWide } from '@/lib/runtime/process-wide';
import { mayComeFromStore } from './stored-mark';

/**
 * File name → CRC-32 as eight hex digits. A bit that a worn disk flips must not become a number on a page. CRC-32 finds
 * such damage in a third of the time of a cryptographic hash. It does not protect against a person who changes a file,
 * because that person can recompute it.
 */
export type Checksums = Readonly<Record<string, string>>;

const CHUNK_BYTES = 1 << 20;

export const createDamagedFilesError = (damaged: readonly string[], cause?: unknown): AppError =>
  new AppError(
    'snapshot_damaged',
    'Files of this snapshot are damaged: their checksums differ. Put them back from a backup, or delete the snapshot and scan again.',
    { damaged: damaged.map((file) => path.basename(file)) },
    { cause },
  );

/** CRC-32 of some bytes as eight hex digits. */
export const computeChecksum = (bytes: Uint8Array): string => toHexDigits(crc32(bytes));
const toHexDigits = (sum: number) => sum.toString(16).padStart(8, '0');

async function computeFileChecksum(file: string): Promise<string> {
  let sum = 0;
  for await (const chunk of createReadStream(file, { highWaterMark: CHUNK_BYTES })) sum = crc32(chunk as Buffer, sum);
  return toHexDigits(sum);
}

/** Returns the checksums of files in a folder, by file name. */
export async function computeChecksums(dir: string, files: readonly string[]): Promise<Record<string, string>> {
  const sums: Record<string, string> = {};
  for (const file of files) sums[file] = await computeFileChecksum(path.join(dir, file));
  return sums;
}

/**
 * If the unchecked files that a query reads are larger than this together, the query does not wait for their check, and
 * its answer may still contain damage.
 */
const MAX_AWAITED_BYTES = 32 * 1024 ** 2;
/** Number of results kept in memory. The oldest are dropped above it, and their files are read again. */
const MAX_KNOWN = 20_000;

interface ChecksumCheck {
  /** null: the check has not ended. */
  isDamaged: boolean | null;
  /** Modification time of the file when its check began. A file that was restored from a backup has another one. */
  modifiedMs: number;
  /** Whether queries wait for the result; see MAX_AWAITED_BYTES. */
  isAwaited: boolean;
  done: Promise<void>;
}
/** Path and checksum → result of the check. */
const getChecks = () => getProcessWide('snapshot-checksums', () => new Map<string, ChecksumCheck>());

/**
 * Returns those of `files` that are present and known to be damaged. Each file is read once in the life of the process.
 */
export async function findDamaged(dir: string, checksums: Checksums, files: readonly string[]): Promise<string[]> {
  const known = getChecks();
  const toCheckKey = (file: string) => `${path.join(dir, file)} ${checksums[file]}`;
  const checked = files.filter((file) => checksums[file] !== undefined);
  const unchecked = checked.filter((file) => !known.has(toCheckKey(file)));
  await startChecks(dir, checksums, unchecked, toCheckKey);
  const damaged: string[] = [];
  for (const file of checked) {
    const check = known.get(toCheckKey(file));
    if (check?.isAwaited) await check.done;
    if (check?.isDamaged !== true) continue;
    const stats = await stat(path.join(dir, file)).catch(() => null);
    if (stats?.mtimeMs === check.modifiedMs) damaged.push(file);
    else known.delete(toCheckKey(file));
  }
  return damaged;
}

async function startChecks(
  dir: string,
  checksums: Checksums,
  files: readonly string[],
  toCheckKey: (file: string) => string,
): Promise<void> {
  const sizes = await Promise.all(files.map((file) => stat(path.join(dir, file)).catch(() => null)));
  const present = files.flatMap((file, i) => (sizes[i] ? [{ file, stats: sizes[i]! }] : []));
  const isAwaited = present.reduce((sum, { stats }) => sum + stats.size, 0) <= MAX_AWAITED_BYTES;
  // Files are checked one after the other, because the checks share the disk with the queries.
  let previous: Promise<unknown> = Promise.resolve();
  for (const { file, stats } of present) {
    const check: ChecksumCheck = { isDamaged: null, modifiedMs: stats.mtimeMs, isAwaited, done: Promise.resolve() };
    check.done = previous.then(async () => {
      // A file that is replaced or removed during the check is checked the next time it is needed.
      const found = await computeFileChecksum(path.join(dir, file)).catch(() => null);
      check.isDamaged = found !== null && found !== checksums[file];
      if (found === null) getChecks().delete(toCheckKey(file));
      if (check.isDamaged) await reportDamage(dir, file);
    });
    previous = check.done;
    getChecks().set(toCheckKey(file), check);
  }
  for (const key of getChecks().keys()) {
    if (getChecks().size <= MAX_KNOWN) break;
    getChecks().delete(key);
  }
}

/**
 * Logs the damage. If an object store holds the snapshot too, the damaged copy is deleted, so that the file is
 * downloaded again.
 */
export async function reportDamage(dir: string, file: string): Promise<void> {
  const comesAgain = await mayComeFromStore(dir);
  log().error({ dir, file, comesAgain }, 'snapshot.damaged');
  if (comesAgain) await rm(path.join(dir, file), { force: true });
}
