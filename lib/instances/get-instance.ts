import { isDeepStrictEqual } from 'node:util';
import { verb } from '@/lib/access/auth/verb';
import { scopeToInstance } from '@/lib/access/auth/verb-scopes';
import type { Actor } from '@/lib/model/actor';
import { AppError } from '@/lib/model/errors';
import type { Instance } from '@/lib/model/servers/instance';
import { combineMarks } from '@/lib/model/servers/protection-marks';
import { listAuditRowsByAction } from '@/lib/store/audit';
import { getInstanceRow, type InstanceRow, toInstance } from '@/lib/store/instances';
import { getProtectedInstance } from '@/lib/store/nodes/instance-nodes';
import type { Tx } from '@/lib/store/open-store';

/** An instance with its own settings, and with `marks` if instances that share a node with it are stricter. */
export const getInstance = verb(
  { needs: 'instance.read', on: scopeToInstance },
  async (_actor: Actor, id: string): Promise<Instance> => {
    const row = await getInstanceRow(id);
    if (!row)
      throw new AppError('not_found', 'There is no such instance.', { instance: id, removed: await wasRemoved(id) });
    const instance = toInstance(row);
    const protectedAs = await getProtectedInstance(id);
    const marks = protectedAs && combineMarks(protectedAs.settings);
    return marks === null || isDeepStrictEqual(marks, combineMarks(instance)) ? instance : { ...instance, marks };
  },
);

/** Whether an instance with this id existed and was removed, as far as the audit log goes back. */
const wasRemoved = async (id: string): Promise<boolean> =>
  (await listAuditRowsByAction('instance.remove')).some((row) => row.subject === id && row.outcome === 'done');

export async function requireInstanceRow(id: string, tx?: Tx): Promise<InstanceRow> {
  const row = await getInstanceRow(id, tx);
  if (!row) throw new AppError('not_found', 'There is no such instance.', { instance: id });
  return row;
}
