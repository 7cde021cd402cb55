import { expect, it } from 'vitest';
import type { Args, WritingChannel } from '@/lib/redis/write/types';
import { measureFitting, readBoundedPage } from './bounded-page';

const MIB = 1024 * 1024;
let looks = 0;

/** A server whose next element has 65 MiB; a look at it takes 250 ms. */
const to = (db: number, headroom: { bytes: number; evicts: boolean } | null) =>
  ({
    address: '127.0.0.1:1',
    db,
    stats: {},
    memory: { getHeadroom: () => headroom },
    async call([command]: Args) {
      expect(command).toBe('EVAL');
      looks += 1;
      await new Promise((resolve) => setTimeout(resolve, 250));
      return [0, Buffer.from('9'), 65 * MIB, 0, []];
    },
  }) as unknown as WritingChannel;

const request = { kind: 'list', key: Buffer.from('big'), from: '10', wanted: 500, maxBytes: MIB, each: 100 } as const;

it('after a late look elements go one at a time, also where they are removed unread', async () => {
  const channel = to(1, null);
  expect(await readBoundedPage(channel, request)).toEqual({ plainly: 1 });
  expect(await readBoundedPage(channel, request)).toEqual({ plainly: 1 });
  expect(await measureFitting(channel, request)).toEqual({ elements: 1, each: 0 });
  expect(looks).toBe(1);
});

it('but none is read unseen of a server that would evict keys of others for it', async () => {
  const channel = to(2, { bytes: 20 * MIB, evicts: true });
  const asked = () =>
    readBoundedPage(channel, request).then(
      () => 'read',
      (error) => error.code,
    );
  looks = 0;
  expect([await asked(), await asked(), await asked()]).toEqual(['HEADROOM', 'HEADROOM', 'HEADROOM']);
  expect(looks).toBe(3);
});
