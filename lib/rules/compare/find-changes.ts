import path from 'node:path';
import type { EffectivePolicy } from '@/lib/model/rules/policy';
import { compilePolicy, toPolicyFacts } from '@/lib/rules/policy/compile-policy';
import { getRulesFolder } from '@/lib/rules/policy/rules-folder';
import type { SnapshotRef } from '@/lib/snapshots/query/with-source';
import { cacheAnswer, getCachedAnswer } from '@/lib/snapshots/reports/answer-cache';
import { type Changes, compareFindings } from './changes';
import { keepChanges, readChanges } from './changes-file';
import type { ChangeScope } from './changes-scope';

/** Comparisons that are running now. */
const running = new Map<string, Promise<Changes>>();

/**
 * Compares a snapshot with an earlier one under one policy. The result is kept in a file, and calls at the same time
 * share one comparison. It takes seconds (about ten for ten million keys), so pages use `readChanges` and show nothing
 * until the file exists. The folder of the evaluation must exist already: a folder with only a comparison would be
 * mistaken for an incomplete evaluation.
 */
export async function findChanges(
  current: SnapshotRef,
  previous: SnapshotRef,
  policy: EffectivePolicy,
  signal?: AbortSignal,
): Promise<Changes> {
  const folder = getRulesFolder(current.dir, policy.hash);
  const kept = await readChanges(folder, previous.manifest.id);
  if (kept) return kept;
  return shareRunning(`${path.resolve(folder)}/${previous.manifest.id}`, async () => {
    const changes = await compareFindings(current, previous, compileBoth(current, previous, policy), { signal });
    // If the folder was replaced or deleted meanwhile, the answer is still valid; it is only not kept.
    await keepChanges(folder, previous.manifest.id, changes).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error;
    });
    return changes;
  });
}

function shareRunning(key: string, compare: () => Promise<Changes>): Promise<Changes> {
  const shared = running.get(key) ?? compare().finally(() => running.delete(key));
  running.set(key, shared);
  return shared;
}

const compileBoth = (current: SnapshotRef, previous: SnapshotRef, policy: EffectivePolicy) => ({
  current: compilePolicy(policy, toPolicyFacts(current.manifest)),
  previous: compilePolicy(policy, toPolicyFacts(previous.manifest)),
});

/**
 * The key under which the comparison of a part is cached like other answers. It is computed on request and not kept in
 * a file, because there are too many parts.
 */
const toPartKey = (
  dir: string,
  previousId: string,
  hash: string,
  { prefix, template, owner, delimiter }: ChangeScope,
) => JSON.stringify([path.resolve(dir), previousId, hash, 'changes', prefix, template, owner, delimiter]);

export const recallPart = (dir: string, previousId: string, hash: string, scope: ChangeScope): Changes | null =>
  (getCachedAnswer(toPartKey(dir, previousId, hash, scope)) as Changes | undefined) ?? null;

export const rememberPart = (dir: string, previousId: string, hash: string, scope: ChangeScope, changes: Changes) =>
  cacheAnswer(toPartKey(dir, previousId, hash, scope), changes);

export async function comparePart(
  current: SnapshotRef,
  previous: SnapshotRef,
  policy: EffectivePolicy,
  scope: ChangeScope,
): Promise<Changes> {
  const changes = await shareRunning(toPartKey(current.dir, previous.manifest.id, policy.hash, scope), () =>
    compareFindings(current, previous, compileBoth(current, previous, policy), {}, scope),
  );
  rememberPart(current.dir, previous.manifest.id, policy.hash, scope, changes);
  return changes;
}
