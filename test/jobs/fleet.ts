import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { registerInstance } from '@/lib/instances/register-instance';
import { resumeJob } from '@/lib/jobs/resume-job';
import { LOCAL_ADMIN } from '@/lib/model/actor';
import type { JobState } from '@/lib/model/job-states';
import { InstanceInput } from '@/lib/model/servers/instance';
import { getStoredJob } from '@/lib/store/jobs';
import { commandFile } from '@/test/servers/command-file';
import type { RedisServer } from '@/test/servers/redis';

/** Runs `colonnade worker` in a separate process, with the environment of this one. */
export interface WorkerProcess {
  child: ChildProcess;
  said(): string;
  /** Resolves when it runs jobs; throws an error with its output if it ends before. */
  ready(): Promise<void>;
  end(signal: NodeJS.Signals): Promise<number | null>;
}

/** `command` is the file of the command, for tests with another version. */
export function startWorkerProcess(env: Record<string, string> = {}, command = commandFile()): WorkerProcess {
  const child = spawn(process.execPath, [command, 'worker'], {
    env: { ...process.env, NODE_OPTIONS: '', COLONNADE_LOG: 'info', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (data) => {
      text += data;
    });
  return {
    child,
    said: () => text,
    async ready() {
      const until = Date.now() + 90_000;
      while (!text.includes('engine.started')) {
        if (child.exitCode !== null || Date.now() > until) throw new Error(`No worker: ${text}`);
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    },
    async end(signal) {
      if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
      const exit = once(child, 'exit');
      child.kill(signal);
      return (await exit)[0];
    },
  };
}

/**
 * Returns the state of a job. Its worker has the latency limits that are shipped, so on a busy machine the job may ask
 * for a confirmation, which is given here.
 */
export async function readState(id: string): Promise<JobState | undefined> {
  const job = (await getStoredJob(id))?.job;
  if (job?.state === 'paused' && job.reason?.code === 'critical_latency') await resumeJob(LOCAL_ADMIN, id);
  return job?.state;
}

export const register = (name: string, { host, port }: RedisServer, more: Record<string, unknown> = {}) =>
  registerInstance(
    LOCAL_ADMIN,
    InstanceInput.parse({ name, topology: 'standalone', endpoints: [{ host, port }], ...more }),
  );
