import { describe, expect } from 'vitest';
import { LONG } from '../../long-form.mjs';
import { APPEND_ONLY, type Fixture, forKinds } from './fixture';
import { LARGE } from './kinds';

/**
 * The server is killed while a command of a deletion is held back, and starts again. With its append-only file it still
 * has everything that it answered; without one the tombstones are gone, and the item says so.
 */
async function killAndRestart({ redis }: Fixture): Promise<void> {
  await redis.kill('SIGKILL');
  await redis.restart();
}

describe('killed before the journal knows of a removal, and back with its file', () => {
  forKinds(
    ['intset', 'batched'],
    async (fixture) => {
      const id = await fixture.plan();
      const { middle } = fixture.key.kind;
      const { held, started: job } = await fixture.strike({ ...middle, act: 'hold' }, () => fixture.stand.start(id));
      await killAndRestart(fixture);
      held.release();
      await fixture.thereAndBack(id, job);
    },
    { args: APPEND_ONLY },
  );
});

const KILLS = LONG ? 4 : 1;
describe(`killed ${KILLS} times with some elements gone and others not, and back with its file`, () => {
  forKinds(
    ['list'],
    async (fixture) => {
      const id = await fixture.plan();
      const job = await fixture.stand.start(id);
      for (let killed = 0; killed < KILLS; killed++) {
        const { held } = await fixture.holdMidway(id, async () => job);
        await killAndRestart(fixture);
        held.release();
      }
      await fixture.thereAndBack(id, job);
    },
    { args: APPEND_ONLY, longer: true },
  );
});

describe('killed without a file: of what was set aside only a part was copied, and the item says so', () => {
  forKinds(
    ['hash'],
    async (fixture) => {
      const id = await fixture.plan();
      const { held, started: job } = await fixture.holdMidway(id, () => fixture.stand.start(id));
      await killAndRestart(fixture);
      held.release();
      await fixture.finish(job);
      expect(await fixture.item(id)).toMatchObject({ state: 'needs_review', reason: { code: 'copy_short' } });
    },
    { longer: true, long: LARGE },
  );
});
