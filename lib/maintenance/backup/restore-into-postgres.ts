import type { PostgresAddress } from '@/lib/store/engines/postgres-url';
import { copyTables } from '@/lib/store/move/copy-tables';
import { findFillingMove, MOVED_FROM, openMoveTarget, prepareTarget } from '@/lib/store/move/open-move-target';
import type { Store } from '@/lib/store/open-store';
import { setSetting } from '@/lib/store/settings/settings';

class RolledBack extends Error {}

/**
 * Returns true if this same restore has filled the database already. Otherwise checks that the database is empty,
 * without changing it, and throws if it is not.
 */
export const isFilledPostgres = (address: PostgresAddress, id: string): Promise<boolean> =>
  withTarget(address, async (target) => {
    if ((await target.transaction().execute(findFillingMove)) === id) return true;
    const looking = target.transaction().execute(async (tx) => {
      await prepareTarget(address, tx);
      throw new RolledBack();
    });
    await looking.catch((error) => {
      if (!(error instanceof RolledBack)) throw error;
    });
    return false;
  });

/** Copies all rows in one transaction: either all arrive or none. */
export const fillPostgres = (address: PostgresAddress, from: Store, id: string): Promise<void> =>
  withTarget(address, (target) =>
    target.transaction().execute(async (to) => {
      await prepareTarget(address, to);
      await from.transaction().execute((tx) => copyTables(tx, to, () => {}));
      await setSetting(MOVED_FROM, id, to);
    }),
  );

async function withTarget<T>(address: PostgresAddress, act: (target: Store) => Promise<T>): Promise<T> {
  const target = openMoveTarget(address);
  try {
    return await act(target);
  } finally {
    await target.destroy();
  }
}
