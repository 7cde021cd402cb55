/**
 * Evaluates the sealed snapshot that represents an instance, and the newest sealed one, which may cover only a part of
 * the instance. It runs in the background, one evaluation at a time in this process, so that neither the end of a scan
 * nor pages nor the fleet wait for it. A process that serves pages leaves it to a worker. A failure is logged and the
 * next request for findings tries again; an evaluation that a stop interrupts is started again at the next start.
 */

import path from 'node:path';
import { findNewestSealed } from '@/lib/model/reports/fleet';
import { getEffectivePolicy } from '@/lib/rules/policy/effective-policy';
import { config } from '@/lib/runtime/config';
import { log } from '@/lib/runtime/log';
import { readManifest } from '@/lib/snapshots/folder/manifest';
import { bringKeys } from '@/lib/snapshots/remote/bring-snapshot';
import { listSnapshotRows } from '@/lib/store/snapshots';
import { makeWishSoon } from '@/lib/store/wishes';
import { keepScore } from './keep-score';
import { rollUpSoon } from './roll-up-soon';

const queue = {
  /** Resolves when everything that was queued is done. */
  tail: Promise.resolve(),
  /** Instances that are queued and not begun. */
  waiting: new Set<string>(),
  abort: new AbortController(),
};

/** Queues the evaluation. The promise resolves when everything that was queued so far is done; it never rejects. */
export function evaluateSoon(instanceId: string): Promise<void> {
  if (config.role === 'web') return makeWishSoon({ kind: 'check', instanceId });
  const { signal } = queue.abort;
  if (signal.aborted || queue.waiting.has(instanceId)) return queue.tail;
  queue.waiting.add(instanceId);
  queue.tail = queue.tail.then(async () => {
    queue.waiting.delete(instanceId);
    if (signal.aborted) return;
    try {
      const rows = await listSnapshotRows(instanceId);
      const ids = [findNewestSealed(rows), rows.find(({ state }) => state === 'sealed')].flatMap(
        (row) => row?.id ?? [],
      );
      for (const id of new Set(ids)) {
        await bringKeys(id, { signal, maxWaitMs: null });
        // The roll-up comes first, because every page reads it.
        await rollUpSoon(id);
        const dir = path.join(config.snapshotsDir, id);
        await keepScore({ dir, manifest: await readManifest(dir) }, await getEffectivePolicy(instanceId), signal);
      }
    } catch (error) {
      if (signal.aborted) return;
      log().warn({ instance: instanceId, err: error }, 'findings.evaluation_failed');
    }
  });
  return queue.tail;
}

/** Aborts the running evaluation and starts nothing more until `startEvaluating`. */
export async function stopEvaluating(): Promise<void> {
  queue.abort.abort();
  await queue.tail;
}

export function startEvaluating(): void {
  if (queue.abort.signal.aborted) queue.abort = new AbortController();
}
