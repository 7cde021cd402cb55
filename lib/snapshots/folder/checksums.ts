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

/** CRC-32 of some bytes as eight hex digits. `before` is the CRC-32 of the bytes that precede them. */
export const computeChecksum = (bytes: Uint8Array, before = 0): string => toHexDigits(crc32(bytes, before));
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
 * When the unchecked files are larger than this together, they are checked while queries are answered, so that no query
 * waits for the check.
 */
const MAX_AWAITED_BYTES = 32 * 1024 ** 2;
/** Results kept in memory. When there are more, the oldest are dropped and those files are read again. */
const MAX_KNOWN = 20_000;

interface ChecksumCheck {
  /** null: the check has not ended. */
  isDamaged: boolean | null;
  /** Modification time of the file when its check began. A file that was restored from a backup has another one. */
  modifiedMs: number;
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
  await startCheck(
    dir,
    checksums,
    checked.filter((file) => !known.has(toCheckKey(file))),
    toCheckKey,
  );
  const damaged: string[] = [];
  for (const file of checked) {
    const look = known.get(toCheckKey(file));
    if (look?.isAwaited) await look.done;
    if (look?.isDamaged !== true) continue;
    const now = await stat(path.join(dir, file)).catch(() => null);
    if (now?.mtimeMs === look.modifiedMs) damaged.push(file);
    else known.delete(toCheckKey(file));
  }
  return damaged;
}

async function startCheck(
  dir: string,
  checksums: Checksums,
  files: readonly string[],
  keyOf: (file: string) => string,
): Promise<void> {
  const sizes = await Promise.all(files.map((file) => stat(path.join(dir, file)).catch(() => null)));
  const here = files.flatMap((file, i) => (sizes[i] ? [{ file, stats: sizes[i]! }] : []));
  const isAwaited = here.reduce((sum, { stats }) => sum + stats.size, 0) <= MAX_AWAITED_BYTES;
  // Files are checked one after the other, because the checks share the disk with the queries.
  let before: Promise<unknown> = Promise.resolve();
  for (const { file, stats } of here) {
    const look: ChecksumCheck = { isDamaged: null, modifiedMs: stats.mtimeMs, isAwaited, done: Promise.resolve() };
    look.done = before.then(async () => {
      // A file that is replaced or removed during the check is checked the next time it is needed.
      const found = await computeFileChecksum(path.join(dir, file)).catch(() => null);
      look.isDamaged = found !== null && found !== checksums[file];
      if (found === null) getChecks().delete(keyOf(file));
      if (look.isDamaged) await reportDamage(dir, file);
    });
    before = look.done;
    getChecks().set(keyOf(file), look);
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
