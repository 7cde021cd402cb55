import { describe, expect, it, onTestFinished } from 'vitest';
import { buildAclRules } from '../../../lib/model/servers/acl-users';
import { computeDigest, digestOfAll } from '../digest';
import { findLeftovers } from '../find-leftovers';
import { type Fixture, forKinds, openFixture } from './fixture';
import { KIND_NAMES, type Kind, SMALL_STRING } from './kinds';

/** When an ACL denies a command, another one is used, or the item stops where a user can see it and undo it. */
const setRules = ({ client }: Fixture, ...rules: string[]) => client.call('ACL', 'SETUSER', 'default', ...rules);

async function open(...kinds: Parameters<typeof openFixture>): Promise<Fixture> {
  const fixture = await openFixture(...kinds);
  onTestFinished(() => fixture.close());
  return fixture;
}

it('all but what the documents ask for: every kind of key goes and comes back', async () => {
  const fixture = await open(KIND_NAMES);
  await setRules(
    fixture,
    'reset',
    'on',
    'nopass',
    '~*',
    '-@all',
    ...buildAclRules('delete', { flavor: 'redis', version: '7.0' }).split(' '),
  );
  const id = await fixture.plan();
  await fixture.thereAndBack(id, await fixture.stand.start(id));
});

describe.each([['-eval'], ['-renamenx'], ['-persist']])('%s since the plan: the key stays as it was', (rule) => {
  forKinds(['set', 'batched'], async (fixture) => {
    const id = await fixture.plan();
    await setRules(fixture, rule);
    await fixture.finish(await fixture.stand.start(id));
    expect(await fixture.item(id)).toMatchObject({ state: 'failed', reason: { code: 'script_refused' } });
    await fixture.expectKeyspace([fixture.key.name]);
    expect(await computeDigest(fixture.client, fixture.key.name)).toBe(fixture.key.digest);
    // With the rights of the plan, a new one deletes it.
    await setRules(fixture, '+@all');
    const again = await fixture.plan();
    await fixture.finish(await fixture.stand.start(again));
    await fixture.expectGone(again);
  });
});

it('-eval since the plan, in place: undone, whatever was deleted before', async () => {
  const fixture = await open(['hash']);
  const id = await fixture.plan({ mode: 'in_place' });
  const { held, started: job } = await fixture.strike({ word: 'HDEL', act: 'hold', after: 3 }, () =>
    fixture.stand.start(id),
  );
  await setRules(fixture, '-eval');
  held.release();
  await fixture.finish(job);
  expect(await fixture.item(id)).toMatchObject({ state: 'needs_review', reason: { code: 'script_refused' } });
  await fixture.undo(id);
  await fixture.expectBack(id);
});

/** One command is denied from the moment at which it is sent. */
async function deniedAt(fixture: Fixture, word: string): Promise<string> {
  const id = await fixture.plan();
  const { held, started: job } = await fixture.strike({ word, act: 'hold' }, () => fixture.stand.start(id));
  await setRules(fixture, `-${word.toLowerCase()}`);
  held.release();
  await fixture.finish(job);
  expect(await fixture.item(id)).toMatchObject({ state: 'needs_review', reason: { code: 'denied' } });
  const ours = await findLeftovers(fixture.stand.instanceId);
  expect(ours).toMatchObject([{ owned: true, original: fixture.key.name }]);
  return id;
}

describe('reading', () => {
  forKinds(['string', 'listpack'], async (fixture) => {
    const id = await deniedAt(fixture, fixture.key.kind.read);
    await setRules(fixture, '+@all');
    await fixture.undo(id);
    await fixture.expectBack(id);
  });
});

describe('removing: the key can be given back as it was, while that is still denied', () => {
  forKinds(['batched', 'hash', 'zset'], async (fixture) => {
    const { remove } = fixture.key.kind;
    const id = await deniedAt(fixture, remove ?? 'UNLINK');
    // The undo needs UNLINK too.
    if (remove === null) await setRules(fixture, '+@all');
    await fixture.undo(id);
    await fixture.expectBack(id);
  });
});

describe('many small keys in one write', () => {
  const names = Array.from({ length: 30 }, (_, i) => (i === 17 ? 'other:17' : `app:${i}`));
  const keys = names.map((name): [string, Kind] => [name, SMALL_STRING]);
  const readStates = async ({ stand }: Fixture, id: string) => {
    const states: Record<string, number> = {};
    for (const { state } of await stand.items(id)) states[state] = (states[state] ?? 0) + 1;
    return states;
  };

  it('one that may not be written stays; the others go, and come back', async () => {
    const fixture = await open(keys);
    const before = await digestOfAll(fixture.client);
    await setRules(fixture, 'resetkeys', '%R~*', '~app:*', '~colonnade:*');
    const id = await fixture.plan();
    await fixture.finish(await fixture.stand.start(id));
    expect(await readStates(fixture, id)).toEqual({ done: 29, failed: 1 });
    expect(await fixture.item(id, 17)).toMatchObject({ state: 'failed', reason: { code: 'script_refused' } });
    await fixture.expectKeyspace(['other:17']);
    await fixture.undo(id);
    expect(await readStates(fixture, id)).toEqual({ undone: 29, failed: 1 });
    expect(await digestOfAll(fixture.client)).toBe(before);
  });

  it('UNLINK is refused: nothing is called done that is still there', async () => {
    const fixture = await open(keys);
    await setRules(fixture, '-unlink');
    const id = await fixture.plan();
    await fixture.finish(await fixture.stand.start(id));
    expect(await readStates(fixture, id)).toEqual({ needs_review: 30 });
    await setRules(fixture, '+@all');
    const ours = await findLeftovers(fixture.stand.instanceId);
    expect(ours.map(({ owned }) => owned)).toEqual(names.map(() => true));
    await fixture.undo(id);
    await fixture.expectBack(id);
  });
});
