import { setTimeout as wait } from 'node:timers/promises';
import { CommandFailed, EXIT, UsageError } from '@/cli/exit';
import { FINDINGS_OPTIONS, parseFailOn, parseFormat } from '@/cli/fail-on';
import { printScan } from '@/cli/output/print-results';
import { ProgressLine } from '@/cli/output/progress-line';
import { safe } from '@/cli/units';
import { SINCE_BASELINE } from '@/lib/model/comparison/comparison-words';
import { Speed } from '@/lib/model/job';
import { ENDED_STATES } from '@/lib/model/job-states';
import type { ServerJob } from './answer-shapes';
import { findInstance } from './find-instance';
import { askOnce, keepAsking } from './keep-asking';
import { readArguments, readServerAccess, type ServerAccess } from './server-access';
import { openSnapshotOfServer } from './server-snapshot';

/** Long enough for an upgrade of the server or a network outage; the job continues without this command. */
const RETRY_FOR_MS = 15 * 60_000;
const POLL_MS = 1000;

/** Waits until the job has ended, however long that takes, even while it is paused. */
async function followJob(access: ServerAccess, begun: ServerJob): Promise<ServerJob> {
  const line = new ProgressLine(process.stderr);
  const report = (text: string) => {
    line.end();
    process.stderr.write(`colonnade: ${safe(text)}\n`);
  };
  try {
    let paused = false;
    for (let job = begun; ; ) {
      if (ENDED_STATES.includes(job.state)) return job;
      if (job.state === 'paused' && !paused) report('The scan is paused; waiting until a user resumes it.');
      paused = job.state === 'paused';
      const { progress, reason } = job;
      // Not escaped here: guardOutput escapes standard error, except for the sequence that redraws this line.
      line.update({ reason, ...(progress !== null && { progress }) });
      await wait(POLL_MS);
      const answer = await keepAsking(
        access,
        'GET /api/jobs/{id}',
        { id: begun.id },
        {
          forMs: RETRY_FOR_MS,
          onInterrupted: (why) =>
            report(`The server ${why.replace(/^https?:\S+ /, '')}; trying again. The scan continues.`),
        },
      );
      job = answer.job;
    }
  } finally {
    line.end();
  }
}

const OPTIONS = {
  speed: { type: 'string' },
  since: { type: 'string' },
  ...FINDINGS_OPTIONS,
} as const;

/** `colonnade scan --server URL INSTANCE`: the server scans; this command waits and prints the result. */
export async function run(args: string[]): Promise<number> {
  const { values, positionals } = readArguments(args, OPTIONS);
  const [nameOrId, ...more] = positionals;
  if (nameOrId === undefined || more.length > 0) throw new UsageError('Give the name or the id of one instance.');
  const format = parseFormat(values);
  const fails = parseFailOn(values['fail-on']);
  const speed = Speed.safeParse(values.speed ?? 'gentle');
  if (!speed.success) throw new UsageError(`--speed takes ${Speed.options.join(', ')}.`);
  const access = readServerAccess(values);
  const instance = await findInstance(access, nameOrId);
  const job = await startAndFollow(access, instance.id, speed.data);
  const withFindings = fails.strengths.length > 0 || values.since !== undefined || format === 'sarif';
  return printScan(openSnapshotOfServer(access, requireSnapshotId(job)), {
    format,
    fails,
    since: values.since ?? (fails.onlyNew ? SINCE_BASELINE : undefined),
    withFindings,
  });
}

/**
 * Starts a scan and returns the job when it has ended. If this command is interrupted, the scan continues on the
 * server. Before the answer to the start request arrives, the id of the job is unknown.
 */
async function startAndFollow(access: ServerAccess, instanceId: string, speed: Speed): Promise<ServerJob> {
  const unknown = 'Whether the scan was started is not known: see colonnade jobs.';
  let job: ServerJob | null = null;
  const leave = () => {
    const cancel = job && `colonnade jobs cancel ${job.id} --server ${access.origin.origin}`;
    process.stderr.write(cancel ? `\nThe scan continues on the server. Cancel it with: ${cancel}\n` : `\n${unknown}\n`);
    process.exit(EXIT.interrupted);
  };
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  for (const signal of signals) process.on(signal, leave);
  try {
    job = (await askOnce(access, 'POST /api/instances/{id}/scans', { id: instanceId, body: { speed } }, unknown)).job;
    return await followJob(access, job);
  } finally {
    for (const signal of signals) process.off(signal, leave);
  }
}

function requireSnapshotId({ id, state, error, snapshotId }: ServerJob): string {
  if (state === 'cancelled') throw new CommandFailed(`The scan ${id} was cancelled.`, EXIT.interrupted);
  if (state === 'failed' || snapshotId === null)
    throw new CommandFailed(
      `The scan ${id} failed: ${safe((error?.message ?? 'the server does not say why').slice(0, 500))}`,
      error?.code.startsWith('redis_') ? EXIT.connection : EXIT.failed,
    );
  return snapshotId;
}
