import path from 'node:path';
import { config } from '@/lib/config';
import { log } from '@/lib/log';
import { readManifest } from '@/lib/snapshots/manifest';
import { listSnapshots } from '@/lib/store/snapshots';
import { effectivePolicy } from './effective-policy';
import { keepScore } from './keep-score';

/**
 * Checks the newest sealed snapshot of an instance in the background, one at a time in this process, so that pages and the fleet
 * need not wait for it. A failure is noted and the first ask tries again.
 */
const onGlobal = globalThis as typeof globalThis & {
  __colonnadeEvaluateQueue?: { tail: Promise<void>; waiting: Set<string> };
};

export function evaluateSoon(instanceId: string): Promise<void> {
  onGlobal.__colonnadeEvaluateQueue ??= { tail: Promise.resolve(), waiting: new Set() };
  const queue = onGlobal.__colonnadeEvaluateQueue;
  if (queue.waiting.has(instanceId)) return queue.tail;
  queue.waiting.add(instanceId);
  queue.tail = queue.tail.then(async () => {
    queue.waiting.delete(instanceId);
    try {
      const newest = (await listSnapshots(instanceId)).find((snapshot) => snapshot.state === 'sealed');
      if (!newest) return;
      const dir = path.join(config.dataDir, 'snapshots', newest.id);
      await keepScore({ dir, manifest: await readManifest(dir) }, await effectivePolicy(instanceId));
    } catch (error) {
      log().warn({ instance: instanceId, err: error }, 'the newest snapshot could not be checked against the rules');
    }
  });
  return queue.tail;
}
