import { getKeyFilePath } from '@/lib/access/vault/key-file';
import { hasVaultKey } from '@/lib/access/vault/vault-key';
import { config } from '@/lib/runtime/config';
import { log } from '@/lib/runtime/log';

const EVERY_MS = 60_000;

/**
 * Logs an error if the key file disappears while the server runs (an unmounted folder, a mistake). The server continues
 * with the keys it has read, but the next start would be refused. Returns a function that stops the check.
 */
export function watchKeyFile(everyMs = EVERY_MS): () => void {
  if (config.key !== null) return () => {};
  let wasThere = true;
  const timer = setInterval(() => {
    const isThere = hasVaultKey();
    if (wasThere && !isThere) log().error({ file: getKeyFilePath() }, 'keys.file_missing');
    wasThere = isThere;
  }, everyMs);
  timer.unref();
  return () => clearInterval(timer);
}
