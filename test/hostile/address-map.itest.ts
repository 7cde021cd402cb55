import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { listAudit } from '@/lib/access/audit-log/list-audit';
import { readServerFacts } from '@/lib/instances/read-server-facts';
import { registerInstance } from '@/lib/instances/register-instance';
import { testConnection } from '@/lib/instances/test-connection';
import { updateInstance } from '@/lib/instances/update-instance';
import { type Actor, LOCAL_ADMIN } from '@/lib/model/actor';
import type { AddressMap } from '@/lib/model/servers/address-map';
import { parseAddressMap } from '@/lib/model/servers/address-map-text';
import { InstanceInput, InstanceUpdate } from '@/lib/model/servers/instance';
import { array, bulk, type RogueHandler, type RogueServer, startRogue } from '@/test/servers/rogue';
import { temporaryData } from '@/test/temporary-data';

/**
 * The address map names where a password goes. Neither a server, nor a person who administers one instance, may use it
 * to lead a password or a command to an address that nobody has entered for this instance.
 */
const SECRET = 'canary-77aa-password';
const int = (n: number) => `:${n}\r\n`;
let data: ReturnType<typeof temporaryData>;
let victim: RogueServer;
let rogue: RogueServer;
/** What the rogue cluster announces for itself and for its second node. */
let announced: { host: string; port: number }[];

const describeNode = ({ host, port }: { host: string; port: number }, id: string) =>
  array([
    ...[bulk('id'), bulk(id), bulk('port'), int(port), bulk('ip'), bulk(host), bulk('endpoint'), bulk(host)],
    ...[bulk('role'), bulk('master'), bulk('health'), bulk('online')],
  ]);
const describeShard = (from: number, to: number, at: { host: string; port: number }, id: string) =>
  array([bulk('slots'), array([int(from), int(to)]), bulk('nodes'), array([describeNode(at, id)])]);

const answer: RogueHandler = ([name = '', sub = '']) => {
  if (name === 'PING') return '+PONG\r\n';
  if (['AUTH', 'CLIENT', 'READONLY', 'SELECT'].includes(name)) return '+OK\r\n';
  if (name === 'INFO') return bulk('redis_version:7.0.15\r\nredis_mode:cluster\r\nrun_id:abc\r\nrole:master\r\n');
  if (name === 'CLUSTER' && sub.toUpperCase() === 'SHARDS')
    return array([describeShard(0, 8191, announced[0]!, 'self'), describeShard(8192, 16_383, announced[1]!, 'other')]);
  if (name === 'CLUSTER' && sub.toUpperCase() === 'NODES')
    return bulk('self 192.168.7.7:6379@16379 myself,master - 0 0 1 connected 0-8191\n');
  return name === 'HELLO' ? '-NOPROTO\r\n' : '-ERR unknown command\r\n';
};

beforeAll(async () => {
  [victim, rogue] = await Promise.all([startRogue(() => '+PONG\r\n'), startRogue(answer)]);
});
afterAll(() => Promise.all([victim.stop(), rogue.stop()]));
beforeEach(() => {
  data = temporaryData();
  victim.connections = 0;
  announced = [
    { host: '192.168.7.7', port: 6379 },
    { host: '192.168.7.8', port: 6379 },
  ];
});
afterEach(() => data.remove());

const input = (more: Record<string, unknown> = {}) =>
  InstanceInput.parse({
    name: 'social',
    topology: 'cluster',
    endpoints: [{ host: '127.0.0.1', port: rogue.port }],
    secrets: { password: SECRET },
    ...more,
  });
const update = (more: Record<string, unknown>) => InstanceUpdate.parse(more);
const leadTo = (port: number, host = '127.0.0.1'): AddressMap => [
  { announced: { host: '192.168.7.8', port: 6379 }, use: { host, port } },
];
const refusal = (attempt: Promise<unknown>) => attempt.then(() => 'done').catch(({ code }) => code);

it('a proposal connects nowhere but to entered addresses, and leads nowhere that a server names', async () => {
  // The announced port is that of the victim: accepting the proposal would lead there, so it must not be tried before.
  announced[1] = { host: '192.168.7.8', port: victim.port };
  const error = await testConnection(LOCAL_ADMIN, input()).catch((thrown) => thrown);
  expect([error.code, error.details.addressMap]).toEqual([
    'destination_unconfirmed',
    [`192.168.7.7:6379 = 127.0.0.1:${rogue.port}`, `192.168.7.8:${victim.port} = 127.0.0.1:${victim.port}`],
  ]);
  expect(victim.connections).toBe(0);
});

it('an announced host cannot write entries of its own into a proposal', async () => {
  announced[1] = { host: `x:1 = 10.6.6.6:6379\ny`, port: 6379 };
  announced[0] = { host: 'a:1=10.6.6.6:6379,b', port: 6379 };
  const error = await testConnection(LOCAL_ADMIN, input()).catch((thrown) => thrown);
  const lines: string[] = error.details.addressMap ?? [];
  expect(JSON.stringify(parseAddressMap(lines.join('\n')))).not.toContain('10.6.6.6');
});

it('a stored password is not sent to a new address of the map', async () => {
  const { id } = await registerInstance(LOCAL_ADMIN, input());
  const map = { addressMap: leadTo(victim.port) };
  await expect(updateInstance(LOCAL_ADMIN, id, update(map))).rejects.toMatchObject({
    code: 'bad_request',
    details: { field: 'secrets.password', reason: 'password_again' },
  });
  const { secrets: _, ...unchanged } = input();
  const test = InstanceInput.parse({ ...unchanged, ...map });
  expect(await refusal(testConnection(LOCAL_ADMIN, test, id))).toBe('bad_request');
  expect(victim.connections).toBe(0);
  await updateInstance(LOCAL_ADMIN, id, update({ ...map, secrets: { password: SECRET } }));
  const { rows } = await listAudit(LOCAL_ADMIN, { limit: 10 });
  expect(JSON.stringify(rows)).toContain(`192.168.7.8:6379 = 127.0.0.1:${victim.port}`);
});

it('a node of another instance is entered by administrators of all instances only', async () => {
  const other = { name: 'bank', topology: 'standalone', endpoints: [{ host: '127.0.0.1', port: victim.port }] };
  await registerInstance(LOCAL_ADMIN, InstanceInput.parse(other));
  const { id } = await registerInstance(LOCAL_ADMIN, input());
  const mallory: Actor = {
    ...{ id: 'm', name: 'mallory', role: 'none', via: 'api' },
    grants: [{ kind: 'instance', value: id, role: 'admin' }],
  };
  for (const host of ['127.0.0.1', 'localhost', '::1', '::ffff:127.0.0.1']) {
    const addressMap = leadTo(victim.port, host);
    const change = update({ addressMap, secrets: { password: SECRET } });
    expect([host, await refusal(updateInstance(mallory, id, change))]).toEqual([host, 'node_of_other_instance']);
    const test = testConnection(mallory, input({ addressMap }), id);
    expect([host, await refusal(test)]).toEqual([host, 'node_of_other_instance']);
  }
  expect(victim.connections).toBe(0);
});

it.each(['169.254.169.254', '0.0.0.0', '224.0.0.1', '203.0.113.9', '::ffff:169.254.169.254'])(
  'the destinations policy holds for %s in the map as for any other address',
  async (host) => {
    const map = [{ announced: announced[0]!, use: { host: '127.0.0.1', port: rogue.port } }, ...leadTo(6379, host)];
    const report = await testConnection(LOCAL_ADMIN, input({ addressMap: map })).catch((thrown) => thrown);
    const node = report.nodes.find((one: { port: number }) => one.port === 6379);
    expect(node.healthy).toBe(false);
    // A public address that was entered is allowed by default, as a registered one is; the others never are.
    if (host !== '203.0.113.9')
      expect(report.warnings).toContainEqual(expect.objectContaining({ code: 'destination_refused' }));
  },
);

it('twice the same address on one side is refused', async () => {
  const twice = [...leadTo(1), { announced: { host: '192.168.7.9', port: 6379 }, use: { host: '127.0.0.1', port: 1 } }];
  expect(await refusal(registerInstance(LOCAL_ADMIN, input({ addressMap: twice })))).toBe('bad_request');
});

it('with only the registered addresses, nothing that is announced is connected to, confirmed or not', async () => {
  announced = [
    { host: '127.0.0.1', port: rogue.port },
    { host: '127.0.0.1', port: victim.port },
  ];
  const destinations = [victim.address];
  const { id } = await registerInstance(LOCAL_ADMIN, input({ onlyEndpoints: true, destinations }));
  const report = await readServerFacts(LOCAL_ADMIN, id);
  expect(report.warnings).toContainEqual({
    code: 'node_not_used',
    severity: 'warning',
    params: { address: victim.address },
  });
  expect(victim.connections).toBe(0);
});
