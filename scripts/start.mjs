/**
 * `npm start`: builds if needed and then runs `colonnade serve`, with the same settings.
 * PORT (3000), HOST (127.0.0.1), COLONNADE_DATA (./data). COLONNADE_SINGLE_USER=1 turns off sign-in; it is allowed only
 * on this machine.
 */

import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { endWithNpm } from './end-with-npm.mjs';
import { COMMAND, ensureBuild } from './ensure/build.mjs';
import { ensurePackages } from './ensure/packages.mjs';
import { root } from './run.mjs';

endWithNpm();
// A server that was copied without its sources can only be started.
if (existsSync(join(root, 'app'))) {
  await ensurePackages();
  await ensureBuild();
}
process.env.COLONNADE_DATA = resolve(root, process.env.COLONNADE_DATA || 'data');
process.argv.splice(1, process.argv.length, COMMAND, 'serve');
await import(pathToFileURL(COMMAND).href);
