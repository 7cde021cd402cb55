import { createHmac } from 'node:crypto';
import type { StoredAuditRow } from '@/lib/store/audit';
import { vaultKeys } from '@/lib/vault/vault-key';

/**
 * Each row carries an HMAC over itself and the one before, with a key that does not lie in the database. Who edits,
 * removes or reorders rows there breaks the chain; who cuts its end contradicts the head, which is kept apart with a
 * code of its own. Not found: putting back an older copy of the whole database.
 */
export const HEAD_SETTING = 'audit_head';
export const CHAIN_START = 'start';

export type LinkFields = Omit<StoredAuditRow, 'seq' | 'hash'>;

export function linkHash(seq: number, row: LinkFields): string {
  const { kid, subKey } = vaultKeys();
  const fields = [seq, row.at, row.actor_id, row.actor_name, row.via, row.action, row.subject, row.instance_id];
  const text = JSON.stringify([...fields, row.outcome, row.details, row.prev]);
  return `${kid}:${createHmac('sha256', subKey('audit')).update(text).digest('hex')}`;
}

export function headCode(seq: number, hash: string): string {
  const mac = createHmac('sha256', vaultKeys().subKey('audit-head')).update(`${seq}|${hash}`).digest('hex');
  return `${seq}|${mac}`;
}
