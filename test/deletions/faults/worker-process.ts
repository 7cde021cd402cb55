import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { onTestFinished } from 'vitest';
import type { Fault } from './fault-proxy';
import { finishJob } from './finish-job';
import { type Fixture, openFixture } from './fixture';

/** Our side as a process of its own, that can be killed. In one file: it starts in half the time, and starts often. */
const root = fileURLToPath(new URL('../../..', import.meta.url));
let bundled: Promise<string> | null = null;

async function bundle(): Promise<string> {
  // Beside the packages, which it finds from there.
  const outfile = `${root}/node_modules/.cache/deletion-worker-${process.pid}.mjs`;
  const entry = `${root}/test/deletions/faults/deletion-worker.ts`;
  await build({ entryPoints: [entry], outfile, bundle: true, platform: 'node', format: 'esm', packages: 'external' });
  process.once('exit', () => rmSync(outfile, { force: true }));
  return outfile;
}

/** Carries out what is queued in this data folder. */
export async function startWorker(folder: string): Promise<ChildProcess> {
  bundled ??= bundle();
  const child = spawn(process.execPath, [await bundled], {
    env: { ...process.env, COLONNADE_DATA: folder, NODE_OPTIONS: '' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child.stdout as NodeJS.ReadableStream, 'data');
  return child;
}

/** Without a chance to say anything; resolves when it is gone. */
export async function killWorker(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL');
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
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
  await finishJob(stand, job, { ms: 60_000 });
  await killWorker(last);
}
