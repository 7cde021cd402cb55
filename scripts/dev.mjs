/**
 * `npm run dev`: runs the development server and the worker from their sources, on loopback, with the same defaults as
 * `npm start`. After a change of the worker's code it has to be restarted.
 */

import { fork } from 'node:child_process';
import { resolve } from 'node:path';
import { register } from 'tsx/esm/api';
import { endWithNpm } from './end-with-npm.mjs';
import { ensurePackages } from './ensure/packages.mjs';
import { root } from './run.mjs';

endWithNpm();
await ensurePackages();
register();
const { runPrograms } = await import('../cli/serve/run-programs.ts');

const host = process.env.HOST || '127.0.0.1';
const port = process.env.PORT || '3000';
/** `preload`: a module that the program loads before its own code. */
const defineProgram = (name, file, args, saysReady, preload) => ({
  name,
  saysReady,
  start: () =>
    fork(file, args, {
      cwd: root,
      execArgv: ['--import', preload],
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      env: {
        ...process.env,
        HOST: host,
        PORT: port,
        COLONNADE_DATA: resolve(root, process.env.COLONNADE_DATA || 'data'),
        COLONNADE_PARENT: String(process.pid),
        COLONNADE_ROLE: name,
        NEXT_TELEMETRY_DISABLED: '1',
      },
    }),
});
// Next's program does not notice that its parent has ended, so this preloaded module ends it.
const endWithParent = `data:text/javascript,process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'))`;
const next = ['dev', '--hostname', host, '--port', port, ...process.argv.slice(2)];
process.exit(
  await runPrograms(
    {
      web: defineProgram('web', 'node_modules/next/dist/bin/next', next, false, endWithParent),
      worker: defineProgram('worker', 'cli/colonnade.ts', ['serve'], true, 'tsx'),
    },
    false,
  ),
);
