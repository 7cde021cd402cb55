import { createHash, hkdfSync } from 'node:crypto';
import { config } from '@/lib/config';
import { AppError } from '@/lib/model/errors';
import { processWide } from '@/lib/process-wide';
import { isKeyText, keyFileStamp, readKeyFile } from './key-file';

/**
 * The master keys: COLONNADE_KEY and COLONNADE_KEY_OLD, or the key file. The first seals, each still opens what it
 * sealed. Every use has its own sub-key; the key id in front of each sealed text tells which key opens it. A key file
 * that was replaced counts from the next use on, in every process that shares it.
 */
const EXAMPLES = /change.?me|example|password|secret|colonnade|your.?key|12345678|abcdefgh/i;

function keyFromEnvironment(text: string): Buffer {
  const refuse = (why: string) =>
    new AppError('vault_key', `COLONNADE_KEY ${why} Make one with: openssl rand -base64 32`, { why });
  if (text.length < 32) throw refuse('is shorter than 32 characters.');
  if (EXAMPLES.test(text)) throw refuse('looks like an example.');
  if (new Set(text).size < 10) throw refuse('repeats few characters.');
  return Buffer.from(text, 'utf8');
}

const fromFile = (text: string) => Buffer.from(text, 'base64url');

/** A former key may be one that was in the environment, or a line of a key file: both are tried. */
const formerKeys = (text: string): Buffer[] => [
  Buffer.from(text, 'utf8'),
  ...(isKeyText(text) ? [fromFile(text)] : []),
];

const SALT = 'colonnade vault 1';
const derive = (master: Buffer, purpose: string) => Buffer.from(hkdfSync('sha256', master, SALT, purpose, 32));

export interface VaultKeys {
  /** 8 hex characters that name the master key and tell nothing about it. */
  kid: string;
  /** A key for one purpose: 'secrets', 'audit', … */
  subKey(purpose: string): Buffer;
}

const keysOf = (master: Buffer): VaultKeys => ({
  kid: createHash('sha256').update(derive(master, 'kid')).digest('hex').slice(0, 8),
  subKey: (purpose) => derive(master, purpose),
});

/** Of a line of a key file. */
export const kidOfKeyText = (text: string): string => keysOf(fromFile(text)).kid;

interface Cached {
  from: string;
  /** The folder whose key file was read; null: the keys are of the environment. */
  fileOf: string | null;
  ring: readonly [VaultKeys, ...VaultKeys[]];
}
/** Of the process: a copy of this module that comes late would make the file that has gone. */
const kept = () => processWide('vault-keys', () => ({ cached: null as Cached | null }));

/** All keys, the one that seals first. */
export function vaultRing(): readonly [VaultKeys, ...VaultKeys[]] {
  const environment = config.key?.reveal() ?? null;
  const former = config.formerKeys.map((key) => key.reveal());
  const stamp = environment === null ? keyFileStamp() : null;
  // A file that has gone is not made anew: what is sealed with another key would stay shut once it is back.
  const { cached } = kept();
  if (stamp === '' && cached?.fileOf === config.dataDir) return cached.ring;
  // Kept per source: tests and tools change the data folder within one process, a rotation changes the file.
  const source = JSON.stringify([environment, former, config.dataDir, stamp]);
  const from = createHash('sha256').update(source).digest('hex');
  if (cached?.from === from) return cached.ring;
  const masters =
    environment === null
      ? readKeyFile().map(fromFile)
      : [keyFromEnvironment(environment), ...former.flatMap(formerKeys)];
  const [first, ...others] = masters.map(keysOf);
  if (!first) throw new AppError('vault_key', 'There is no key.');
  const ring = [first, ...others] as const;
  // A file that was made just now has another stamp: it is read once more.
  kept().cached = { from, fileOf: environment === null ? config.dataDir : null, ring };
  return ring;
}

/** The one that seals. */
export const vaultKeys = (): VaultKeys => vaultRing()[0];

/** null: this process does not have it. */
export const vaultKeysOf = (kid: string): VaultKeys | null => vaultRing().find((keys) => keys.kid === kid) ?? null;

/** For a key that is given up, and for tests, which swap key files under one path. */
export const forgetVaultKeys = (): void => {
  kept().cached = null;
};
