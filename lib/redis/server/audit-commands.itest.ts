import { afterEach, expect, it } from 'vitest';
import { COMMAND_NAMES } from '@/lib/model/servers/command-names';
import { type RedisServer, startRedis } from '@/test/servers/redis';
import { serverVersions } from '@/test/servers/versions';
import { readMoreCommands } from './audit-commands';

let server: RedisServer | null = null;
afterEach(async () => {
  await server?.stop();
  server = null;
});

/** Every server lists `post` (and `host:`) as commands, in order to recognise misdirected HTTP requests. */
const OF_ALL = ['post'];

it.each(serverVersions(208))(
  '$version: tells what the list lacks, and no name that a command was given',
  async (at) => {
    server = await startRedis({ binary: at.binary, renamed: { FLUSHALL: 'hush-b840fc02d5', FLUSHDB: '' } });
    const client = server.client();
    const ask = <T>(name: string, ...more: (string | number)[]) =>
      client.call(...(name.split(' ') as [string]), ...more).catch(() => null) as Promise<T | null>;
    const found = await readMoreCommands(
      ask,
      at.version.replace(/^\D+/, ''),
      COMMAND_NAMES.filter((one) => one !== 'zrange'),
    );
    expect(found?.filter((name) => !OF_ALL.includes(name)).toSorted()).toEqual(['zrange']);
  },
);
