import type { Actor } from '@/lib/model/actor';
import type { AuditRow } from '@/lib/model/reports/fleet';
import { insertAudit, lastAudit } from '@/lib/store/audit';
import type { Tx } from '@/lib/store/open-store';
import { setSetting } from '@/lib/store/settings';
import { CHAIN_START, HEAD_SETTING, headCode, type LinkFields, linkHash } from './chain';

export interface AuditEntry {
  actor: Actor;
  /** Noun and verb: `instance.register`. */
  action: string;
  /** What it was done to: an id or a name. */
  subject: string;
  instanceId?: string | null;
  outcome?: AuditRow['outcome'];
  /** Never a secret. */
  details?: Record<string, unknown>;
}

/** What every store keeps as it is: the hash is of what was written, and is compared with what is read. */
const storable = (text: string) => Buffer.from(text).toString().replaceAll('\0', '\uFFFD');

const SECRET_NAME = /password|secret|token|tlskey|authorization/i;

/** The last net, not the first: a field named like a secret is blanked whatever the caller meant. */
const blanked = (details: Record<string, unknown>) =>
  JSON.stringify(details, (name, value) => (SECRET_NAME.test(name) && typeof value === 'string' ? '***' : value));

/** Appends a row in the transaction of the act: no row, no act. */
export async function recordAudit(tx: Tx, entry: AuditEntry): Promise<void> {
  const last = await lastAudit(tx);
  const seq = (last?.seq ?? 0) + 1;
  const row: LinkFields = {
    at: Date.now(),
    actor_id: storable(entry.actor.id),
    actor_name: storable(entry.actor.name),
    via: entry.actor.via,
    action: entry.action,
    subject: storable(entry.subject),
    instance_id: entry.instanceId ?? null,
    outcome: entry.outcome ?? 'done',
    details: blanked({ ...entry.details, ...(entry.actor.tokenId && { by: `api token ${entry.actor.tokenId}` }) }),
    prev: last?.hash ?? CHAIN_START,
  };
  const hash = linkHash(seq, row);
  await insertAudit({ ...row, seq, hash }, tx);
  await setSetting(HEAD_SETTING, headCode(seq, hash), tx);
}
