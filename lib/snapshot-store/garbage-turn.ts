import { storeNow } from '@/lib/store/jobs';
import { transaction } from '@/lib/store/open-store';
import { getSetting, setSetting } from '@/lib/store/settings/settings';

const SETTING = 'snapshot_garbage_at';
const EVERY_MS = 6 * 3_600_000;

/**
 * Whether it is time to look for garbage, and this process's turn: one of all that share the store does it, also when
 * they start together. `forget`: it could not be done, so somebody tries again sooner.
 */
export async function takeGarbageTurn(): Promise<{ forget(): Promise<void> } | null> {
  const mine = await transaction(async (tx) => {
    const last = Number((await getSetting(SETTING, tx)) ?? 0);
    const now = await storeNow(tx);
    // One of the future was written by a clock that has been set back since.
    if (last <= now && now - last < EVERY_MS) return null;
    await setSetting(SETTING, String(now), tx);
    return String(now);
  });
  if (mine === null) return null;
  return {
    forget: () =>
      transaction(async (tx) => {
        if ((await getSetting(SETTING, tx)) === mine) await setSetting(SETTING, '0', tx);
      }),
  };
}
