import { fork } from 'node:child_process';
import { config } from '@/lib/runtime/config';
import { hideSecretSettings } from '@/lib/runtime/environment';
import type { Program } from './kept-program';

/**
 * The two programs of one machine: this command started again, once per role. `command` = the file that was started.
 * Their settings, including secrets, are kept here and removed from the environment of the parent.
 */
export function defineOwnPrograms(command: string): { web: Program; worker: Program } {
  const settings = { ...process.env, ...resolvePlaces(), COLONNADE_PARENT: String(process.pid) };
  hideSecretSettings();
  const make = (name: Program['name']): Program => ({
    name,
    saysReady: true,
    start: () =>
      fork(command, ['serve'], {
        // With few malloc arenas freed memory returns to the system (docs/INSTALL.md, Memory).
        env: { MALLOC_ARENA_MAX: '2', ...settings, COLONNADE_ROLE: name },
        stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      }),
  });
  return { web: make('web'), worker: make('worker') };
}

/** Settings with absolute paths, because the web program works in the folder of the build. */
function resolvePlaces(): Record<string, string> {
  const { auditOutput } = config;
  const places = {
    COLONNADE_DATA: config.dataDir,
    COLONNADE_SNAPSHOTS: config.snapshotsDir,
    COLONNADE_OIDC: config.providersFile,
    COLONNADE_AUDIT_OUTPUT: auditOutput !== null && auditOutput !== 'stdout' ? auditOutput.file : null,
  };
  return Object.fromEntries(
    Object.entries(places).flatMap(([name, place]) =>
      place === null || (process.env[name] ?? '') === '' ? [] : [[name, place]],
    ),
  );
}
