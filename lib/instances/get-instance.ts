import { isDeepStrictEqual } from 'node:util';
import { verb } from '@/lib/access/auth/verb';
import { scopeToInstance } from '@/lib/access/auth/verb-scopes';
import type { Actor } from '@/lib/model/actor';
import { AppError } from '@/lib/model/errors';
import type { Instance } from '@/lib/model/servers/instance';
import { combineMarks } from '@/lib/model/servers/protection-marks';
import { getInstanceRow, type InstanceRow, toInstance } from '@/lib/store/instances';
import { getProtectedInstance } from '@/lib/store/nodes/instance-nodes';
import type { Tx } from '@/lib/store/open-store';

/** An instance with its own settings, and with `marks` if instances that share a node with it are stricter. */
export const getInstance = verb(
  { needs: 'instance.read', on: scopeToInstance },
  async (_actor: Actor, id: string): Promise<Instance> => {
    const instance = toInstance(await requireInstanceRow(id));
    const protectedAs = await getProtectedInstance(id);
    const marks = protectedAs && combineMarks(protectedAs.settings);
    return marks === null || isDeepStrictEqual(marks, combineMarks(instance)) ? instance : { ...instance, marks };
  },
);

export async function requireInstanceRow(id: string, tx?: Tx): Promise<InstanceRow> {
  const row = await getInstanceRow(id, tx);
  if (!row) throw new AppError('not_found', 'There is no such instance.', { instance: id });
  return row;
}
