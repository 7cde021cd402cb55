import { lastAudit } from '@/lib/store/audit';
import { storeNow } from '@/lib/store/jobs';
import { type Tx, transaction } from '@/lib/store/open-store';
import { getSetting, setSetting } from '@/lib/store/settings/settings';

/** Up to which row everything was written out; and which of several processes writes, until when. */
const MARK = 'audit_output';
const WRITER = 'audit_output_writer';
const TURN_MS = 15_000;

export const auditWrittenUpTo = async (tx?: Tx): Promise<number> => Number((await getSetting(MARK, tx)) ?? 0);

export const markAuditWritten = (seq: number): Promise<void> =>
  transaction(async (tx) => {
    // A process that was asleep must not move it back.
    if (seq > (await auditWrittenUpTo(tx))) await setSetting(MARK, String(seq), tx);
  });

/** Whether it is this process's turn: of several that share a database one writes, until it is silent for a while. */
export async function takeAuditTurn(owner: string): Promise<boolean> {
  const now = await storeNow();
  return transaction(async (tx) => {
    const [other = '', until = '0'] = (await getSetting(WRITER, tx))?.split('|') ?? [];
    if (other !== owner && Number(until) > now) return false;
    // Written again only when half of it is over: a write each second would be a sync each second.
    if (other !== owner || Number(until) - now < TURN_MS / 2) await setSetting(WRITER, `${owner}|${now + TURN_MS}`, tx);
    return true;
  });
}

export const leaveAuditTurn = (owner: string): Promise<void> =>
  transaction(async (tx) => {
    if ((await getSetting(WRITER, tx))?.startsWith(`${owner}|`)) await setSetting(WRITER, '|0', tx);
  });

/** Rows that are still to be written. */
export async function auditBehind(): Promise<number> {
  return Math.max(0, ((await lastAudit())?.seq ?? 0) - (await auditWrittenUpTo()));
}
