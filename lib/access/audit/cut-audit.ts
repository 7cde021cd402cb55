import { getVaultKeys } from '@/lib/access/vault/vault-key';
import type { Actor } from '@/lib/model/actor';
import { AppError } from '@/lib/model/errors';
import { deleteAuditRowsUpTo, listAuditRowsAfter } from '@/lib/store/audit';
import { runTransaction } from '@/lib/store/open-store';
import { getSetting, setSetting } from '@/lib/store/settings/settings';
import { CHECKPOINT_SETTING, CUT_SETTING, findChainStart, signCheckpoint } from './chain';
import { readLostKeys } from './lost-keys';
import { recordAudit } from './record';
import { type AuditProblem, ChainWalk } from './verify-audit';

/** Number of rows per transaction. */
const BATCH = 2_000;

/**
 * Removes rows older than `before` (epoch ms), the oldest first, and none after number `upTo`. Rows are verified before
 * they are removed. A signed checkpoint keeps the hash of the last removed row, which the chain continues, and the
 * removal itself is recorded. Rows that fail the check stay, because they are evidence; then it throws `conflict`.
 * Returns the number of removed rows.
 */
export async function cutAudit(
  actor: Actor,
  { before, upTo = Number.MAX_SAFE_INTEGER, batch = BATCH }: { before: number; upTo?: number; batch?: number },
): Promise<number> {
  let removed = 0;
  for (;;) {
    const done = await runTransaction(async (tx) => {
      const begin = findChainStart(await getSetting(CHECKPOINT_SETTING, tx));
      if (begin === null) throw createCorruptError(1, 'checkpoint');
      const walk = new ChainWalk(begin.seq, begin.prev, await readLostKeys(tx));
      let lastAt = 0;
      for (const row of await listAuditRowsAfter(begin.seq, batch, tx)) {
        if (row.at >= before || row.seq > upTo) break;
        const problem = walk.next(row);
        if (problem) throw createCorruptError(problem.seq, problem.problem);
        lastAt = row.at;
      }
      const rows = walk.seq - begin.seq;
      if (rows === 0) return 0;
      const text = signCheckpoint(walk.seq, walk.prev, getVaultKeys().kid);
      if (text === null) throw new Error('The vault key is not in its key ring.');
      await setSetting(CHECKPOINT_SETTING, text, tx);
      await setSetting(CUT_SETTING, String(walk.seq), tx);
      // Recorded before the rows are deleted: if all rows were deleted first, the numbers would start from 1 again.
      const details = { rows, upTo: walk.seq, lastAt, hash: walk.prev };
      await recordAudit(tx, { actor, action: 'audit.cut', subject: String(walk.seq), details });
      await deleteAuditRowsUpTo(walk.seq, tx);
      return rows;
    });
    removed += done;
    if (done < batch) return removed;
  }
}

const createCorruptError = (seq: number, problem: AuditProblem) =>
  new AppError(
    'conflict',
    `The audit log is corrupt at row ${seq} (${problem}), so nothing of it is removed. See colonnade audit verify.`,
    { seq, problem },
  );
