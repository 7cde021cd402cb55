import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { knownMigrations } from '@/lib/store/migrate';
import { bundle } from '../../scripts/bundle.mjs';
import { removeFolder, temporaryFolder } from '../servers/process';

const root = join(import.meta.dirname, '../..');
const ASKING = 'test/jobs/asking-worker.ts';

/** The program as it was before the newest step of migration: of the history of this checkout, with its packages. */
export interface VersionBefore {
  /** The newest step, which it does not know. */
  step: string;
  command: string;
  /** Registers a server in the store and queues a scan of it, as that version does. */
  askForScan(port: number): { instance: string; job: string };
  remove(): void;
}

export async function versionBefore(): Promise<VersionBefore> {
  const step = knownMigrations().at(-1) as string;
  const commit = commitBefore(`lib/store/migrations/${step}.ts`);
  const tree = temporaryFolder('colonnade-before-');
  const packed = join(tree, 'tree.tar');
  git('archive', `--output=${packed}`, commit);
  execFileSync('tar', ['-xf', packed, '-C', tree]);
  symlinkSync(join(root, 'node_modules'), join(tree, 'node_modules'));
  mkdirSync(join(tree, 'test/jobs'), { recursive: true });
  copyFileSync(join(root, ASKING), join(tree, ASKING));
  // Where it finds the native modules.
  const folder = join(root, 'node_modules/.cache', `version-before-${process.pid}`);
  const [command, asking] = [join(folder, 'colonnade.mjs'), join(folder, 'asking.mjs')];
  await bundle('cli/colonnade.ts', command, tree);
  await bundle(ASKING, asking, tree);
  removeFolder(tree);
  return {
    step,
    command,
    askForScan(port) {
      const env = { ...process.env, NODE_OPTIONS: '' };
      return JSON.parse(execFileSync(process.execPath, [asking, String(port)], { encoding: 'utf8', env }));
    },
    remove: () => removeFolder(folder),
  };
}

const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: 'pipe' }).trim();

/** The parent of the commit that brought the file; of one that is in no commit yet, the newest commit. */
function commitBefore(file: string): string {
  try {
    const brought = git('log', '--diff-filter=A', '--format=%H', '-1', '--', file);
    return git('rev-parse', '--verify', brought === '' ? 'HEAD' : `${brought}^`);
  } catch (error) {
    throw new Error(
      `An upgrade is tested with the program from before ${file}, and the history of this checkout does not reach so far. In a shallow clone: git fetch --unshallow. Without any history this test cannot run.`,
      { cause: error },
    );
  }
}
