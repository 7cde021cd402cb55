import { AppError } from '@/lib/model/errors';
import { getInstanceRow } from '@/lib/store/instances';
import type { Tx } from '@/lib/store/open-store';

/** Throws `not_found` for an instance that is not registered; null stands for all instances and is accepted. */
export async function requireKnownInstance(id: string | null, tx?: Tx): Promise<void> {
  if (id !== null && (await getInstanceRow(id, tx)) === null)
    throw new AppError('not_found', 'There is no such instance.', { id });
}
