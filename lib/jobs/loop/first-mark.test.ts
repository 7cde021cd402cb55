import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { LONG } from '@/test/long-form.mjs';
import { temporaryData } from '@/test/temporary-data';
import { raiseMark, readMark } from './high-water-mark';

let data: ReturnType<typeof temporaryData>;
afterEach(() => data.remove());

const ROUNDS = LONG ? 20 : 6;

it('processes that begin together on an empty store do not take each other for a restored one', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    data = temporaryData();
    const more = [join(data.dir, 'archives')];
    const begins = async () => {
      const { evidence, highest } = await readMark(more);
      await raiseMark(more, highest);
      return evidence;
    };
    expect(await Promise.all([begins(), begins(), begins(), begins()])).toEqual([null, null, null, null]);
    if (round < ROUNDS - 1) await data.remove();
  }
});

it('a file that stays away, or says nothing, is evidence all the same', async () => {
  data = temporaryData();
  await raiseMark();
  const file = join(data.dir, 'high-water-mark');
  expect(await readMark()).toMatchObject({ evidence: null });
  writeFileSync(file, '');
  expect(await readMark()).toMatchObject({ evidence: 'unreadable' });
  rmSync(file);
  expect(await readMark()).toMatchObject({ evidence: 'missing' });
});
