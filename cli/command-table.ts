/** The commands: the same verbs as the server, for terminals, cron and pipelines. */
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
/** Commands that run on another machine's Colonnade server instead. */
export const SERVER_COMMANDS: typeof COMMANDS = {
  scan: () => import('./server-client/scan'),
  report: () => import('./server-client/report'),
};
