import { verb } from '@/lib/access/auth/verb';
import { scopeToAll } from '@/lib/access/auth/verb-scopes';
import { registerInstance } from '@/lib/instances/register-instance';
import { testConnection } from '@/lib/instances/test-connection';
import type { Actor } from '@/lib/model/actor';
import { AppError } from '@/lib/model/errors';
import type { Secret } from '@/lib/model/secret';
import type { Instance } from '@/lib/model/servers/instance';
import type { ListedInstance } from '@/lib/model/servers/listed-instance';
import type { ConnectionReport } from '@/lib/model/servers/server-facts';
import { listInstanceRows } from '@/lib/store/instances';
import { readInstanceList } from './read-instance-list';

const IMPORT = { needs: 'instance.manage', on: scopeToAll, action: 'instance.import', subject: () => 'list' } as const;

/**
 * Reads a list of instances and stores nothing. Each row says what is wrong with it, also if an instance of its name is
 * registered already. Error: `bad_request` if the text is no list.
 */
export const readList = verb(IMPORT, async (_actor: Actor, list: Secret): Promise<ListedInstance[]> => {
  const registered = new Set((await listInstanceRows()).map(({ settings }) => settings.name.toLowerCase()));
  return readInstanceList(list.reveal()).map(({ listed }) =>
    listed.problem === null && registered.has(listed.name.toLowerCase())
      ? { ...listed, problem: 'There is already an instance with this name.' }
      : listed,
  );
});

/**
 * Tests the connection of one row of a list, and then registers it if that is wanted. Errors: `bad_request` for a row
 * that is wrong, those of `testConnection` and `registerInstance`.
 */
export const importRow = verb(
  IMPORT,
  async (
    actor: Actor,
    list: Secret,
    { row, register }: { row: number; register: boolean },
  ): Promise<{ report: ConnectionReport; instance: Instance | null }> => {
    const read = readInstanceList(list.reveal())[row];
    if (!read?.input) throw new AppError('bad_request', read?.listed.problem ?? 'The list has no such row.', { row });
    const report = await testConnection(actor, read.input);
    if (!register) return { report, instance: null };
    const { warnings: _, ...instance } = await registerInstance(actor, read.input);
    return { report, instance };
  },
);
