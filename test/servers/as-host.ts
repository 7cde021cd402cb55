/**
 * What Node is started with so that its process takes this machine for another one of that name. What it holds is then
 * known to nobody here as the work of a process that has died, and is taken over when the lease has run out.
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
