import { readStoreNow } from '@/lib/store/jobs';
import { runTransaction } from '@/lib/store/open-store';
import { getSetting, setSetting } from './settings';

/** How long a process may work without renewing its turn, ms. */
export const TURN_MS = 15_000;

/**
 * Takes or renews the turn of a piece of work that only one process may do, and returns whether this process has it. Of
 * several processes that share a database another one takes over when the first was silent for TURN_MS. `setting` is
 * the name of the setting that holds who has the turn and until when (epoch ms), as `owner|until`.
 */
export async function takeTurn(setting: string, owner: string): Promise<boolean> {
  const now = await readStoreNow();
  return runTransaction(async (tx) => {
    const [holder = '', until = '0'] = (await getSetting(setting, tx))?.split('|') ?? [];
    if (holder !== owner && Number(until) > now) return false;
    // Renewed only when half of it is over, because a write each second would be a sync to disk each second.
    if (holder !== owner || Number(until) - now < TURN_MS / 2)
      await setSetting(setting, `${owner}|${now + TURN_MS}`, tx);
    return true;
  });
}

/** Ends the turn, so that another process may take it at once. */
export const leaveTurn = (setting: string, owner: string): Promise<void> =>
  runTransaction(async (tx) => {
    if ((await getSetting(setting, tx))?.startsWith(`${owner}|`)) await setSetting(setting, '|0', tx);
  });
