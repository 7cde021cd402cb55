/**
 * Each row has an HMAC over itself and the row before, with a key that is not in the database. Editing, removing or
 * reordering rows in the database breaks the chain. Cutting its end contradicts the head, a setting with its own HMAC.
 * Replacing the whole database by an older copy is not detected.
 */

import { createHmac } from 'node:crypto';
import { findVaultKeys } from '@/lib/access/vault/vault-key';
import type { StoredAuditRow } from '@/lib/store/audit';

export const HEAD_SETTING = 'audit_head';
/** Number of the last row that retention removed, and the hash that the next row continues; signed like the head. */
export const CHECKPOINT_SETTING = 'audit_checkpoint';
/** The same number for the trigger, which allows rows up to it to be deleted. */
export const CUT_SETTING = 'audit_cut';
export const CHAIN_START = 'start';
/** Action of the first row under another key. Only at such a row may the key change. */
export const KEY_CHANGED = 'keys.changed';
/** Action of the row that gives up the former key. Only this row may follow rows of a key that is not available. */
export const KEY_LOST = 'keys.lost';

export type LinkFields = Omit<StoredAuditRow, 'seq' | 'hash'>;

/** HMAC of a row, with the id of its key before it. */
export function computeLinkHash(seq: number, row: LinkFields, { kid, key }: { kid: string; key: Buffer }): string {
  const fields = [seq, row.at, row.actor_id, row.actor_name, row.via, row.action, row.subject, row.instance_id];
  const who = [row.role, row.address, row.session, row.intent];
  const text = JSON.stringify([...fields, row.outcome, row.details, row.prev, ...who]);
  return `${kid}:${createHmac('sha256', key).update(text).digest('hex')}`;
}

export const parseHashKid = (hash: string): string => hash.slice(0, 8);

/** Signed mark of the last row, with the key that signed that row; null = that key is not available. */
export const signHead = (seq: number, hash: string): string | null =>
  signMark('audit-head', seq, hash, parseHashKid(hash));

function signMark(purpose: string, seq: number, hash: string, kid: string): string | null {
  const keys = findVaultKeys(kid);
  if (keys === null) return null;
  const mac = createHmac('sha256', keys.subKey(purpose)).update(`${seq}|${hash}`).digest('hex');
  return `${seq}|${mac}`;
}

/**
 * `kid` is the key that signs the checkpoint: that of a row that follows, because the key of the last removed row may
 * be gone. null = that key is not available.
 */
export const signCheckpoint = (seq: number, hash: string, kid: string): string | null => {
  const mark = signMark('audit-checkpoint', seq, hash, kid);
  return mark && `${kid}|${hash}|${mark}`;
};

/**
 * Where the chain begins: at its start, or where retention cut it. null = the signature of the checkpoint is not by an
 * available key.
 */
export function findChainStart(checkpoint: string | null): { seq: number; prev: string } | null {
  if (checkpoint === null) return { seq: 0, prev: CHAIN_START };
  const [kid = '', hash = '', seq = ''] = checkpoint.split('|');
  return signCheckpoint(Number(seq), hash, kid) === checkpoint ? { seq: Number(seq), prev: hash } : null;
}
