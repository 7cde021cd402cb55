/**
 * Returns arguments for Node that make its process believe it runs on another machine with that host name. No process
 * on this machine can then see that it has died, so its jobs are taken over only after their lease has expired.
 */
export function asHost(name: string): string[] {
  const preload = [
    "import os from 'node:os';",
    "import { syncBuiltinESMExports } from 'node:module';",
    `os.hostname = () => ${JSON.stringify(name)};`,
    'syncBuiltinESMExports();',
  ].join('\n');
  return ['--import', `data:text/javascript,${encodeURIComponent(preload)}`];
}
