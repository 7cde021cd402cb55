import { vaultKeys, vaultKeysOf } from '@/lib/access/vault/vault-key';
import { type Actor, ENGINE } from '@/lib/model/actor';
import type { AuditRow } from '@/lib/model/audit';
import { AppError } from '@/lib/model/errors';
import { insertAudit, lastAudit, type StoredAuditRow } from '@/lib/store/audit';
import type { Tx } from '@/lib/store/open-store';
import { setSetting } from '@/lib/store/settings/settings';
import {
  CHAIN_START,
  HEAD_SETTING,
  headCode,
  KEY_CHANGED,
  KEY_LOST,
  kidOfHash,
  type LinkFields,
  linkHash,
} from './chain';
import { noteFormerKey, refuseFormerKey } from './former-keys';

export interface AuditEntry {
  actor: Actor;
  /** Noun and verb, such as `instance.register`. */
  action: string;
  /** The object of the action: an id or a name. */
  subject: string;
  instanceId?: string | null;
  outcome?: AuditRow['outcome'];
  /** Must not contain a secret. */
  details?: Record<string, unknown>;
  /** Number of the row that announced the attempt; both rows are one action. */
  intent?: number;
}

/** Text that every store keeps unchanged. The hash covers the written text and is compared with what is read. */
const storable = (text: string) => Buffer.from(text).toString().replaceAll('\0', '\uFFFD');

const SECRET_NAME = /password|secret|token|tlskey|authorization/i;
const MAX_ADDRESS = 64;

/** The last safeguard: the value of a field that is named like a secret is always blanked. */
const blanked = (details: Record<string, unknown>) =>
  JSON.stringify(details, (name, value) => (SECRET_NAME.test(name) && typeof value === 'string' ? '***' : value));

const sessionOf = ({ sessionId, tokenId }: Actor) => (tokenId ? `token ${tokenId}` : (sessionId ?? null));

/**
 * Appends a row in the transaction of the action, so that no action is committed without its row. Returns its number.
 */
export async function recordAudit(tx: Tx, entry: AuditEntry): Promise<number> {
  const last = await lastAudit(tx);
  return append(tx, entry, (await afterKeyChange(tx, last, entry)) ?? last);
}

async function append(tx: Tx, entry: AuditEntry, last: StoredAuditRow | null): Promise<number> {
  const { kid, subKey } = vaultKeys();
  const { actor } = entry;
  const claimed = entry.details?.address;
  // A person who signs in has no session yet, so the address comes from the details.
  const address = actor.address ?? (typeof claimed === 'string' ? claimed : undefined);
  const seq = (last?.seq ?? 0) + 1;
  const row: LinkFields = {
    at: Date.now(),
    actor_id: storable(actor.id),
    actor_name: storable(actor.name),
    via: actor.via,
    action: entry.action,
    subject: storable(entry.subject),
    instance_id: entry.instanceId ?? null,
    outcome: entry.outcome ?? 'done',
    details: blanked({ ...entry.details, ...(actor.tokenId && { by: `api token ${actor.tokenId}` }) }),
    prev: last?.hash ?? CHAIN_START,
    role: actor.role,
    address: address === undefined ? null : storable(address).slice(0, MAX_ADDRESS),
    session: sessionOf(actor),
    intent: entry.intent ?? null,
  };
  const hash = linkHash(seq, row, { kid, key: subKey('audit') });
  await insertAudit({ ...row, seq, hash }, tx);
  await setSetting(HEAD_SETTING, headCode(seq, hash) ?? '', tx);
  return seq;
}

/**
 * Before the first row under another key, appends a row that says so, which continues the chain. If the former key is
 * not available, it throws `vault_key` (except for `keys.lost`, which gives the key up): the key file was exchanged, or
 * a command has another environment than the server.
 */
async function afterKeyChange(
  tx: Tx,
  last: StoredAuditRow | null,
  { action }: AuditEntry,
): Promise<StoredAuditRow | null> {
  const { kid } = vaultKeys();
  const before = last && kidOfHash(last.hash);
  if (before === null || before === kid) return null;
  const isHere = vaultKeysOf(before) !== null;
  if (!isHere && action !== KEY_LOST)
    throw new AppError(
      'vault_key',
      `This database was last written with the key ${before}, which is not here. Restore the vault.key that was there, or set COLONNADE_KEY as before. Nothing is written under another key.`,
      { sealedWith: before, key: kid },
    );
  await refuseFormerKey(tx);
  await noteFormerKey(before, tx);
  // Rows signed by a lost key cannot be checked, and `verifyAudit` reports them.
  if (!isHere) return null;
  await append(tx, { actor: ENGINE, action: KEY_CHANGED, subject: kid, details: { before } }, last);
  return lastAudit(tx);
}
