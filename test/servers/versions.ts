import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { serverBinary } from './process';

export interface ServerVersion {
  /** `redis 6.2.16`. */
  version: string;
  binary: string;
  valkey: boolean;
  /** 602 = 6.2. */
  number: number;
}

/**
 * Servers of other versions: COLONNADE_TEST_SERVERS names a folder with one folder per version, and in each of them a
 * redis-server or valkey-server. Without it: the one that all tests use.
 */
export function serverVersions(from: number): ServerVersion[] {
  const folder = process.env.COLONNADE_TEST_SERVERS;
  const binaries = folder
    ? readdirSync(folder).flatMap((one) => ['redis-server', 'valkey-server'].map((name) => join(folder, one, name)))
    : [serverBinary()];
  const found = binaries.filter((binary) => existsSync(binary)).map(versionOf);
  if (found.length === 0) throw new Error(`COLONNADE_TEST_SERVERS: no server lies in a folder of ${folder}.`);
  return found.filter(({ number }) => number >= from).sort((a, b) => a.number - b.number);
}

function versionOf(binary: string): ServerVersion {
  const reported = execFileSync(binary, ['--version'], { encoding: 'utf8' });
  const [, major = '0', minor = '0', rest = ''] = /v=(\d+)\.(\d+)(\S*)/.exec(reported) ?? [];
  const valkey = /^valkey/i.test(reported);
  const version = `${valkey ? 'valkey' : 'redis'} ${major}.${minor}${rest}`;
  return { version, binary, valkey, number: Number(major) * 100 + Number(minor) };
}
