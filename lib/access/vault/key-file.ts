/**
 * The key file `vault.key`: random keys, one per line. The first seals; the others only open. It is created once,
 * completely or not at all (written to a draft, then linked, which fails if the file exists), and replaced as a whole
 * by a rename.
 *
 * The mark turbopackIgnore is on paths that are known only at run time: otherwise the build would look for the files
 * that they may name, and add them to the server.
 */

import { randomBytes } from 'node:crypto';
import { linkSync, readdirSync, readFileSync, rmSync, statSync, unlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { AppError } from '@/lib/model/errors';
import { config } from '@/lib/runtime/config';
import { commitFileNow, fsyncFolderNow, fsyncNow } from '@/lib/runtime/files/fsync-and-rename';
import { isDiskFull } from '@/lib/runtime/files/is-disk-full';
import { makeFolder } from '@/lib/runtime/files/make-folder';

export const VAULT_KEY_FILE = 'vault.key';
/** 32 bytes as base64url. */
const KEY_TEXT = /^[A-Za-z0-9_-]{43}$/;

export const getKeyFilePath = (): string => join(config.dataDir, VAULT_KEY_FILE);

/** Returns a new random key in the format of the file. */
export const generateKeyText = (): string => randomBytes(32).toString('base64url');

export const isKeyText = (text: string): boolean => KEY_TEXT.test(text);

/** A text that changes whenever the file does; '' = there is no file. */
export function readKeyFileStamp(): string {
  const found = statSync(/* turbopackIgnore: true */ getKeyFilePath(), { bigint: true, throwIfNoEntry: false });
  return found ? `${found.ino}:${found.mtimeNs}:${found.size}:${found.mode}` : '';
}

/**
 * Returns the lines of the key file, which is created if there is none. Errors: `vault_key`, `data_folder`,
 * `disk_full`.
 */
export function readKeyFile(): string[] {
  const file = getKeyFilePath();
  try {
    if (readKeyFileStamp() === '') createKeyFile(file);
    const { mode } = statSync(file);
    if (process.platform !== 'win32' && (mode & 0o077) !== 0)
      throw new AppError('vault_key', `Other users may read ${file}. Restrict it with: chmod 600 ${file}`, {
        file,
      });
    const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
    if (!lines.every(isKeyText))
      throw new AppError('vault_key', `${file} is not a key file. Restore it from a backup.`, { file });
    return lines;
  } catch (error) {
    throw toKeyFileError(error, file, 'read or created');
  }
}

/**
 * Replaces the key file as a whole: after any interruption, every process sees either the old keys or the new ones.
 * Errors: `data_folder`, `disk_full`.
 */
export function replaceKeyFile(lines: readonly string[]): void {
  const file = getKeyFilePath();
  const draft = chooseDraftPath(file);
  try {
    writeDraft(draft, `${lines.join('\n')}\n`);
    try {
      commitFileNow(draft, file);
    } catch (error) {
      rmSync(draft, { force: true });
      throw error;
    }
  } catch (error) {
    throw toKeyFileError(error, file, 'replaced');
  }
}

const DRAFT = /^vault\.key\.\d+\.[0-9a-f]{8}$/;
/** ms. An older draft was left by a process that was killed: a running one keeps it for milliseconds. */
const ABANDONED_DRAFT_MS = 60_000;

/** Deletes drafts of processes that were killed before they linked or renamed them, because drafts hold keys too. */
export function removeKeyDrafts(now = Date.now()): void {
  for (const name of readdirSync(config.dataDir)) {
    const file = join(config.dataDir, name);
    if (DRAFT.test(name) && now - statSync(file).mtimeMs > ABANDONED_DRAFT_MS) unlinkSync(file);
  }
}

function createKeyFile(file: string): void {
  makeFolder(config.dataDir);
  const draft = chooseDraftPath(file);
  writeDraft(draft, `${generateKeyText()}\n`);
  try {
    fsyncNow(draft);
    linkSync(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    unlinkSync(draft);
  }
  // Synced before the key is used: otherwise a power failure could lose the key and keep what was sealed with it.
  fsyncFolderNow(dirname(file));
}

const chooseDraftPath = (file: string): string => `${file}.${process.pid}.${randomBytes(4).toString('hex')}`;

const writeDraft = (draft: string, text: string): void =>
  writeFileSync(/* turbopackIgnore: true */ draft, text, { flag: 'wx', mode: 0o600 });

function toKeyFileError(error: unknown, file: string, attempted: string): AppError {
  if (error instanceof AppError) return error;
  const cause = (error as NodeJS.ErrnoException).code ?? 'unknown';
  return new AppError(
    isDiskFull(error) ? 'disk_full' : 'data_folder',
    `The key file ${file} cannot be ${attempted} (${cause}). Give this user read and write permission for the data folder.`,
    { folder: config.dataDir, cause },
    { cause: error },
  );
}
