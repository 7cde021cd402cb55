import { evaluateSoon } from '@/lib/findings/evaluate-soon';
import { listInstanceRows } from '@/lib/store/instances';

/** After a change: the newest snapshot of the instance, or of all of them, is checked again in the background. */
export async function evaluateConcerned(instanceId: string | null): Promise<void> {
  const ids = instanceId === null ? (await listInstanceRows()).map((row) => row.id) : [instanceId];
  for (const id of ids) evaluateSoon(id);
}
