import { evaluateSoon } from '@/lib/rules/findings/evaluate-soon';
import { listInstanceRows } from '@/lib/store/instances';

/** Checks the newest snapshot of the instance again in the background, after a change; null = of every instance. */
export async function evaluateConcerned(instanceId: string | null): Promise<void> {
  const ids = instanceId === null ? (await listInstanceRows()).map((row) => row.id) : [instanceId];
  for (const id of ids) evaluateSoon(id);
}
