import { evaluate } from '@/lib/findings/evaluate/evaluate';
import { compilePolicy, policyFacts } from '@/lib/findings/policy/compile-policy';
import { serveTask, type TaskTable } from '@/lib/offload/serve-task';
import { makeRollup } from '@/lib/rollup/make-rollup';
import { readManifest } from '@/lib/snapshots/folder/manifest';
import { limitMemory } from '@/lib/snapshots/query/duckdb';
import { sealSnapshot } from '@/lib/snapshots/seal/seal-snapshot';
import { sortPart } from '@/lib/snapshots/seal/sort-part';

/**
 * The process that does heavy tasks on snapshots, one at a time, and ends: started by the server (lib/offload), bundled
 * beside it by the build. It opens no control database and connects to nothing.
 */
const tasks: TaskTable = {
  async 'sort-part'({ dir, part, bigkeys }) {
    await sortPart(dir, part, { bigkeys });
  },
  async seal({ dir, parts, bigkeys }, report) {
    await sealSnapshot(dir, parts, { bigkeys, onProgress: report });
  },
  async 'roll-up'({ dir, bigkeys }, report) {
    const onProgress = (progress: { done: number; total: number }) => report({ stage: 'roll-up', ...progress });
    await makeRollup({ dir, manifest: await readManifest(dir), bigkeys }, { onProgress });
  },
  async evaluate({ dir, policy }, report) {
    const manifest = await readManifest(dir);
    const compiled = compilePolicy(policy, policyFacts(manifest));
    await evaluate({ dir, manifest }, compiled, undefined, (progress) => report({ stage: 'evaluate', ...progress }));
  },
};

serveTask(tasks, limitMemory);
