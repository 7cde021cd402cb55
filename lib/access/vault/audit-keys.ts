import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { config } from '@/lib/runtime/config';
import { commitFile } from '@/lib/runtime/files/fsync-and-rename';
import { findVaultKeys } from './vault-key';

/**
 * The file with the sub-keys of forgotten keys. With it the audit log rows that such a key signed can still be
 * verified, but what the key sealed cannot be opened. It signs no new rows: the chain continues under another key.
 */
export const AUDIT_KEYS_FILE = 'audit-keys';
const getAuditKeysPath = (): string => join(config.dataDir, AUDIT_KEYS_FILE);

/** Reads the sub-keys of forgotten keys, by key id. */
export function readForgottenAuditKeys(): Map<string, Buffer> {
  let text = '';
  try {
    text = readFileSync(/* turbopackIgnore: true */ getAuditKeysPath(), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  return new Map(
    text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => {
        const [kid = '', key = ''] = line.split(' ');
        return [kid, Buffer.from(key, 'base64url')];
      }),
  );
}

/** Returns the sub-key that verifies the rows signed under `kid`; null = it is unknown here. */
export const findAuditKey = (kid: string): Buffer | null =>
  findVaultKeys(kid)?.subKey('audit') ?? readForgottenAuditKeys().get(kid) ?? null;

/** Saves the sub-key before the key itself is deleted; the same key twice is one line. */
export async function keepAuditKey(kid: string, key: Buffer): Promise<void> {
  const all = readForgottenAuditKeys().set(kid, key);
  const text = [...all].map(([id, one]) => `${id} ${one.toString('base64url')}\n`).join('');
  const draft = `${getAuditKeysPath()}.${process.pid}`;
  await writeFile(draft, text, { mode: 0o600, flush: true });
  await commitFile(draft, getAuditKeysPath());
}
