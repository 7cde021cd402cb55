import { CommandFailed, EXIT } from '@/cli/exit';
import { safe } from '@/cli/units';
import { InstancesAnswer, type ServerInstance } from './answer-shapes';
import { keepAsking } from './keep-asking';
import type { ServerAccess } from './server-access';

/** Finds an instance by id or by its unique name. Throws CommandFailed. */
export async function findInstance(access: ServerAccess, asked: string): Promise<ServerInstance> {
  const { instances } = await keepAsking(access, { path: '/api/instances' }, InstancesAnswer);
  const found = instances.find(({ id }) => id === asked) ?? instances.find(({ name }) => name === asked);
  if (found) return found;
  throw new CommandFailed(
    `The token sees no instance "${safe(asked)}". colonnade instances lists what it sees.`,
    EXIT.usage,
  );
}
