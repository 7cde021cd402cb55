import { mkdir, rename, rm, utimes } from 'node:fs/promises';
import path from 'node:path';
import { askGroups, copyGroups, writeGroups } from '@/lib/rules/groups/stored-groups';
import type { CompiledPolicy } from '@/lib/rules/policy/compile-policy';
import {
  cutTemplateSql,
  getRulesFolder,
  getTemporaryRulesFolder,
  type RulesMeta,
  readMeta,
  rulesRollupSql,
  SUMMARY_FILE,
  SUMMARY_SEGMENTS,
  tidyRules,
  writeMeta,
} from '@/lib/rules/policy/rules-folder';
import { fsyncFolder } from '@/lib/runtime/files/fsync-and-rename';
import { log } from '@/lib/runtime/log';
import { prepareOnce } from '@/lib/snapshots/folder/prepare-once';
import { writeParquet } from '@/lib/snapshots/query/export-file';
import { type SnapshotRef, withSource } from '@/lib/snapshots/query/with-source';
import { reportPreparation } from '@/lib/store/report-preparation';
import { findReusableClasses, type ReusableClasses, storeClasses } from './name-classes';
import { writeFromClasses } from './write-from-classes';
import { writeRollup } from './write-rollup';

/**
 * Evaluates the rules on a sealed snapshot, once per policy. The result is written into a folder that gets its final
 * name only when it is complete, so after a crash the next call starts over. Calls at the same time share one
 * evaluation.
 */
const TIMEOUT_MS = 600_000;
const evaluations = new Map<string, Evaluation>();
interface Evaluation {
  dir: string;
  hash: string;
  meta: Promise<RulesMeta>;
}

type OnProgress = (progress: { done: number; total: number }) => void;

/** @param onProgress Used only if this call starts the evaluation. */
export async function evaluate(
  ref: SnapshotRef,
  compiled: CompiledPolicy,
  signal?: AbortSignal,
  onProgress?: OnProgress,
): Promise<RulesMeta> {
  signal?.throwIfAborted();
  const known = await readMeta(ref.dir, compiled.hash, ref.manifest);
  if (known) return known;
  const key = getRulesFolder(path.resolve(ref.dir), compiled.hash);
  const shared = evaluations.get(key);
  if (shared) return signal ? waitUnlessAborted(shared.meta, signal) : shared.meta;
  const meta = run(ref, compiled, { signal, onProgress }).finally(() => evaluations.delete(key));
  evaluations.set(key, { dir: path.resolve(ref.dir), hash: compiled.hash, meta });
  return meta;
}

interface Options {
  signal?: AbortSignal | undefined;
  onProgress?: OnProgress | undefined;
}

/** With a hundred million keys the pass takes about a quarter of the time, and the rules about groups take the rest. */
const PASS = 0.25;

/** Stops waiting when `signal` aborts. The evaluation, which another caller has started, continues. */
async function waitUnlessAborted<T>(answer: Promise<T>, signal: AbortSignal): Promise<T> {
  let leave: () => void = () => {};
  const aborted = new Promise<never>((_resolve, reject) => {
    leave = () => reject(signal.reason);
    signal.addEventListener('abort', leave, { once: true });
  });
  // Some signals live through thousands of calls, so remove the listener.
  return Promise.race([answer, aborted]).finally(() => signal.removeEventListener('abort', leave));
}

/** Returns the hashes of the policies that this process is evaluating the snapshot against at the moment. */
const findRunningHashes = (dir: string) => () =>
  [...evaluations.values()].filter((one) => one.dir === path.resolve(dir)).map((one) => one.hash);

/**
 * The signal of the snapshot reference is dropped: the first caller may leave while others wait for the same result, so
 * only `options.signal` ends the evaluation.
 */
async function run(asked: SnapshotRef, compiled: CompiledPolicy, options: Options): Promise<RulesMeta> {
  const { signal: _asker, ...ref } = asked;
  return prepareOnce(ref.dir, {
    lock: `evaluate-${compiled.hash}.lock`,
    known: () => readMeta(ref.dir, compiled.hash, ref.manifest),
    make: () => evaluateHere(ref, compiled, options),
    signal: options.signal,
  });
}

async function evaluateHere(ref: SnapshotRef, compiled: CompiledPolicy, options: Options): Promise<RulesMeta> {
  const { signal, onProgress } = options;
  const classes = await findReusableClasses(ref.dir, compiled, ref.manifest);
  if (classes !== null) {
    // Another process may delete the classes meanwhile; then the keys are read.
    const made = await make(ref, compiled, classes, options).catch((error) => {
      signal?.throwIfAborted();
      log().warn({ err: error, snapshot: ref.manifest.id }, 'findings.classes_unusable');
      return null;
    });
    if (made) return made;
  }
  return reportPreparation(ref.manifest.id, 'evaluate', (note) =>
    make(ref, compiled, null, {
      signal,
      onProgress(progress) {
        note(progress);
        onProgress?.(progress);
      },
    }),
  );
}

async function make(
  ref: SnapshotRef,
  compiled: CompiledPolicy,
  classes: ReusableClasses | null,
  { signal, onProgress }: Options,
): Promise<RulesMeta> {
  const began = performance.now();
  const folder = getRulesFolder(ref.dir, compiled.hash);
  const reportShare =
    (from: number, to: number): OnProgress =>
    (part) =>
      onProgress?.({ done: from + (to - from) * (part.done / part.total), total: 1 });
  // Mark the folder as recently used, because `tidyRules` keeps the newest.
  if (classes) await utimes(classes.folder, new Date(), new Date());
  const temporary = getTemporaryRulesFolder(ref.dir, compiled.hash);
  await tidyRules(ref.dir, compiled.hash, findRunningHashes(ref.dir));
  await rm(temporary, { recursive: true, force: true });
  await mkdir(temporary, { mode: 0o700 });
  try {
    const meta = await withSource(
      ref,
      async (source) => {
        const written = classes
          ? await writeFromClasses(source, classes, compiled, temporary)
          : await writeRollup(source, compiled, temporary, { signal, onProgress: reportShare(0, PASS) });
        const { files, rests } = written;
        const ready: Omit<RulesMeta, 'checksums'> = {
          hash: compiled.hash,
          endedAt: ref.manifest.endedAt,
          keys: ref.manifest.keys,
          files,
          rests,
          evaluatedInMs: Math.round(performance.now() - began),
        };
        const rollup = rulesRollupSql(ref.dir, ready, temporary);
        await writeParquet(source, summarySql(rollup), [], path.join(temporary, SUMMARY_FILE));
        if (classes?.sameGroups) await copyGroups(classes.folder, temporary);
        else await writeGroups(temporary, await askGroups(source, compiled, rollup, reportShare(PASS, 1)));
        if (written.classes) await storeClasses(temporary, written.classes, compiled, ref.manifest);
        ready.evaluatedInMs = Math.round(performance.now() - began);
        return writeMeta(temporary, ready);
      },
      { signal, timeoutMs: TIMEOUT_MS },
    );
    await rm(folder, { recursive: true, force: true });
    await rename(temporary, folder).catch(async (error) => {
      // Another process was faster; its answer is the same.
      if (!(await readMeta(ref.dir, compiled.hash, ref.manifest))) throw error;
    });
    await fsyncFolder(ref.dir);
    await tidyRules(ref.dir, compiled.hash, findRunningHashes(ref.dir));
    return meta;
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}

const summarySql = (rollup: string) => `SELECT profile, zone,
    ${cutTemplateSql} AS template,
    violated, exempted, notEvaluated, sum(keys)::BIGINT AS keys, sum(bytes) AS bytes, sum(bytesUnknown)::BIGINT AS bytesUnknown,
    min(firstName) AS firstName, max(lastName) AS lastName, rest AND len(parts) <= ${SUMMARY_SEGMENTS} AS rest, NULL::UTINYINT AS styles
  FROM (SELECT *, string_split(template, ':') AS parts FROM ${rollup}) GROUP BY ALL ORDER BY template`;
