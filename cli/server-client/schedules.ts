import { EXIT, UsageError } from '@/cli/exit';
import { print, printJson, printLine } from '@/cli/print';
import { formatPlainTable, safe } from '@/cli/units';
import { findInstance } from './find-instance';
import { askOnce, keepAsking } from './keep-asking';
import { readArguments, readServerAccess, type ServerAccess } from './server-access';

const USAGE = 'The schedules command is: colonnade schedules [runs | add NAME | remove NAME | on NAME | off NAME]';
const UNKNOWN = 'Whether it was carried out is not known: see colonnade schedules.';
const OPTIONS = {
  instance: { type: 'string', multiple: true },
  tag: { type: 'string', multiple: true },
  environment: { type: 'string' },
  cron: { type: 'string' },
  zone: { type: 'string' },
  speed: { type: 'string' },
} as const;

const formatTime = (at: number | null) => (at === null ? '—' : new Date(at).toISOString().slice(0, 16));

/** `colonnade schedules --server URL` lists schedules; with a word after it: their runs, or a change of one. */
export async function run(args: string[]): Promise<number> {
  const { values, positionals } = readArguments(args, OPTIONS);
  const [command = 'list', name, ...more] = positionals;
  const takesName = ['add', 'remove', 'on', 'off'].includes(command);
  if (more.length > 0 || takesName !== (name !== undefined) || !(takesName || ['list', 'runs'].includes(command)))
    throw new UsageError(USAGE);
  const access = readServerAccess(values);
  if (command === 'runs') return listRuns(access, values.json === true);
  const { schedules } = await keepAsking(access, 'GET /api/schedules', {});
  if (command === 'list') {
    if (values.json) await printJson(schedules);
    else if (schedules.length === 0) process.stderr.write('There are no schedules that the token sees.\n');
    else
      await print(
        formatPlainTable(
          ['name', 'cron', 'zone', 'instances', 'next (UTC)', 'by'],
          schedules.map(({ name: called, cron, zone, instances, nextAt, by }) => [
            called,
            cron,
            zone,
            instances.map((instance) => instance.name).join(', ') || '—',
            nextAt === null ? 'off' : formatTime(nextAt),
            by,
          ]),
        ),
      );
    return EXIT.fine;
  }
  if (command === 'add') {
    const body = await readNewSchedule(access, name!, values);
    const { schedule } = await askOnce(access, 'POST /api/schedules', { body }, UNKNOWN);
    if (values.json) await printJson(schedule);
    else printLine(`The schedule ${safe(schedule.name)} is due next at ${formatTime(schedule.nextAt)} UTC.`);
    return EXIT.fine;
  }
  const found = schedules.find((schedule) => schedule.name === name || schedule.id === name);
  if (found === undefined) throw new UsageError(`The token sees no schedule "${safe(name!)}".`);
  if (command === 'remove') {
    await askOnce(access, 'DELETE /api/schedules/{id}', { id: found.id }, UNKNOWN);
    printLine(`The schedule ${safe(found.name)} is removed.`);
    return EXIT.fine;
  }
  const { id, by, createdAt, updatedAt, nextAt, instances, ...input } = found;
  const body = { ...input, on: command === 'on' };
  const { schedule } = await askOnce(access, 'PUT /api/schedules/{id}', { id, body }, UNKNOWN);
  printLine(`The schedule ${safe(schedule.name)} is ${schedule.on ? 'on' : 'off'}.`);
  return EXIT.fine;
}

async function listRuns(access: ServerAccess, json: boolean): Promise<number> {
  const { runs } = await keepAsking(access, 'GET /api/schedules/runs', { query: {} });
  if (json) await printJson(runs);
  else
    await print(
      formatPlainTable(
        ['due (UTC)', 'schedule', 'instance', 'outcome', 'reason'],
        runs.map(({ dueAt, scheduleName, instanceName, state, jobState, reason }) => [
          formatTime(dueAt),
          scheduleName,
          instanceName,
          jobState ?? state,
          reason?.replaceAll('_', ' ') ?? '',
        ]),
      ),
    );
  return EXIT.fine;
}

/** The schedule of the options. Throws UsageError. */
async function readNewSchedule(
  access: ServerAccess,
  name: string,
  values: ReturnType<typeof readArguments<typeof OPTIONS>>['values'],
) {
  const { cron, zone = 'UTC', instance = [], tag = [], environment, speed } = values;
  if (cron === undefined) throw new UsageError('When? --cron "10 3 * * *", and --zone Europe/Berlin (default UTC).');
  const kinds = [instance.length > 0, tag.length > 0, environment !== undefined].filter(Boolean).length;
  if (kinds !== 1) throw new UsageError('Which instances? One of --instance NAME…, --tag TAG… and --environment NAME.');
  const options = speed === undefined ? {} : { speed: speed as 'gentle' };
  const rest = { name, cron, zone, options };
  if (environment !== undefined) return { ...rest, targets: { by: 'environment' as const, environment } };
  if (tag.length > 0) return { ...rest, targets: { by: 'tags' as const, tags: tag } };
  const ids: string[] = [];
  for (const one of instance) ids.push((await findInstance(access, one)).id);
  return { ...rest, targets: { by: 'instances' as const, ids } };
}
