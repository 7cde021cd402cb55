import type { Tx } from '@/lib/store/open-store';

/** Deletes the policy rows of an instance that is removed. Rows that apply to every instance stay. */
export async function forgetInstancePolicy(instanceId: string, tx: Tx): Promise<void> {
  for (const table of ['assignments', 'exemptions', 'owners', 'checklist'] as const)
    await tx.deleteFrom(table).where('instance_id', '=', instanceId).execute();
}
