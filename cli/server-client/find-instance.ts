import { CommandFailed, EXIT } from '@/cli/exit';
import { safe } from '@/cli/units';
import type { ServerInstance } from './answer-shapes';
import { keepAsking } from './keep-asking';
import type { ServerAccess } from './server-access';

/** Finds an instance by id or by its unique name. Throws CommandFailed. */
export async function findInstance(access: ServerAccess, nameOrId: string): Promise<ServerInstance> {
  const { instances } = await keepAsking(access, 'GET /api/instances', {});
  const found = instances.find(({ id }) => id === nameOrId) ?? instances.find(({ name }) => name === nameOrId);
  if (found) return found;
  throw new CommandFailed(
    `The token sees no instance "${safe(nameOrId)}". colonnade instances lists what it sees.`,
    EXIT.usage,
  );
}
