import { verb } from '@/lib/access/auth/verb';
import { createVisibilityFilter, scopeToOwn } from '@/lib/access/auth/verb-scopes';
import type { Actor } from '@/lib/model/actor';
import type { Instance } from '@/lib/model/servers/instance';
import { listInstanceRows, toInstance } from '@/lib/store/instances';

export const listInstances = verb(
  { needs: 'account.use', on: scopeToOwn },
  async (actor: Actor): Promise<Instance[]> => {
    const sees = await createVisibilityFilter(actor);
    return (await listInstanceRows()).filter(({ id }) => sees(id)).map(toInstance);
  },
);
