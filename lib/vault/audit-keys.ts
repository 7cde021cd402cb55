import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { config } from '@/lib/config';
import { commitFile } from '@/lib/files/durable';
import { vaultKeysOf } from './vault-key';

/**
 * Of a key that was forgotten one sub-key stays, in this file: what it signed in the audit log can still be checked,
 * what it sealed cannot be opened with it. It signs nothing that counts any more: the chain goes on under another key.
 */
export const AUDIT_KEYS_FILE = 'audit-keys';
export const auditKeysPath = (): string => join(config.dataDir, AUDIT_KEYS_FILE);

/** kid → sub-key, of forgotten keys. */
export function forgottenAuditKeys(): Map<string, Buffer> {
  let text = '';
  try {
    text = readFileSync(/* turbopackIgnore: true */ auditKeysPath(), 'utf8');
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

/** What checks the rows that were signed under `kid`; null: nobody here can. */
export const auditKeyOf = (kid: string): Buffer | null =>
  vaultKeysOf(kid)?.subKey('audit') ?? forgottenAuditKeys().get(kid) ?? null;

/** Before the key itself goes; the same key twice is one line. */
export async function keepAuditKey(kid: string, key: Buffer): Promise<void> {
  const all = forgottenAuditKeys().set(kid, key);
  const text = [...all].map(([id, one]) => `${id} ${one.toString('base64url')}\n`).join('');
  const draft = `${auditKeysPath()}.${process.pid}`;
  await writeFile(draft, text, { mode: 0o600, flush: true });
  await commitFile(draft, auditKeysPath());
}
