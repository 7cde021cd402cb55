import path from 'node:path';
import type { EffectivePolicy } from '@/lib/model/policy';
import type { SnapshotRef } from '@/lib/snapshots/with-source';
import { type Changes, compareFindings } from './changes';
import { keepChanges, readChanges } from './changes-file';
import { compilePolicy, policyFacts } from './compile-policy';
import { rulesFolder } from './rules-folder';

/**
 * The comparison with an earlier snapshot under one policy: kept once made, and made once for all who ask at the same time. It
 * takes seconds (ten or so for ten million keys), so pages use `readChanges` and show nothing until it is there. The folder of the
 * evaluation must exist: a comparison without one would be taken for half an evaluation.
 */
const onGlobal = globalThis as typeof globalThis & { __colonnadeComparisons?: Map<string, Promise<Changes>> };

export async function changesOf(
  current: SnapshotRef,
  previous: SnapshotRef,
  policy: EffectivePolicy,
  signal?: AbortSignal,
): Promise<Changes> {
  const folder = rulesFolder(current.dir, policy.hash);
  const kept = await readChanges(folder, previous.manifest.id);
  if (kept) return kept;
  onGlobal.__colonnadeComparisons ??= new Map();
  const running = onGlobal.__colonnadeComparisons;
  const key = `${path.resolve(folder)}/${previous.manifest.id}`;
  const shared = running.get(key);
  if (shared) return shared;
  const mine = make(current, previous, policy, folder, signal).finally(() => running.delete(key));
  running.set(key, mine);
  return mine;
}

async function make(
  current: SnapshotRef,
  previous: SnapshotRef,
  policy: EffectivePolicy,
  folder: string,
  signal?: AbortSignal,
): Promise<Changes> {
  const changes = await compareFindings(
    current,
    previous,
    {
      current: compilePolicy(policy, policyFacts(current.manifest)),
      previous: compilePolicy(policy, policyFacts(previous.manifest)),
    },
    { signal },
  );
  // Evaluated anew or tidied away meanwhile: the answer holds, it is only not kept.
  await keepChanges(folder, previous.manifest.id, changes).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
  });
  return changes;
}
