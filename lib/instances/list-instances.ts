import { verb } from '@/lib/access/auth/verb';
import { own, visibleInstances } from '@/lib/access/auth/verb-scopes';
import type { Actor } from '@/lib/model/actor';
import type { Instance } from '@/lib/model/servers/instance';
import { listInstanceRows, toInstance } from '@/lib/store/instances';

export const listInstances = verb({ needs: 'account.use', on: own }, async (actor: Actor): Promise<Instance[]> => {
  const sees = await visibleInstances(actor);
  return (await listInstanceRows()).filter(({ id }) => sees(id)).map(toInstance);
});
