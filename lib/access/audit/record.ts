import { findVaultKeys, getVaultKeys } from '@/lib/access/vault/vault-key';
import { type Actor, ENGINE } from '@/lib/model/actor';
import type { AuditRow } from '@/lib/model/audit';
import { AppError } from '@/lib/model/errors';
import { getLastAudit, insertAudit, type StoredAuditRow } from '@/lib/store/audit';
import type { Tx } from '@/lib/store/open-store';
import { setSetting } from '@/lib/store/settings/settings';
import {
  CHAIN_START,
  computeLinkHash,
  HEAD_SETTING,
  KEY_CHANGED,
  KEY_LOST,
  type LinkFields,
  parseHashKid,
  signHead,
} from './chain';
import { noteFormerKey, refuseFormerKey } from './former-keys';

interface AuditEntry {
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
const toStorable = (text: string) => Buffer.from(text).toString().replaceAll('\0', '\uFFFD');

const SECRET_NAME = /password|secret|token|tlskey|authorization/i;
/** Characters. */
const MAX_ADDRESS = 64;

/** The last safeguard: the value of a field that is named like a secret is always blanked. */
const blankSecrets = (details: Record<string, unknown>) =>
  JSON.stringify(details, (name, value) => (SECRET_NAME.test(name) && typeof value === 'string' ? '***' : value));

const formatSession = ({ sessionId, tokenId }: Actor) => (tokenId ? `token ${tokenId}` : (sessionId ?? null));

/**
 * Appends a row in the transaction of the action, so that no action is committed without its row. Returns its number.
 */
export async function recordAudit(tx: Tx, entry: AuditEntry): Promise<number> {
  const last = await getLastAudit(tx);
  return append(tx, entry, (await appendKeyChange(tx, last, entry)) ?? last);
}

async function append(tx: Tx, entry: AuditEntry, last: StoredAuditRow | null): Promise<number> {
  const { kid, subKey } = getVaultKeys();
  const { actor } = entry;
  const inDetails = entry.details?.address;
  // The actor of a sign-in has no address, so it comes from the details.
  const address = actor.address ?? (typeof inDetails === 'string' ? inDetails : undefined);
  const seq = (last?.seq ?? 0) + 1;
  const row: LinkFields = {
    at: Date.now(),
    actor_id: toStorable(actor.id),
    actor_name: toStorable(actor.name),
    via: actor.via,
    action: entry.action,
    subject: toStorable(entry.subject),
    instance_id: entry.instanceId ?? null,
    outcome: entry.outcome ?? 'done',
    details: blankSecrets({ ...entry.details, ...(actor.tokenId && { by: `api token ${actor.tokenId}` }) }),
    prev: last?.hash ?? CHAIN_START,
    role: actor.role,
    address: address === undefined ? null : toStorable(address).slice(0, MAX_ADDRESS),
    session: formatSession(actor),
    intent: entry.intent ?? null,
  };
  const hash = computeLinkHash(seq, row, { kid, key: subKey('audit') });
  await insertAudit({ ...row, seq, hash }, tx);
  await setSetting(HEAD_SETTING, signHead(seq, hash) ?? '', tx);
  return seq;
}

/**
 * Before the first row under another key, appends a row that says so, which continues the chain. If the former key is
 * not available, it throws `vault_key` (except for `keys.lost`, which gives the key up): the key file was exchanged, or
 * a command has another environment than the server.
 */
async function appendKeyChange(
  tx: Tx,
  last: StoredAuditRow | null,
  { action }: AuditEntry,
): Promise<StoredAuditRow | null> {
  const { kid } = getVaultKeys();
  const before = last && parseHashKid(last.hash);
  if (before === null || before === kid) return null;
  const isHere = findVaultKeys(before) !== null;
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
  return getLastAudit(tx);
}
