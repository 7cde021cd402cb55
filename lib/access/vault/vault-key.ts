/**
 * The master keys are COLONNADE_KEY and COLONNADE_KEY_OLD, or those of the key file. The first seals; each still opens
 * what it sealed. Every use has its own sub-key; the key id at the start of each sealed text names the key that opens
 * it. A replaced key file counts from the next use on, in every process that shares it.
 */

import { createHash, hkdfSync } from 'node:crypto';
import { AppError } from '@/lib/model/errors';
import { config } from '@/lib/runtime/config';
import { getProcessWide } from '@/lib/runtime/process-wide';
import { isKeyText, readKeyFile, readKeyFileStamp } from './key-file';

/** Keys that look like examples are rejected. */
const EXAMPLES = /change.?me|example|password|secret|colonnade|your.?key|12345678|abcdefgh/i;

function readEnvironmentKey(text: string): Buffer {
  const refuse = (why: string) =>
    new AppError('vault_key', `COLONNADE_KEY ${why} Make one with: openssl rand -base64 32`, { why });
  if (text.length < 32) throw refuse('is shorter than 32 characters.');
  if (EXAMPLES.test(text)) throw refuse('looks like an example.');
  if (new Set(text).size < 10) throw refuse('repeats few characters.');
  return Buffer.from(text, 'utf8');
}

const decodeKeyText = (text: string) => Buffer.from(text, 'base64url');

/** A former key may come from the environment or from a line of a key file, so both are tried. */
const parseFormerKey = (text: string): Buffer[] => [
  Buffer.from(text, 'utf8'),
  ...(isKeyText(text) ? [decodeKeyText(text)] : []),
];

const SALT = 'colonnade vault 1';
const derive = (master: Buffer, purpose: string) => Buffer.from(hkdfSync('sha256', master, SALT, purpose, 32));

interface VaultKeys {
  /** 8 hex characters that identify the master key and reveal nothing about it. */
  kid: string;
  /** Derives a key for one purpose: 'secrets', 'audit', … */
  subKey(purpose: string): Buffer;
}

const deriveKeys = (master: Buffer): VaultKeys => ({
  kid: createHash('sha256').update(derive(master, 'kid')).digest('hex').slice(0, 8),
  subKey: (purpose) => derive(master, purpose),
});

/** The key id of a line of a key file. */
export const computeKeyTextKid = (text: string): string => deriveKeys(decodeKeyText(text)).kid;

interface Cached {
  from: string;
  /** The folder whose key file was read; null = the keys come from the environment. */
  dataDir: string | null;
  ring: readonly [VaultKeys, ...VaultKeys[]];
}
/**
 * The cache is shared by the process: a copy of this module that is loaded later would otherwise create a missing key
 * file again.
 */
const getCache = () => getProcessWide('vault-keys', () => ({ cached: null as Cached | null }));

/** Returns all keys; the first one seals. Errors: `vault_key` and those of the key file. */
export function getVaultRing(): readonly [VaultKeys, ...VaultKeys[]] {
  const environment = config.key?.reveal() ?? null;
  const former = config.formerKeys.map((key) => key.reveal());
  const stamp = environment === null ? readKeyFileStamp() : null;
  // A file that disappeared is not created again: texts sealed with another key could not be opened once the file is
  // restored.
  const { cached } = getCache();
  if (stamp === '' && cached?.dataDir === config.dataDir) return cached.ring;
  // The cache depends on the source: tests and tools change the data folder within one process, and a rotation changes
  // the file.
  const source = JSON.stringify([environment, former, config.dataDir, stamp]);
  const from = createHash('sha256').update(source).digest('hex');
  if (cached?.from === from) return cached.ring;
  const masters =
    environment === null
      ? readKeyFile().map(decodeKeyText)
      : [readEnvironmentKey(environment), ...former.flatMap(parseFormerKey)];
  const [first, ...others] = masters.map(deriveKeys);
  if (!first) throw new AppError('vault_key', 'There is no key.');
  const ring = [first, ...others] as const;
  // The stamp was read before the file was created; in that case the file is read once more at the next call.
  getCache().cached = { from, dataDir: environment === null ? config.dataDir : null, ring };
  return ring;
}

/** Returns the keys that seal. */
export const getVaultKeys = (): VaultKeys => getVaultRing()[0];

/** Whether this process has a key; the check creates none. */
export const hasVaultKey = (): boolean => config.key !== null || readKeyFileStamp() !== '';

/** Returns the keys with this id; null = this process does not have them. */
export const findVaultKeys = (kid: string): VaultKeys | null => getVaultRing().find((keys) => keys.kid === kid) ?? null;

/** Clears the cache, for a key that is given up, and for tests, which swap key files under one path. */
export const forgetVaultKeys = (): void => {
  getCache().cached = null;
};
