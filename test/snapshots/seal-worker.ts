/**
 * Seals the parts of a folder in a process of its own, which kills itself as `kill -9` does: some milliseconds after
 * the nth thing that was finished in a stage.
 *   node --import tsx test/snapshots/seal-worker.ts <folder> <sorting|sealing> <n> <ms>
 */
import { listParts } from '@/lib/snapshots/folder/folder';
import { sealSnapshot } from '@/lib/snapshots/seal/seal-snapshot';
import { manifestOf } from './make-snapshot';
import { TINY } from './tiny-ranges';

const [dir = '', stage = '', n = '', ms = ''] = process.argv.slice(2);
let seen = 0;
await sealSnapshot(dir, await listParts(dir), {
  limits: TINY,
  manifest: ({ keys, fileBytes }) => manifestOf({ id: 'killed', state: 'sealed', keys, fileBytes }),
  onProgress(progress) {
    if (progress.stage === stage && ++seen === Number(n))
      setTimeout(() => process.kill(process.pid, 'SIGKILL'), Number(ms));
  },
});
