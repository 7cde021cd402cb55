import { describe, expect } from 'vitest';
import { pauseJob } from '../../../lib/jobs/pause-job';
import { LOCAL_ADMIN } from '../../../lib/model/actor';
import { sleep } from '../../servers/process';
import { computeDigest } from '../digest';
import { findLeftovers } from '../find-leftovers';
import { untilHeard } from './finish-job';
import { forKinds } from './fixture';
import { COLLECTIONS } from './kinds';

/**
 * Something else acts meanwhile: the application, the clock, a user. What it writes stays, and the deletion that has
 * begun can be undone.
 */
describe('the application makes the key anew and goes on writing', () => {
  forKinds(['hash', 'list', 'stream', 'listpack'], async (fixture) => {
    const { client, stand } = fixture;
    const { name, kind } = fixture.key;
    const id = await fixture.plan();
    const { held, started: job } = await fixture.strike({ ...kind.middle, act: 'hold' }, () => stand.start(id));
    let written = 0;
    let storm = true;
    await kind.write(client, name, written++);
    const writer = (async () => {
      while (storm) await kind.write(client, name, written++);
    })();
    held.release();
    await fixture.finish(job);
    storm = false;
    await writer;
    await fixture.expectGone(id, { made: [name] });
    const mine = await computeDigest(client, name);
    // The same writes to a key that Colonnade never changed have the same result.
    if (kind.type !== 'stream') {
      for (let i = 0; i < written; i++) await kind.write(client, 'twin', i);
      expect(await computeDigest(client, 'twin')).toBe(mine);
      await client.del('twin');
    } else expect(await client.xlen(name)).toBe(written);

    await fixture.undoRefused(id);
    await fixture.expectGone(id, { made: [name], reason: 'recreated' });
    expect(await computeDigest(client, name)).toBe(mine);
    await client.del(name);
    await fixture.undo(id);
    await fixture.expectBack(id);
  });
});

describe('the key is another before its turn: it is left alone', () => {
  forKinds(['hash'], async (fixture) => {
    const { client, key, stand } = fixture;
    await client.del(key.name);
    if (key.kind.type === 'string') await client.rpush(key.name, 'something else');
    else await client.set(key.name, 'something else');
    const other = await computeDigest(client, key.name);
    const id = await fixture.plan();
    await fixture.finish(await stand.start(id));
    expect(await fixture.item(id)).toMatchObject({ state: 'aborted', reason: { code: 'changed_type' } });
    expect(await computeDigest(client, key.name)).toBe(other);
    await fixture.expectKeyspace([key.name]);
  });
});

describe('the key is of a type that we do not know: it is left alone', () => {
  forKinds(['stream'], async (fixture) => {
    const { client, key, stand } = fixture;
    const id = await stand.plan([{ name: key.name, type: 'ReJSON-RL', length: 1, bytes: key.kind.bytes }]);
    await fixture.finish(await stand.start(id));
    expect(await fixture.item(id)).toMatchObject({ state: 'aborted', reason: { code: 'changed_type' } });
    expect(await computeDigest(client, key.name)).toBe(key.digest);
    expect(await client.pexpiretime(key.name)).toBe(fixture.expireAt);
    await fixture.expectKeyspace([key.name]);
    expect(await findLeftovers(stand.instanceId)).toEqual([]);
  });
});

describe('the clock passes the expiry meanwhile: nothing comes back unasked', () => {
  forKinds(['set'], async (fixture) => {
    const { client, key, stand } = fixture;
    // The key is to be renamed (tombstone) before it expires.
    const expireAt = Date.now() + 5000;
    await client.pexpireat(key.name, expireAt);
    const id = await fixture.plan();
    const { held, started: job } = await fixture.strike({ ...key.kind.middle, act: 'hold' }, () => stand.start(id));
    await sleep(expireAt - Date.now() + 50);
    held.release();
    await fixture.finish(job);
    await fixture.expectGone(id);

    await fixture.undoRefused(id);
    await fixture.expectGone(id, { reason: 'expired_meanwhile' });
    await fixture.undo(id, { restoreExpired: true });
    expect(await computeDigest(client, key.name)).toBe(key.bare);
    expect(await client.pttl(key.name)).toBe(-1);
    await fixture.expectKeyspace([key.name]);
  });
});

describe('a person pauses: the rest is left, what was begun comes back', () => {
  forKinds(
    ['hash'],
    async (fixture) => {
      const { key, stand } = fixture;
      const id = await fixture.plan();
      const { held, started: job } = await fixture.holdMidway(id, () => stand.start(id));
      await pauseJob(LOCAL_ADMIN, job);
      await untilHeard(job);
      held.release();
      await stand.until(job, ['paused']);
      const item = await fixture.item(id);
      expect(item.state).toBe('draining');
      expect(item.removed).toBeGreaterThan(0);
      expect(item.removed).toBeLessThan(key.kind.length);
      await fixture.undo(id);
      await fixture.expectBack(id);
    },
    { longer: true, long: COLLECTIONS },
  );
});
