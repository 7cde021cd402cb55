import type { Actor } from '@/lib/model/actor';
import type { Instance } from '@/lib/model/servers/instance';
import { listInstanceRows, toInstance } from '@/lib/store/instances';

export async function listInstances(_actor: Actor): Promise<Instance[]> {
  return (await listInstanceRows()).map(toInstance);
}
