import { createHmac } from 'node:crypto';
import type { StoredAuditRow } from '@/lib/store/audit';
import { vaultKeysOf } from '@/lib/vault/vault-key';

/**
 * Each row carries an HMAC over itself and the one before, with a key that does not lie in the database. Who edits,
 * removes or reorders rows there breaks the chain; who cuts its end contradicts the head, which is kept apart with a
 * code of its own. Not found: putting back an older copy of the whole database.
 */
export const HEAD_SETTING = 'audit_head';
/** Up to which row rows were cut by retention, and the hash that the next one continues; signed as the head is. */
export const CHECKPOINT_SETTING = 'audit_checkpoint';
/** The same number for the trigger, which lets rows go up to it. */
export const CUT_SETTING = 'audit_cut';
export const CHAIN_START = 'start';
/** The first row under another key, and the last place where the key may change. */
export const KEY_CHANGED = 'keys.changed';
/** The former key is given up: the one row that may follow rows of a key that is not here. */
export const KEY_LOST = 'keys.lost';

export type LinkFields = Omit<StoredAuditRow, 'seq' | 'hash'>;

/** The HMAC of a row, with the id of its key in front. */
export function linkHash(seq: number, row: LinkFields, { kid, key }: { kid: string; key: Buffer }): string {
  const fields = [seq, row.at, row.actor_id, row.actor_name, row.via, row.action, row.subject, row.instance_id];
  const who = [row.role, row.address, row.session, row.intent];
  const text = JSON.stringify([...fields, row.outcome, row.details, row.prev, ...who]);
  return `${kid}:${createHmac('sha256', key).update(text).digest('hex')}`;
}

export const kidOfHash = (hash: string): string => hash.slice(0, 8);

/** Of the last row, under the key that signed it; null: that key is not here. */
export const headCode = (seq: number, hash: string): string | null => markOf('audit-head', seq, hash, kidOfHash(hash));

function markOf(purpose: string, seq: number, hash: string, kid: string): string | null {
  const keys = vaultKeysOf(kid);
  if (keys === null) return null;
  const mac = createHmac('sha256', keys.subKey(purpose)).update(`${seq}|${hash}`).digest('hex');
  return `${seq}|${mac}`;
}

/** `kid` signs it: the key of a row that follows, since that of the row itself may have been forgotten. */
export const checkpointText = (seq: number, hash: string, kid: string): string | null => {
  const mark = markOf('audit-checkpoint', seq, hash, kid);
  return mark && `${kid}|${hash}|${mark}`;
};

/** Where the chain begins: at its start, or where retention has cut it. null: a checkpoint that nobody here signed. */
export function chainBegin(checkpoint: string | null): { seq: number; prev: string } | null {
  if (checkpoint === null) return { seq: 0, prev: CHAIN_START };
  const [kid = '', hash = '', seq = ''] = checkpoint.split('|');
  return checkpointText(Number(seq), hash, kid) === checkpoint ? { seq: Number(seq), prev: hash } : null;
}
