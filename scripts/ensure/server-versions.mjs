import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const NAMES = ['redis-server', 'valkey-server'];

/**
 * Servers to test with: on PATH, and where COLONNADE_TEST_SERVERS names a folder, in its folders (`<name>/redis-server`
 * or `<name>/valkey-server`). Oldest first, each version once.
 * @returns {{ version: string, binary: string, valkey: boolean, number: number }[]} number: 602 = 6.2
 */
export function serverVersions(env = process.env) {
  const folder = env.COLONNADE_TEST_SERVERS;
  const inFolder = folder ? readdirSync(folder).map((one) => join(folder, one)) : [];
  const found = [...inFolder, ...(env.PATH ?? '').split(delimiter)]
    .flatMap((place) => NAMES.map((name) => join(place, name)))
    .filter((binary) => existsSync(binary));
  if (folder && !found.some((binary) => binary.startsWith(folder)))
    throw new Error(`COLONNADE_TEST_SERVERS: no server lies in a folder of ${folder}.`);
  const versions = [...new Set(found)].map(versionOf);
  const once = new Map(versions.toReversed().map((one) => [one.version, one]));
  return [...once.values()].sort((a, b) => a.number - b.number || a.version.localeCompare(b.version));
}

/** @param {string} binary */
function versionOf(binary) {
  const output = execFileSync(binary, ['--version'], { encoding: 'utf8' });
  const [, major = '0', minor = '0', rest = ''] = /v=(\d+)\.(\d+)(\S*)/.exec(output) ?? [];
  const valkey = /^valkey/i.test(output);
  const version = `${valkey ? 'valkey' : 'redis'} ${major}.${minor}${rest}`;
  return { version, binary, valkey, number: Number(major) * 100 + Number(minor) };
}
