import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { takeOptions } from './parse-arguments';

type LoadCommand = () => Promise<{ run(args: string[]): Promise<number> }>;

/** The commands: the same verbs as the server, for terminals, cron and pipelines. */
export const COMMANDS: Record<string, LoadCommand> = {
  serve: () => import('./serve/serve'),
  worker: () => import('./worker'),
  scan: () => import('./commands/scan'),
  report: () => import('./commands/report'),
  compare: () => import('./commands/compare'),
  lint: () => import('./commands/lint'),
  rules: () => import('./commands/rules'),
  audit: () => import('./commands/audit'),
  keys: () => import('./commands/keys'),
  backup: () => import('./commands/backup'),
  restore: () => import('./commands/restore'),
  panic: () => import('./commands/panic'),
  store: () => import('./commands/store'),
  user: () => import('./accounts/user'),
  token: () => import('./accounts/token'),
  instances: () => import('./server-client/instances'),
  alerts: () => import('./server-client/alerts'),
  jobs: () => import('./server-client/jobs'),
  schedules: () => import('./server-client/schedules'),
  trends: () => import('./server-client/trends'),
};
/** Commands that run on a Colonnade server, maybe of another machine, instead of here. */
export const SERVER_COMMANDS: Record<string, LoadCommand> = {
  scan: () => import('./server-client/scan'),
  report: async () => ({ run: (await import('./commands/report')).runOnServer }),
  compare: async () => ({ run: (await import('./commands/compare')).compareOnServer }),
};

export const findCommand = (name: string, args: readonly string[]): LoadCommand | undefined =>
  isMeantForServer(name, args) ? SERVER_COMMANDS[name] : COMMANDS[name];

/**
 * Whether `scan`, `report` or `compare` should run on a server instead of a Redis or a folder: if --server is given, or if
 * COLONNADE_SERVER is set and no argument is a Redis URL (scan), or a path or a folder with a snapshot (report, compare).
 */
function isMeantForServer(name: string, args: readonly string[]): boolean {
  if (!(name in SERVER_COMMANDS)) return false;
  if (takeOptions(args).some((arg) => /^--server(=|$)/.test(arg))) return true;
  if (!process.env.COLONNADE_SERVER?.trim()) return false;
  return !args.some((arg) =>
    name === 'scan'
      ? /^rediss?:/.test(arg)
      : !arg.startsWith('-') && (/^\.{0,2}\//.test(arg) || existsSync(join(arg, 'snapshot.json'))),
  );
}
