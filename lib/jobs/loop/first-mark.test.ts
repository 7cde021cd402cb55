import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { temporaryData } from '@/test/temporary-data';
import { raiseMark, readMark } from './high-water-mark';

let data: ReturnType<typeof temporaryData>;
afterEach(() => data.remove());

it('processes that begin together on an empty store do not take each other for a restored one', async () => {
  for (let round = 0; round < 20; round++) {
    data = temporaryData();
    const more = [join(data.dir, 'archives')];
    const begins = async () => {
      const { evidence, highest } = await readMark(more);
      await raiseMark(more, highest);
      return evidence;
    };
    expect(await Promise.all([begins(), begins(), begins(), begins()])).toEqual([null, null, null, null]);
    if (round < 19) await data.remove();
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
