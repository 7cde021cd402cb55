import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const NAMES = ['redis-server', 'valkey-server'];

/**
 * Finds the servers to test with: on PATH, and in the folders that COLONNADE_TEST_SERVERS names, separated as in PATH
 * (each holds `<name>/redis-server` or `<name>/valkey-server`). Each version appears once, oldest first.
 * @param {Record<string, string | undefined>} env
 * @returns {{ version: string, binary: string, valkey: boolean, number: number, onPath: boolean }[]} number: 602 = 6.2
 */
export function serverVersions(env = process.env) {
  const folders = (env.COLONNADE_TEST_SERVERS ?? '').split(delimiter).filter(Boolean);
  const given = folders.flatMap((folder) => {
    const binaries = binariesIn(readdirSync(folder).map((name) => join(folder, name)));
    if (binaries.length === 0) throw new Error(`COLONNADE_TEST_SERVERS: no server lies in a folder of ${folder}.`);
    return binaries.map((binary) => ({ binary, onPath: false }));
  });
  const installed = binariesIn((env.PATH ?? '').split(delimiter)).map((binary) => ({ binary, onPath: true }));
  const versions = [...given, ...installed].map(({ binary, onPath }) => ({ ...readVersion(binary), onPath }));
  // If two servers have the same version, the first one counts, so one in a folder wins over the one on PATH.
  const byVersion = new Map(versions.toReversed().map((server) => [server.version, server]));
  return [...byVersion.values()].sort((a, b) => a.number - b.number || a.version.localeCompare(b.version));
}

/**
 * Picks the servers of `npm test`: the oldest, the one on PATH, the newest Redis and the newest Valkey.
 * @template {{ valkey: boolean, onPath: boolean }} T
 * @param {T[]} versions oldest first
 * @returns {T[]}
 */
export function pickShortForm(versions) {
  const newest = [false, true].map((valkey) => versions.findLast((server) => server.valkey === valkey));
  const wanted = new Set([versions[0], versions.find(({ onPath }) => onPath), ...newest]);
  return versions.filter((server) => wanted.has(server));
}

/** @param {string[]} places */
const binariesIn = (places) =>
  [...new Set(places.flatMap((place) => NAMES.map((name) => join(place, name))))].filter((binary) =>
    existsSync(binary),
  );

/** @param {string} binary */
function readVersion(binary) {
  const output = execFileSync(binary, ['--version'], { encoding: 'utf8' });
  const [, major = '0', minor = '0', rest = ''] = /v=(\d+)\.(\d+)(\S*)/.exec(output) ?? [];
  const valkey = /^valkey/i.test(output);
  const version = `${valkey ? 'valkey' : 'redis'} ${major}.${minor}${rest}`;
  return { version, binary, valkey, number: Number(major) * 100 + Number(minor) };
}
