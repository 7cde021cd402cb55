import type { ChildProcess } from 'node:child_process';
import { onTestFinished } from 'vitest';
import type { Fault } from './fault-proxy';
import { finishJob } from './finish-job';
import { type Fixture, openFixture } from './fixture';
import { killWorker, spawnWorker, type WorkerName } from './spawn-worker';

export { killWorker };

/** Starts a separate process that runs deletions and can be killed; it ends with the test. */
export async function startWorker(folder: string, name?: WorkerName): Promise<ChildProcess> {
  const child = await spawnWorker(folder, name);
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

/** Lets a process work until it sends a chosen command, and kills it at that moment. */
export async function crashAt(fixture: Fixture, fault: Fault): Promise<void> {
  const { held, started } = await fixture.strike(fault, () => startWorker(fixture.folder));
  await killWorker(started);
  held.drop();
}

/** Opens a fixture whose jobs only run in such processes. */
export async function openWithWorkers(kinds: Parameters<typeof openFixture>[0]): Promise<Fixture> {
  const fixture = await openFixture(kinds, { ownRunner: true, longer: true });
  onTestFinished(() => fixture.close());
  return fixture;
}

/** Lets one last process finish the job. */
export async function finishWithWorker({ folder, stand }: Fixture, job: string): Promise<void> {
  const last = await startWorker(folder);
  await finishJob(stand, job);
  await killWorker(last);
}
