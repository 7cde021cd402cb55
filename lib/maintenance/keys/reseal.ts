import { refuseFormerKey } from '@/lib/access/audit/former-keys';
import { seal, unseal } from '@/lib/access/vault/seal';
import { getVaultKeys } from '@/lib/access/vault/vault-key';
import { log } from '@/lib/runtime/log';
import { toFieldName } from '@/lib/store/columns';
import { runTransaction } from '@/lib/store/open-store';
import { listSealedByOthers, replaceSealed } from '@/lib/store/sealed-texts';

const BATCH = 100;

/**
 * Seals texts of other keys again with the current key, in small transactions: after an interruption the next call
 * continues. A text that cannot be opened (its key is not here, or it is damaged) stays as it is and is counted in
 * `left`.
 */
export async function reseal(): Promise<{ done: number; left: number }> {
  const skip = new Set<string>();
  let done = 0;
  for (;;) {
    const { kid } = getVaultKeys();
    const found = await runTransaction(async (tx) => {
      await refuseFormerKey(tx);
      const texts = await listSealedByOthers(kid, { limit: BATCH, skip }, tx);
      for (const one of texts) {
        const place = { table: one.table, id: one.id, field: toFieldName(one.column) };
        let text: string;
        try {
          text = unseal(one.text, place);
        } catch {
          skip.add(`${one.table} ${one.column} ${one.id}`);
          continue;
        }
        await replaceSealed(one, seal(text, place), tx);
        done += 1;
      }
      return texts.length;
    });
    if (found === 0) return { done, left: skip.size };
  }
}

/** Finishes at the start of a server what an interrupted rotation has left. */
export function resealSoon(): void {
  reseal().then(
    ({ done, left }) => {
      if (done > 0) log().info({ done, left }, 'keys.resealed');
    },
    (error) => log().warn({ err: error }, 'keys.reseal_failed'),
  );
}
