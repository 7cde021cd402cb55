import path from 'node:path';
import { compilePolicy, policyFacts } from '@/lib/findings/policy/compile-policy';
import { rulesFolder } from '@/lib/findings/policy/rules-folder';
import type { EffectivePolicy } from '@/lib/model/rules/policy';
import { cacheAnswer, cachedAnswer } from '@/lib/reports/answer-cache';
import type { SnapshotRef } from '@/lib/snapshots/query/with-source';
import { type Changes, compareFindings } from './changes';
import { keepChanges, readChanges } from './changes-file';
import type { ChangeScope } from './changes-scope';

/**
 * The comparison with an earlier snapshot under one policy: kept once made, and made once for all who ask at the same
 * time. It takes seconds (ten or so for ten million keys), so pages use `readChanges` and show nothing until it is
 * there. The folder of the evaluation must exist: a comparison without one would be taken for half an evaluation.
 */
const running = new Map<string, Promise<Changes>>();

export async function changesOf(
  current: SnapshotRef,
  previous: SnapshotRef,
  policy: EffectivePolicy,
  signal?: AbortSignal,
): Promise<Changes> {
  const folder = rulesFolder(current.dir, policy.hash);
  const kept = await readChanges(folder, previous.manifest.id);
  if (kept) return kept;
  const key = `${path.resolve(folder)}/${previous.manifest.id}`;
  return share(key, () => make(current, previous, policy, folder, signal));
}

function share(key: string, compare: () => Promise<Changes>): Promise<Changes> {
  const mine = running.get(key) ?? compare().finally(() => running.delete(key));
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
  const changes = await compareFindings(current, previous, both(current, previous, policy), { signal });
  // Evaluated anew or tidied away meanwhile: the answer holds, it is only not kept.
  await keepChanges(folder, previous.manifest.id, changes).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
  });
  return changes;
}

const both = (current: SnapshotRef, previous: SnapshotRef, policy: EffectivePolicy) => ({
  current: compilePolicy(policy, policyFacts(current.manifest)),
  previous: compilePolicy(policy, policyFacts(previous.manifest)),
});

/**
 * Of a part, made when asked for and remembered like other answers: there are too many parts to keep a file of each.
 */
const keyOf = (dir: string, previousId: string, hash: string, { prefix, template, owner, delimiter }: ChangeScope) =>
  JSON.stringify([path.resolve(dir), previousId, hash, 'changes', prefix, template, owner, delimiter]);

export const recallPart = (dir: string, previousId: string, hash: string, scope: ChangeScope): Changes | null =>
  (cachedAnswer(keyOf(dir, previousId, hash, scope)) as Changes | undefined) ?? null;

export const rememberPart = (dir: string, previousId: string, hash: string, scope: ChangeScope, changes: Changes) =>
  cacheAnswer(keyOf(dir, previousId, hash, scope), changes);

export async function comparePart(
  current: SnapshotRef,
  previous: SnapshotRef,
  policy: EffectivePolicy,
  scope: ChangeScope,
): Promise<Changes> {
  const changes = await share(keyOf(current.dir, previous.manifest.id, policy.hash, scope), () =>
    compareFindings(current, previous, both(current, previous, policy), {}, scope),
  );
  rememberPart(current.dir, previous.manifest.id, policy.hash, scope, changes);
  return changes;
}
