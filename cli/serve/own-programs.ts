import { fork } from 'node:child_process';
import { config } from '@/lib/runtime/config';
import { hideSecretSettings } from '@/lib/runtime/environment';
import type { Program } from './kept-program';

/**
 * The two programs of one machine: this command started again, once per role. `command`: the file that was started.
 * Their settings, including secrets, are kept here and removed from the environment of the parent.
 */
export function defineOwnPrograms(command: string): { web: Program; worker: Program } {
  const settings = { ...process.env, ...resolvePaths(), COLONNADE_PARENT: String(process.pid) };
  hideSecretSettings();
  const define = (name: Program['name']): Program => ({
    name,
    saysReady: true,
    start: () =>
      fork(command, ['serve'], {
        // With few malloc arenas freed memory returns to the system (docs/INSTALL.md, Memory).
        env: { MALLOC_ARENA_MAX: '2', ...settings, COLONNADE_ROLE: name },
        stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      }),
  });
  return { web: define('web'), worker: define('worker') };
}

/** Those settings that are paths and are set, as absolute paths, because the web program works in another folder. */
function resolvePaths(): Record<string, string> {
  const { auditOutput } = config;
  const paths = {
    COLONNADE_DATA: config.dataDir,
    COLONNADE_SNAPSHOTS: config.snapshotsDir,
    COLONNADE_OIDC: config.providersFile,
    COLONNADE_AUDIT_OUTPUT: auditOutput !== null && auditOutput !== 'stdout' ? auditOutput.file : null,
  };
  return Object.fromEntries(
    Object.entries(paths).flatMap(([name, path]) =>
      path === null || (process.env[name] ?? '') === '' ? [] : [[name, path]],
    ),
  );
}
