import { execFileSync } from 'node:child_process';
import { afterAll, beforeAll, vi } from 'vitest';
import { endKeptWorker } from '@/lib/offload/kept-worker';
import { bundledProgram } from '@/test/servers/bundled-program';
import { temporaryData } from '@/test/temporary-data';

/** The worker as the server starts it, a real process each time. Answers where the data lies, and its program. */
export function withWorkerFromSources(): { dir: string; program: string } {
  const used = { dir: '', program: '' };
  let data: ReturnType<typeof temporaryData>;
  beforeAll(async () => {
    data = temporaryData();
    used.dir = data.dir;
    used.program = await bundledProgram('snapshot-worker.ts');
    vi.stubEnv('COLONNADE_WORKER', used.program);
    vi.stubEnv('COLONNADE_WORKER_MIN_KEYS', '1000');
  });
  afterAll(async () => {
    endKeptWorker();
    vi.unstubAllEnvs();
    await data.remove();
  });
  return used;
}

/** Workers whose parent is `of`. */
export function workers(of = process.pid): number[] {
  const listed = execFileSync('ps', ['-eo', 'pid=,ppid=,args='], { encoding: 'utf8' });
  return listed.split('\n').flatMap((line) => {
    const [, pid, parent, args = ''] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? [];
    return Number(parent) === of && args.includes('snapshot-worker-') ? [Number(pid)] : [];
  });
}
