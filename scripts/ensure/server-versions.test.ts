import { chmodSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { expect, it } from 'vitest';
import { pickShortForm, serverVersions } from './server-versions.mjs';

/** Creates a folder of fake server programs that only print their version. */
function makeFolder(...servers: [name: string, version: string][]): string {
  const folder = mkdtempSync(join(tmpdir(), 'servers-'));
  for (const [name, version] of servers) {
    const program = join(folder, version, name);
    mkdirSync(join(folder, version));
    const title = name === 'valkey-server' ? 'Valkey' : 'Redis';
    writeFileSync(program, `#!/bin/sh\necho "${title} server v=${version} sha=0"\n`);
    chmodSync(program, 0o755);
  }
  return folder;
}

const env = {
  COLONNADE_TEST_SERVERS: [
    makeFolder(['redis-server', '2.8.24'], ['redis-server', '8.0.6'], ['valkey-server', '8.0.1']),
    makeFolder(['redis-server', '7.4.1'], ['valkey-server', '9.1.2']),
  ].join(delimiter),
  PATH: join(makeFolder(['redis-server', '7.0.15']), '7.0.15'),
};

it('finds the servers of every folder and of PATH, oldest first', () => {
  expect(serverVersions(env).map(({ version }) => version)).toEqual([
    ...['redis 2.8.24', 'redis 7.0.15', 'redis 7.4.1', 'redis 8.0.6', 'valkey 8.0.1', 'valkey 9.1.2'],
  ]);
});

it('takes the oldest, the installed one, the newest Redis and the newest Valkey in the short form', () => {
  const versions = (settings: typeof env) => pickShortForm(serverVersions(settings)).map(({ version }) => version);
  expect(versions(env)).toEqual(['redis 2.8.24', 'redis 7.0.15', 'redis 8.0.6', 'valkey 9.1.2']);
  expect(versions({ ...env, COLONNADE_TEST_SERVERS: '' })).toEqual(['redis 7.0.15']);
});

it('refuses a folder without a server, also beside one that has some', () => {
  const empty = makeFolder();
  const both = { ...env, COLONNADE_TEST_SERVERS: `${env.COLONNADE_TEST_SERVERS}${delimiter}${empty}` };
  expect(() => serverVersions(both)).toThrow(`no server lies in a folder of ${empty}`);
});
