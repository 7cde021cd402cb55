import { auditRowsAfter } from '@/lib/store/audit';
import type { Tx } from '@/lib/store/open-store';
import { getSetting } from '@/lib/store/settings';
import { vaultKeys } from '@/lib/vault/vault-key';
import { CHAIN_START, HEAD_SETTING, headCode, linkHash } from './chain';

export interface AuditVerdict {
  ok: boolean;
  rows: number;
  /** The first row that does not hold, and why; null when all hold. */
  firstBad: { seq: number; problem: 'missing' | 'changed' | 'other_key' | 'cut' } | null;
}

/** Walks the whole chain in pages; memory stays flat. */
export async function verifyAudit(tx?: Tx): Promise<AuditVerdict> {
  let seq = 0;
  let prev = CHAIN_START;
  const bad = (at: number, problem: 'missing' | 'changed' | 'other_key' | 'cut'): AuditVerdict => ({
    ok: false,
    rows: seq,
    firstBad: { seq: at, problem },
  });
  for (;;) {
    const rows = await auditRowsAfter(seq, 1000, tx);
    for (const row of rows) {
      if (row.seq !== seq + 1) return bad(seq + 1, 'missing');
      if (!row.hash.startsWith(`${vaultKeys().kid}:`)) return bad(row.seq, 'other_key');
      if (row.prev !== prev || row.hash !== linkHash(row.seq, row)) return bad(row.seq, 'changed');
      seq = row.seq;
      prev = row.hash;
    }
    if (rows.length === 0) break;
  }
  const head = await getSetting(HEAD_SETTING, tx);
  if (seq === 0 && head === null) return { ok: true, rows: 0, firstBad: null };
  if (head !== headCode(seq, prev)) return bad(seq + 1, 'cut');
  return { ok: true, rows: seq, firstBad: null };
}
