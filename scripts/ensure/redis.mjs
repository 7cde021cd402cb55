import { existsSync } from 'node:fs';
import { run, stop, which } from '../run.mjs';
import { aptInstall, howToInstall, mayInstall } from './system-package.mjs';

const findServer = () => which('redis-server') ?? which('valkey-server');

/** Stops the system-wide Redis that apt starts on port 6379: only its program is needed. */
async function stopService() {
  if (existsSync('/run/systemd/system')) {
    await run('systemctl', ['disable', '--now', 'redis-server'], { quiet: true });
  } else {
    await run('/bin/sh', ['-c', 'service redis-server stop'], { quiet: true });
  }
}

/** Returns the path of a redis-server or valkey-server for the demo and the tests; installs one if it can. */
export async function ensureRedis() {
  const found = findServer();
  if (found) return found;
  if (mayInstall() && (await aptInstall('redis-server'))) {
    await stopService();
    const installed = findServer();
    if (installed) return installed;
  }
  const names = { apt: 'redis-server', dnf: 'valkey', apk: 'redis', pacman: 'valkey', brew: 'redis' };
  return stop(`A redis-server or valkey-server is needed on PATH. ${howToInstall(names)}`);
}
