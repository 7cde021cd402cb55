import type { Selection } from '@/lib/model/deletions/plan-request';
import { chooseKeys } from './choose-keys';

const MAX = 16;

/** A few names of a selection, each with another beginning: what a user may do depends on how keys are called. */
export async function sampleNames(instanceId: string, selection: Selection, signal?: AbortSignal): Promise<Buffer[]> {
  const found = new Map<string, Buffer>();
  for await (const page of chooseKeys(instanceId, selection, signal)) {
    for (const key of page) {
      if ('tooLong' in key) continue;
      const colon = key.raw.indexOf(':');
      const start = key.raw.toString('latin1', 0, colon < 0 ? undefined : colon);
      if (!found.has(start)) found.set(start, key.raw);
      if (found.size >= MAX) break;
    }
    break;
  }
  return [...found.values()];
}
