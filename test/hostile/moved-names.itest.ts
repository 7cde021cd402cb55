import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { changeDestinations } from '../../lib/instances/destinations';
import { readServerFacts } from '../../lib/instances/read-server-facts';
import { registerInstance } from '../../lib/instances/register-instance';
import { testConnection } from '../../lib/instances/test-connection';
import { updateInstance } from '../../lib/instances/update-instance';
import { type Actor, LOCAL_ADMIN } from '../../lib/model/actor';
import { InstanceInput } from '../../lib/model/servers/instance';
import { type RedisServer, startRedis } from '../servers/redis';
import { temporaryData } from '../temporary-data';

/**
 * A name is under the control of the person who runs its name server: it leads elsewhere when it is saved, and to B
 * later.
 */
const { names } = vi.hoisted(() => ({ names: new Map<string, string[]>() }));
vi.mock('node:dns/promises', async (actual) => {
  const real = await actual<typeof import('node:dns/promises')>();
  const lookup = async (host: string) => {
    const found = names.get(host);
    // A list is used up one answer at a time, but for its last.
    const address = found && (found.length > 1 ? found.shift() : found[0]);
    return address === undefined ? real.lookup(host, { all: true }) : [{ address, family: 4 }];
  };
  return { ...real, default: { ...real, lookup }, lookup };
});

const NAME = 'redis-a.example';
let data: ReturnType<typeof temporaryData>;
let server: RedisServer;
let watching: ReturnType<RedisServer['client']>;
beforeEach(async () => {
  data = temporaryData();
  server = await startRedis();
  watching = server.client();
});
afterEach(async () => {
  names.clear();
  await server.stop();
  await data.remove();
});

const makeInput = (name: string, host: string) =>
  InstanceInput.parse({ name, topology: 'standalone', endpoints: [{ host, port: server.port }] });
const register = (name: string, host: string) => registerInstance(LOCAL_ADMIN, makeInput(name, host));
const refusal = (act: Promise<unknown>) => act.then(() => 'done').catch((error) => error.code as string);
const granted = (value: string): Actor => ({
  id: 'mallory',
  name: 'mallory',
  role: 'none',
  via: 'page',
  grants: [{ kind: 'instance', value, role: 'admin' }],
});
const received = async () => Number(/total_connections_received:(\d+)/.exec(await watching.info('stats'))?.[1]);

it('that leads to the server of another instance after it was saved connects to nothing', async () => {
  const b = await register('b', '127.0.0.1');
  await readServerFacts(LOCAL_ADMIN, b.id);
  const a = await register('a', '127.0.0.78');
  const mallory = granted(a.id);
  names.set(NAME, ['127.0.0.78']);
  await updateInstance(mallory, a.id, { endpoints: [{ host: NAME, port: server.port }] });
  names.set(NAME, ['127.0.0.1']);
  const before = await received();
  for (let i = 0; i < 2; i++) expect(await refusal(readServerFacts(mallory, a.id))).toBe('destination_unconfirmed');
  expect(await received()).toBe(before);
  const confirm = [`127.0.0.1:${server.port}`];
  expect(await refusal(changeDestinations(mallory, a.id, { confirm, withdraw: [] }))).toBe('node_of_other_instance');
  await changeDestinations(LOCAL_ADMIN, a.id, { confirm, withdraw: [] });
  expect((await readServerFacts(mallory, a.id)).warnings[0]).toMatchObject({ code: 'shared_server' });
});

it('that leads there between the questions of one change is not saved', async () => {
  await register('b', '127.0.0.1');
  const a = await register('a', '127.0.0.78');
  names.set(NAME, ['127.0.0.78', '127.0.0.1']);
  const endpoints = [{ host: NAME, port: server.port }];
  expect(await refusal(updateInstance(granted(a.id), a.id, { endpoints }))).toBe('node_of_other_instance');
});

it('that leads there between the check and the connection of a test connects to nothing', async () => {
  await register('b', '127.0.0.1');
  const a = await register('a', '127.0.0.78');
  names.set(NAME, ['127.0.0.78', '127.0.0.1']);
  const before = await received();
  expect(await refusal(testConnection(granted(a.id), makeInput('a', NAME), a.id))).toBe('destination_unconfirmed');
  expect(await received()).toBe(before);
  expect(await refusal(testConnection(LOCAL_ADMIN, makeInput('a', NAME), a.id))).toBe('done');
});

it('that an administrator of all instances saved connects', async () => {
  names.set(NAME, ['127.0.0.1']);
  await register('b', '127.0.0.1');
  const a = await register('a', NAME);
  for (let i = 0; i < 2; i++) await readServerFacts(granted(a.id), a.id);
});

it('that two instances use may lead elsewhere for both', async () => {
  names.set(NAME, ['127.0.0.78']);
  const both = [await register('a', NAME), await register('b', NAME)];
  names.set(NAME, ['127.0.0.1']);
  for (const { id } of both) await readServerFacts(granted(id), id);
});
