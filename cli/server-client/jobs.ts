import { EXIT, UsageError } from '@/cli/exit';
import { print, printJson, printLine } from '@/cli/print';
import { formatPlainTable } from '@/cli/units';
import type { ServerJob } from './answer-shapes';
import { askOnce, keepAsking } from './keep-asking';
import { readArguments, readServerAccess } from './server-access';

const formatProgress = ({ progress }: ServerJob): string => {
  if (progress === null) return '—';
  const done = `${progress.done.toLocaleString('en-US')} ${progress.unit}`;
  return progress.total ? `${Math.min(100, Math.floor((progress.done * 100) / progress.total))} % (${done})` : done;
};

/** `colonnade jobs --server URL` lists jobs, newest first; `colonnade jobs cancel ID --server URL` cancels one. */
export async function run(args: string[]): Promise<number> {
  const { values, positionals } = readArguments(args, { active: { type: 'boolean' } });
  const [command, id, ...more] = positionals;
  const cancels = command === 'cancel' && id !== undefined && /^[A-Za-z0-9_-]{1,64}$/.test(id);
  if (more.length > 0 || (command !== undefined && !cancels))
    throw new UsageError('The jobs command is: colonnade jobs --server URL, or colonnade jobs cancel ID --server URL');
  const access = readServerAccess(values);
  if (cancels) {
    const unknown = 'Whether it was cancelled is not known: see colonnade jobs.';
    const { job } = await askOnce(access, 'POST /api/jobs/{id}/cancel', { id }, unknown);
    if (values.json) await printJson(job);
    else printLine(`The job ${job.id} is ${job.state}.`);
    return EXIT.fine;
  }
  const query = { active: values.active ? ('1' as const) : null };
  const { jobs } = await keepAsking(access, 'GET /api/jobs', { query });
  if (values.json) await printJson(jobs);
  else if (jobs.length === 0) process.stderr.write('There are no jobs that the token sees.\n');
  else
    await print(
      formatPlainTable(
        ['id', 'kind', 'instance', 'state', 'progress', 'begun (UTC)', 'by'],
        jobs.map((job) => [
          job.id,
          job.kind,
          job.instanceName ?? '—',
          job.reason ? `${job.state}: ${job.reason.code.replaceAll('_', ' ')}` : job.state,
          formatProgress(job),
          new Date(job.createdAt).toISOString().slice(0, 16),
          job.actor,
        ]),
      ),
    );
  return EXIT.fine;
}
