import { mkdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { evaluatePolicyGroups, hashGroups, readStoredGroups, writeGroups } from '@/lib/rules/groups/stored-groups';
import type { CompiledPolicy } from '@/lib/rules/policy/compile-policy';
import {
  cutTemplateSql,
  getRulesFolder,
  getTemporaryRulesFolder,
  listEvaluatedHashes,
  type RulesMeta,
  readMeta,
  rulesRollupSql,
  SUMMARY_FILE,
  SUMMARY_SEGMENTS,
  tidyRules,
  writeMeta,
} from '@/lib/rules/policy/rules-folder';
import { fsyncFolder } from '@/lib/runtime/files/fsync-and-rename';
import { prepareOnce } from '@/lib/snapshots/folder/prepare-once';
import { writeParquet } from '@/lib/snapshots/query/export-file';
import { type SnapshotRef, withSource } from '@/lib/snapshots/query/with-source';
import { reportPreparation } from '@/lib/store/preparations';
import { writeRollup } from './write-rollup';

const TIMEOUT_MS = 600_000;

type OnProgress = (progress: { done: number; total: number }) => void;

/**
 * Share of the progress (0…1) that the pass over all keys is shown as: with a hundred million keys it takes about a
 * quarter of the time, and the rules about groups take the rest.
 */
const PASS_SHARE = 0.25;

/**
 * Evaluates the rules on a sealed snapshot, once per policy. The result is written into a folder that gets its final
 * name only when it is complete, so after a crash the next call starts over. Calls at the same time share one
 * evaluation: if the first caller leaves, the next one takes over.
 *
 * @param onProgress Used only if this call makes the evaluation.
 */
export async function evaluate(
  // The signal of the snapshot belongs to one question, and the evaluation may outlive it.
  { signal: _ofQuestion, ...ref }: SnapshotRef,
  compiled: CompiledPolicy,
  signal?: AbortSignal,
  onProgress?: OnProgress,
): Promise<RulesMeta> {
  signal?.throwIfAborted();
  return prepareOnce(ref.dir, {
    lock: `evaluate-${compiled.hash}.lock`,
    known: () => readMeta(ref.dir, compiled.hash, ref.manifest),
    make: () =>
      reportPreparation(ref.manifest.id, 'evaluate', (note) =>
        evaluateIntoFolder(ref, compiled, {
          signal,
          onProgress(progress) {
            note(progress);
            onProgress?.(progress);
          },
        }),
      ),
    signal,
  });
}

async function evaluateIntoFolder(
  ref: SnapshotRef,
  compiled: CompiledPolicy,
  { signal, onProgress }: { signal: AbortSignal | undefined; onProgress: OnProgress },
): Promise<RulesMeta> {
  const began = performance.now();
  const folder = getRulesFolder(ref.dir, compiled.hash);
  const reportShare =
    (from: number, to: number): OnProgress =>
    (part) =>
      onProgress({ done: from + (to - from) * (part.done / part.total), total: 1 });
  const temporary = getTemporaryRulesFolder(ref.dir, compiled.hash);
  await tidyRules(ref.dir, compiled.hash);
  await rm(temporary, { recursive: true, force: true });
  await mkdir(temporary, { mode: 0o700 });
  try {
    const meta = await withSource(
      ref,
      async (source) => {
        const rests = await writeRollup(source, compiled, temporary, {
          signal,
          onProgress: reportShare(0, PASS_SHARE),
        });
        const rollup = rulesRollupSql(temporary);
        await writeParquet(source, summarySql(rollup), [], path.join(temporary, SUMMARY_FILE));
        const groupsHash = hashGroups(compiled);
        const answers =
          (await findStoredGroups(ref, groupsHash)) ??
          (await evaluatePolicyGroups(source, compiled, rollup, reportShare(PASS_SHARE, 1)));
        await writeGroups(temporary, answers);
        return writeMeta(temporary, {
          hash: compiled.hash,
          endedAt: ref.manifest.endedAt,
          keys: ref.manifest.keys,
          rests,
          groupsHash,
          evaluatedInMs: Math.round(performance.now() - began),
        });
      },
      { signal, timeoutMs: TIMEOUT_MS },
    );
    await rm(folder, { recursive: true, force: true });
    await rename(temporary, folder).catch(async (error) => {
      // Another process was faster; its answer is the same.
      if (!(await readMeta(ref.dir, compiled.hash, ref.manifest))) throw error;
    });
    await fsyncFolder(ref.dir);
    await tidyRules(ref.dir, compiled.hash);
    return meta;
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}

/** Returns the answers that are stored under another policy with the same group rules; null: there are none. */
async function findStoredGroups({ dir, manifest }: SnapshotRef, groupsHash: string) {
  for (const hash of await listEvaluatedHashes(dir)) {
    const meta = await readMeta(dir, hash, manifest);
    // Another process may delete the folder meanwhile.
    if (meta?.groupsHash === groupsHash) return readStoredGroups(dir, hash).catch(() => null);
  }
  return null;
}

const summarySql = (rollup: string) => `SELECT profile, zone,
    ${cutTemplateSql} AS template,
    violated, exempted, notEvaluated, sum(keys)::BIGINT AS keys, sum(bytes) AS bytes, sum(bytesUnknown)::BIGINT AS bytesUnknown,
    min(firstName) AS firstName, max(lastName) AS lastName, rest AND len(parts) <= ${SUMMARY_SEGMENTS} AS rest, NULL::UTINYINT AS styles
  FROM (SELECT *, string_split(template, ':') AS parts FROM ${rollup}) GROUP BY ALL ORDER BY template`;
