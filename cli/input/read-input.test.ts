import { expect, it } from 'vitest';
import { readInput } from './read-input';

const NO_SECRETS = { password: null, sentinelPassword: null };
const read = (url: string, options = {}) => readInput(url, options, NO_SECRETS);

it('takes the Sentinels and the name of their master from the URL', async () => {
  expect(await read('redis-sentinel://10.0.0.5,10.0.0.6:5/2#mall')).toMatchObject({
    topology: 'sentinel',
    sentinelName: 'mall',
    databases: [2],
    endpoints: [
      { host: '10.0.0.5', port: 26_379 },
      { host: '10.0.0.6', port: 5 },
    ],
  });
  // The option is more explicit. A missing name is asked of the Sentinels.
  expect(await read('redis-sentinel://10.0.0.5#mall', { sentinel: 'shop' })).toMatchObject({ sentinelName: 'shop' });
  expect(await read('redis-sentinel://10.0.0.5')).toMatchObject({ topology: 'sentinel', sentinelName: null });
});

it('takes the address map', async () => {
  expect(await read('10.1.1.7:7000', { cluster: true, map: 'a:1=b:2,c:3=d:4', 'only-these': true })).toMatchObject({
    topology: 'cluster',
    onlyEndpoints: true,
    addressMap: [
      { announced: { host: 'a', port: 1 }, use: { host: 'b', port: 2 } },
      { announced: { host: 'c', port: 3 }, use: { host: 'd', port: 4 } },
    ],
  });
});

it.each([
  ['10.0.0.5', { cluster: true, map: 'a:1' }, /--map is ANNOUNCED=USE/],
  ['10.0.0.5', { cluster: true, map: 'a:1=b:1,c:1=b:1' }, /--map has b:1 twice/],
  ['10.0.0.5', { 'only-these': true }, /--only-these needs --cluster/],
  ['redis-sentinel://10.0.0.5', { cluster: true }, /exclude each other/],
  ['unix:/run/redis.sock', {}, /Unix sockets are not supported/],
])('refuses %s %j', async (url, options, message) => {
  await expect(read(url, options)).rejects.toThrow(message);
});
