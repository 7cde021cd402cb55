import { allows } from '@/lib/model/access';
import type { Actor } from '@/lib/model/actor';
import { AppError } from '@/lib/model/errors';
import { findForeignNodes } from '@/lib/store/nodes/instance-nodes';
import type { Tx } from '@/lib/store/open-store';

/**
 * Throws `node_of_other_instance` where somebody who administers only some instances names a node that another instance
 * has. An administrator of all may do so: the keys of that node are protected as both instances say
 * (`getProtectedInstance`).
 */
export async function refuseForeignNodes(
  actor: Actor,
  instanceId: string,
  addresses: readonly string[],
  tx: Tx,
): Promise<void> {
  if (allows(actor.role, 'instance.manage')) return;
  const [foreign] = await findForeignNodes(instanceId, addresses, tx);
  if (foreign === undefined) return;
  throw new AppError(
    'node_of_other_instance',
    `${foreign} belongs to another instance. Ask an administrator of all instances to make this change.`,
    { address: foreign },
  );
}
