import { refuseFormerKey } from '@/lib/audit/former-keys';
import { log } from '@/lib/log';
import { transaction } from '@/lib/store/open-store';
import { replaceSealed, sealedByOthers } from '@/lib/store/sealed-texts';
import { open, seal } from '@/lib/vault/seal';
import { vaultKeys } from '@/lib/vault/vault-key';

const BATCH = 100;

const fieldOf = (column: string) => column.replace(/_([a-z])/g, (_all, letter: string) => letter.toUpperCase());

/**
 * Seals what other keys have sealed with the one that seals now, in small transactions: killed at any moment, the next
 * call goes on. What does not open (a key that is not here, a damaged text) stays as it is and is counted.
 */
export async function reseal(): Promise<{ done: number; left: number }> {
  const skip = new Set<string>();
  let done = 0;
  for (;;) {
    const { kid } = vaultKeys();
    const found = await transaction(async (tx) => {
      await refuseFormerKey(tx);
      const texts = await sealedByOthers(kid, { limit: BATCH, skip }, tx);
      for (const one of texts) {
        const place = { table: one.table, id: one.id, field: fieldOf(one.column) };
        let text: string;
        try {
          text = open(one.text, place);
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

/** At the start of a server: what a rotation that was cut off has left. */
export function resealSoon(): void {
  reseal().then(
    ({ done, left }) => {
      if (done > 0) log().info({ done, left }, 'keys.resealed');
    },
    (error) => log().warn({ err: error }, 'keys.reseal_failed'),
  );
}
