/**
 * Seals the parts of a folder in a process of its own, which kills itself as `kill -9` does when the nth file of the
 * folder in which sealing writes is there, or (0) when all are and the description is to be written.
 *   node --import tsx test/snapshots/seal-worker.ts <folder> <files>
 */
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { listParts } from '@/lib/snapshots/folder/folder';
import { sealSnapshot } from '@/lib/snapshots/seal/seal-snapshot';

const [dir = '', files = ''] = process.argv.slice(2);
const die = () => process.kill(process.pid, 'SIGKILL');

function written(): number {
  const folder = readdirSync(dir).find((name) => name.startsWith('sealing-'));
  return folder === undefined ? 0 : readdirSync(path.join(dir, folder)).length;
}
const timer = setInterval(() => {
  if (Number(files) > 0 && written() >= Number(files)) die();
}, 1);
await sealSnapshot(dir, await listParts(dir), {
  groupRows: 2048,
  manifest: () => {
    clearInterval(timer);
    die();
    return new Promise(() => {});
  },
});
