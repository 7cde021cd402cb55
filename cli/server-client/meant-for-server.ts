import { existsSync } from 'node:fs';
import { join } from 'node:path';

/**
 * `scan` and `report` work on a Redis or a folder, or on a server where one is named. Named by COLONNADE_SERVER alone,
 * whatever is plainly a Redis or a folder with a snapshot stays one.
 */
export function meantForServer(name: string, args: readonly string[]): boolean {
  if (name !== 'scan' && name !== 'report') return false;
  const options = args.slice(0, args.includes('--') ? args.indexOf('--') : args.length);
  if (options.some((arg) => /^--server(=|$)/.test(arg))) return true;
  if (!process.env.COLONNADE_SERVER?.trim()) return false;
  return !args.some((arg) =>
    name === 'scan'
      ? /^rediss?:/.test(arg)
      : !arg.startsWith('-') && (/^\.{0,2}\//.test(arg) || existsSync(join(arg, 'snapshot.json'))),
  );
}
