import { existsSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Whether `scan` or `report` should run on a server instead of a Redis or a folder: if --server is given, or if
 * COLONNADE_SERVER is set and no argument is a Redis URL (scan), or a path or a folder with a snapshot (report).
 */
export function isMeantForServer(name: string, args: readonly string[]): boolean {
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
