/** `npm run dev`: the development server on loopback, with the same defaults as `npm start`. */

import { spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { endWithNpm } from './end-with-npm.mjs';
import { ensurePackages } from './ensure/packages.mjs';
import { root } from './run.mjs';

endWithNpm();
await ensurePackages();
const host = process.env.HOST || '127.0.0.1';
const port = process.env.PORT || '3000';
const child = spawn(
  process.execPath,
  ['node_modules/next/dist/bin/next', 'dev', '--hostname', host, '--port', port, ...process.argv.slice(2)],
  {
    cwd: root,
    stdio: 'inherit',
    env: {
      ...process.env,
      HOST: host,
      PORT: port,
      COLONNADE_DATA: resolve(root, process.env.COLONNADE_DATA || 'data'),
      NEXT_TELEMETRY_DISABLED: '1',
    },
  },
);
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
child.on('exit', (code) => process.exit(code ?? 0));
