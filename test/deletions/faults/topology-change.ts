import { expect } from 'vitest';
import { LONG } from '../../long-form.mjs';
import { sleep, until } from '../../servers/process';
import type { RedisServer } from '../../servers/redis';
import { computeDigest } from '../digest';
import { type LargeType, ROUND_BYTES_EACH, seedLarge } from '../seed-large';
import type { Stand } from '../stand';
import { finishJob, hurryJob } from './finish-job';

/** The keys are large enough that a change of the topology, which takes a while, happens in the middle of the work. */
const LENGTHS = LONG
  ? { hash: 80_000, set: 120_000, zset: 120_000, list: 400_000, stream: 30_000 }
  : { hash: 3_000, set: 3_000, zset: 3_000, list: 3_000, stream: 3_000 };
export type MovedType = Exclude<LargeType, 'string'> & keyof typeof LENGTHS;
export const MOVED_TYPES = Object.keys(LENGTHS) as MovedType[];

export interface TopologyChange {
  stand: Stand;
  type: MovedType;
  name: string;
  /** The owners of the key's slot before and after the change. */
  home: RedisServer;
  heir: RedisServer;
  /** Servers that contain only the key and its neighbour. */
  nodes: RedisServer[];
  change(): Promise<unknown>;
  /** Moves the key back to `home` while it is being restored. */
  changeBack?(): Promise<unknown>;
  /** The reason for which a confirmation may be asked, during the deletion and during the undo. */
  mayAsk?: string;
}

/**
 * Deletes a key while it moves to another server, and restores it: on the new server, or while it moves back to `home`.
 */
export async function removeAcross(change: TopologyChange): Promise<void> {
  const { stand, type, name, home, heir, nodes, mayAsk } = change;
  const allowance = { mayAsk, ms: 120_000 };
  const neighbour = `{${name}}:neighbour`;
  const expectKeys = async (at: RedisServer, keys: string[]) => {
    for (const node of nodes) expect((await node.client().keys('*')).sort()).toEqual(node === at ? keys.sort() : []);
  };
  await seedLarge(home.client(), type, name, LENGTHS[type], LONG ? 0 : ROUND_BYTES_EACH);
  await home.client().set(neighbour, 'stays');
  const before = await computeDigest(home.client(), name);
  const id = await stand.plan([{ name, type, length: LENGTHS[type], bytes: 25_000_000 }], { speed: 'gentle' });
  const job = await stand.start(id);
  await untilDraining(stand, id);
  await change.change();
  await hurryJob(job);
  await finishJob(stand, job, allowance);
  expect((await stand.items(id))[0]).toMatchObject({ state: 'done' });
  await expectKeys(heir, [neighbour]);

  const undo = await stand.start(id, 'undo');
  if (change.changeBack) {
    const asking = heir.client();
    await until('something of it to be there', async () => (await asking.dbsize()) > 1, 60_000, 2);
    await change.changeBack();
  }
  await hurryJob(undo);
  await finishJob(stand, undo, allowance);
  expect((await stand.items(id))[0]).toMatchObject({ state: 'undone', reason: null });
  const at = change.changeBack ? home : heir;
  expect(await computeDigest(at.client(), name)).toBe(before);
  await expectKeys(at, [name, neighbour]);
}

/** Waits until the first elements are deleted and the last are not. */
async function untilDraining(stand: Stand, id: string): Promise<void> {
  for (;;) {
    const [item] = await stand.items(id);
    if (item && item.removed > 0) return expect(item.state).toBe('draining');
    await sleep(3);
  }
}
