import type { ChildProcess } from 'node:child_process';
import { onTestFinished } from 'vitest';
import type { Fault } from './fault-proxy';
import { finishJob } from './finish-job';
import { type Fixture, openFixture } from './fixture';
import { killWorker, spawnWorker, type WorkerName } from './spawn-worker';

export { killWorker };

/** Our side as a process of its own, that can be killed; gone with the test. */
export async function startWorker(folder: string, name?: WorkerName): Promise<ChildProcess> {
  const child = await spawnWorker(folder, name);
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

/** Lets a process work until it sends a chosen command, and kills it there. */
export async function crashAt(fixture: Fixture, fault: Fault): Promise<void> {
  const { held, started } = await fixture.strike(fault, () => startWorker(fixture.folder));
  await killWorker(started);
  held.drop();
}

/** A fixture whose jobs are carried out by such processes alone. */
export async function openWithWorkers(kinds: Parameters<typeof openFixture>[0]): Promise<Fixture> {
  const fixture = await openFixture(kinds, { ownRunner: true, longer: true });
  onTestFinished(() => fixture.close());
  return fixture;
}

/** The last process is left to end the job. */
export async function finishWithWorker({ folder, stand }: Fixture, job: string): Promise<void> {
  const last = await startWorker(folder);
  await finishJob(stand, job);
  await killWorker(last);
}
