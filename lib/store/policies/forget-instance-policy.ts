import type { Tx } from '@/lib/store/open-store';

/** An instance that is removed leaves nothing of its own behind; what holds for every instance stays. */
export async function forgetInstancePolicy(instanceId: string, tx: Tx): Promise<void> {
  for (const table of ['assignments', 'exemptions', 'owners', 'checklist'] as const)
    await tx.deleteFrom(table).where('instance_id', '=', instanceId).execute();
}
