/** The command line: the same verbs as the server, for terminals, cron and pipelines. */
export const COMMANDS: Record<string, () => Promise<{ run(args: string[]): Promise<number> }>> = {
  serve: () => import('./serve/serve'),
  worker: () => import('./worker'),
  scan: () => import('./commands/scan'),
  report: () => import('./commands/report'),
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
  jobs: () => import('./server-client/jobs'),
};
/** The same words of a Colonnade that runs elsewhere. */
export const SERVER_COMMANDS: typeof COMMANDS = {
  scan: () => import('./server-client/scan'),
  report: () => import('./server-client/report'),
};
