import { expect, it } from 'vitest';
import { resolveNodeAddresses } from './resolve-node-addresses';

const nowhere = async () => [];

it.each([
  ['[::1%lo]:7602', ['[::1%lo]:7602', '127.0.0.1:7602']],
  ['[::FFFF:127.0.0.1]:7602', ['[::ffff:127.0.0.1]:7602', '127.0.0.1:7602']],
  ['nowhere.example:1', ['nowhere.example:1']],
])('%s may be known as %j', async (address, meant) => {
  expect(await resolveNodeAddresses(address, nowhere)).toEqual(meant);
});
