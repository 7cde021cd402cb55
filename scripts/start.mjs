/**
 * `npm start`: the production server, in this process, so that a signal reaches it directly.
 * PORT (3000), HOST (127.0.0.1), COLONNADE_DATA (./data). COLONNADE_SINGLE_USER=1: nobody signs in, on this machine
 * only.
 */

import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { endWithNpm } from './end-with-npm.mjs';
import { ensureBuild, SERVER } from './ensure/build.mjs';
import { ensurePackages } from './ensure/packages.mjs';
import { isFree } from './free-port.mjs';
import { note, root, stop } from './run.mjs';

endWithNpm();
// A server that was copied somewhere without its sources starts as it is.
if (existsSync(join(root, 'app'))) {
  await ensurePackages();
  await ensureBuild();
}

// Its own TLS is a matter of the command, which does the same and has it.
if (process.env.COLONNADE_TLS_CERT || process.env.COLONNADE_TLS_KEY) {
  const command = join(root, 'dist/colonnade.mjs');
  process.argv.splice(1, process.argv.length, command, 'serve');
  await import(pathToFileURL(command).href);
  await new Promise(() => {});
}

const host = process.env.HOST || '127.0.0.1';
const port = Number(process.env.PORT || 3000);
if (!Number.isInteger(port) || port < 1 || port > 65535)
  stop(`PORT must be a number from 1 to 65535, not “${process.env.PORT}”.`);
if (!(await isFree(port, host)))
  stop(`Port ${port} on ${host} is in use. Choose another one:  PORT=${port + 1} npm start`);

const loopback = /^(localhost|127\.\d+\.\d+\.\d+|::1|\[::1\])$/i.test(host);
if (!loopback && process.env.COLONNADE_SINGLE_USER?.trim() === '1')
  stop(
    `HOST=${host} can be reached from other machines, and with COLONNADE_SINGLE_USER=1 everybody there is the administrator.\n` +
      'Remove COLONNADE_SINGLE_USER, so that people sign in.',
  );

const data = resolve(root, process.env.COLONNADE_DATA || 'data');
process.env.NODE_ENV = 'production';
process.env.NEXT_TELEMETRY_DISABLED = '1';
process.env.COLONNADE_DATA = data;
process.env.HOST = host;
process.env.HOSTNAME = host;
process.env.PORT = String(port);

const shown = host.includes(':') ? `[${host}]` : host;
note(`Colonnade: http://${shown}:${port}   data: ${data}`);
if (loopback) note('Reachable from this machine only. Set HOST to listen elsewhere.');
else note('Listening beyond this machine. Put TLS in front of it: passwords and sessions cross the network.');

// Next lists the address that it listens on once more, as that of a network, which it may not be.
const { log } = console;
console.log = (...parts) => {
  if (String(parts[0]).startsWith('- Network:')) console.log = log;
  else log(...parts);
};
await import(pathToFileURL(SERVER).href);
