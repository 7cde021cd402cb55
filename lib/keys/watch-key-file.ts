import { config } from '@/lib/config';
import { log } from '@/lib/log';
import { keyFilePath } from '@/lib/vault/key-file';
import { hasVaultKey } from './foreign-key';

const EVERY_MS = 60_000;

/**
 * A server goes on with the keys it has read when their file goes (a folder that is mounted no more, a hand that
 * slipped), and the next start would be refused: so it says so as long as there is time. Returns what ends it.
 */
export function watchKeyFile(everyMs = EVERY_MS): () => void {
  if (config.key !== null) return () => {};
  let wasThere = true;
  const timer = setInterval(() => {
    const isThere = hasVaultKey();
    if (wasThere && !isThere) log().error({ file: keyFilePath() }, 'keys.file_missing');
    wasThere = isThere;
  }, everyMs);
  timer.unref();
  return () => clearInterval(timer);
}
