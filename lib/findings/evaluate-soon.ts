import path from 'node:path';
import { config } from '@/lib/config';
import { effectivePolicy } from '@/lib/findings/policy/effective-policy';
import { log } from '@/lib/log';
import { newestSealed } from '@/lib/model/reports/fleet';
import { bringKeys } from '@/lib/snapshot-store/bring-snapshot';
import { readManifest } from '@/lib/snapshots/folder/manifest';
import { listSnapshotRows } from '@/lib/store/snapshots';
import { wishSoon } from '@/lib/store/wishes';
import { keepScore } from './keep-score';
import { rollUpSoon } from './roll-up-soon';

/**
 * Checks the sealed snapshot that stands for an instance, and the newest one of a part of it, in the background, one at
 * a time in this process, so that neither a scan's end nor pages nor the fleet wait for it. A process that serves pages
 * leaves it to a worker. A failure is noted and the
 * first ask tries again; what stopping cuts off, the next start begins anew.
 */
const queue = {
  tail: Promise.resolve(),
  waiting: new Set<string>(),
  abort: new AbortController(),
};

/** The promise ends when all that was asked for so far is done; it never fails. */
export function evaluateSoon(instanceId: string): Promise<void> {
  if (config.role === 'web') return wishSoon({ kind: 'check', instanceId });
  const { signal } = queue.abort;
  if (signal.aborted || queue.waiting.has(instanceId)) return queue.tail;
  queue.waiting.add(instanceId);
  queue.tail = queue.tail.then(async () => {
    queue.waiting.delete(instanceId);
    if (signal.aborted) return;
    try {
      const rows = await listSnapshotRows(instanceId);
      const ids = [newestSealed(rows), rows.find(({ state }) => state === 'sealed')].flatMap((row) => row?.id ?? []);
      for (const id of new Set(ids)) {
        await bringKeys(id, { signal, maxWaitMs: null });
        // First, because every page asks it.
        await rollUpSoon(id);
        const dir = path.join(config.snapshotsDir, id);
        await keepScore({ dir, manifest: await readManifest(dir) }, await effectivePolicy(instanceId), signal);
      }
    } catch (error) {
      if (signal.aborted) return;
      log().warn({ instance: instanceId, err: error }, 'findings.evaluation_failed');
    }
  });
  return queue.tail;
}

/** Cuts off what runs and takes nothing more until `startEvaluating`. */
export async function stopEvaluating(): Promise<void> {
  queue.abort.abort();
  await queue.tail;
}

export function startEvaluating(): void {
  if (queue.abort.signal.aborted) queue.abort = new AbortController();
}
