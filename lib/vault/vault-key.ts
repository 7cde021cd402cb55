import { createHash, hkdfSync, randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, linkSync, openSync, readFileSync, statSync, unlinkSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { config } from '@/lib/config';
import { isDiskFull } from '@/lib/files/is-disk-full';
import { makeFolder } from '@/lib/files/make-folder';
import { AppError } from '@/lib/model/errors';

/**
 * The master key: COLONNADE_KEY, or a file of random bytes that is made once, whole or not at all (written beside,
 * then linked, which fails when it exists). Every use has its own sub-key; the key id in front of each sealed text
 * tells a wrong key from a damaged text.
 */
export const VAULT_KEY_FILE = 'vault.key';
const KEY_TEXT = /^[A-Za-z0-9_-]{43}$/;
const EXAMPLES = /change.?me|example|password|secret|colonnade|your.?key|12345678|abcdefgh/i;

function keyFromEnvironment(text: string): Buffer {
  const refuse = (why: string) =>
    new AppError('vault_key', `COLONNADE_KEY ${why} Make one with: openssl rand -base64 32`, { why });
  if (text.length < 32) throw refuse('is shorter than 32 characters.');
  if (EXAMPLES.test(text)) throw refuse('looks like an example.');
  if (new Set(text).size < 10) throw refuse('repeats few characters.');
  return Buffer.from(text, 'utf8');
}

function makeKeyFile(file: string): void {
  makeFolder(config.dataDir);
  const draft = `${file}.${process.pid}.${randomBytes(4).toString('hex')}`;
  const handle = openSync(/* turbopackIgnore: true */ draft, 'wx', 0o600);
  try {
    writeSync(handle, `${randomBytes(32).toString('base64url')}\n`);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
  try {
    linkSync(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    unlinkSync(draft);
  }
}

function keyFromFile(): Buffer {
  const file = join(config.dataDir, VAULT_KEY_FILE);
  try {
    if (!statSync(file, { throwIfNoEntry: false })) makeKeyFile(file);
    const { mode } = statSync(file);
    if (process.platform !== 'win32' && (mode & 0o077) !== 0)
      throw new AppError('vault_key', `Others may read ${file}. Take that right away with: chmod 600 ${file}`, {
        file,
      });
    const text = readFileSync(file, 'utf8').trim();
    if (!KEY_TEXT.test(text))
      throw new AppError('vault_key', `${file} is not a key file. Restore it from a backup.`, { file });
    return Buffer.from(text, 'base64url');
  } catch (error) {
    if (error instanceof AppError) throw error;
    const cause = (error as NodeJS.ErrnoException).code ?? 'unknown';
    throw new AppError(
      isDiskFull(error) ? 'disk_full' : 'data_folder',
      `The key file ${file} cannot be read or made (${cause}). Give this user read and write rights to the data folder.`,
      { folder: config.dataDir, cause },
      { cause: error },
    );
  }
}

const SALT = 'colonnade vault 1';
const derive = (master: Buffer, purpose: string) => Buffer.from(hkdfSync('sha256', master, SALT, purpose, 32));

export interface VaultKeys {
  /** 8 hex characters that name the master key and tell nothing about it. */
  kid: string;
  /** A key for one purpose: 'secrets', 'audit', … */
  subKey(purpose: string): Buffer;
}

let cached: { from: string; keys: VaultKeys } | null = null;

export function vaultKeys(): VaultKeys {
  const environment = config.key?.reveal() ?? null;
  // Kept per source: tests and tools change the data folder within one process.
  const from = createHash('sha256')
    .update(`${environment ?? ''}\0${config.dataDir}`)
    .digest('hex');
  if (cached?.from === from) return cached.keys;
  const master = environment === null ? keyFromFile() : keyFromEnvironment(environment);
  const kid = createHash('sha256').update(derive(master, 'kid')).digest('hex').slice(0, 8);
  const keys: VaultKeys = { kid, subKey: (purpose) => derive(master, purpose) };
  cached = { from, keys };
  return keys;
}

/** Tests swap key files under one path. */
export const forgetVaultKeys = (): void => {
  cached = null;
};
