import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { cancelJob } from '../../lib/jobs/cancel-job';
import { LOCAL_ADMIN } from '../../lib/model/actor';
import { computeDigest } from '../deletions/digest';
import type { Held } from '../deletions/faults/fault-proxy';
import { type Fixture, openFixture } from '../deletions/faults/fixture';
import { KINDS, type Kind, type KindName } from '../deletions/faults/kinds';
import { findLeftovers } from '../deletions/find-leftovers';
import { type LargeType, seedLarge } from '../deletions/seed-large';
import { LONG } from '../long-form.mjs';

/**
 * A proxy holds one command back and cuts the connection of its sender. Long after the work is finished, it delivers
 * the command to a name that now belongs to another key.
 */
const N = 3000;
/** A deletion of a dozen commands; in the long form more than one round of copying and journalling. */
const MANY = LONG ? 20_000 : 6000;

vi.mock('@/lib/redis/write/server-time', async (original) => (await import('./sooner')).soonerDeadlines(original));
vi.mock('@/lib/runtime/backoff-ms', async (original) => (await import('./sooner')).soonerLooks(original));

async function opened(kind: KindName, denied: string[] = [], length = N): Promise<Fixture> {
  const { type }: Kind = KINDS[kind];
  const seed: Kind['seed'] = (client, name) => seedLarge(client, type as LargeType, name, length);
  const fixture = await openFixture([[`app:the ${kind}`, { ...KINDS[kind], length, seed }]]);
  onTestFinished(() => fixture.close());
  if (denied.length > 0) await fixture.client.acl('SETUSER', 'default', ...denied);
  return fixture;
}

/** Cuts the sender without a reply, and cancels the deletion before it retries. */
async function cancelCut({ stand }: Fixture, { held, started: job }: { held: Held; started: string }): Promise<Held> {
  const cancelled = cancelJob(LOCAL_ADMIN, job);
  held.cut();
  await cancelled;
  await stand.until(job, ['cancelled']);
  return held;
}

const SCRIPT = ['-rename', '-renamenx'];
const denyScripts = ({ client }: Fixture) => client.acl('SETUSER', 'default', '-eval');
/** Without scripts a few elements are deleted at a time; no compact encoding holds so many. */
const N_BY_HANDFULS = LONG ? N : 600;

describe('in place: a removal takes nothing from a key that was made anew', () => {
  it.each<[KindName, string]>([['hash', 'HDEL'], ...(LONG ? ([['zset', 'ZREM']] as [KindName, string][]) : [])])(
    '%s',
    async (kind, word) => {
      const fixture = await opened(kind, SCRIPT);
      const { client, key, stand } = fixture;
      const id = await fixture.plan({ mode: 'in_place' });
      const { held, started: job } = await fixture.strike({ word, act: 'late', after: 3 }, () => stand.start(id));
      held.cut();
      await fixture.finish(job);
      await fixture.expectGone(id);
      await key.kind.seed(client, key.name);
      await held.arrive();
      expect(await computeDigest(client, key.name)).toBe(key.bare);
    },
  );

  it('undone: nothing of what came back goes again', async () => {
    const fixture = await opened('hash', SCRIPT);
    const id = await fixture.plan({ mode: 'in_place' });
    const struck = await fixture.strike({ word: 'HDEL', act: 'late', after: 3 }, () => fixture.stand.start(id));
    const held = await cancelCut(fixture, struck);
    await fixture.undo(id);
    await held.arrive();
    await fixture.expectBack(id);
  });

  it('without scripts: told, and nothing more is sent beside it', async () => {
    const fixture = await opened('set', ['-eval'], N_BY_HANDFULS);
    const { client, key, stand } = fixture;
    const id = await fixture.plan({ mode: 'in_place' }, { modeReason: 'scripts_denied' });
    const { held, started: job } = await fixture.strike({ word: 'SREM', act: 'late', after: 3 }, () => stand.start(id));
    held.cut();
    await fixture.finish(job);
    expect(await fixture.item(id)).toMatchObject({ state: 'needs_review', reason: { code: 'removal_unanswered' } });
    const left = await client.scard(key.name);
    expect(left).toBeGreaterThan(0);
    held.release();
    await expect.poll(() => client.scard(key.name)).toBeLessThan(left);
    await fixture.undo(id);
    expect(await fixture.item(id)).toMatchObject({ state: 'undone', reason: { code: 'removal_unanswered' } });
    expect(await computeDigest(client, key.name)).toBe(key.digest);
  });
});

describe('undone from the middle: a removal takes nothing out of what is refilled', () => {
  it.each<[KindName, string, string, string[]]>([
    ['list', 'LTRIM', 'RPUSH', []],
    ['list', 'LTRIM', 'RPUSH', ['-eval']],
  ])('%s: %s while %s, denied by then %j', async (kind, remove, add, denied) => {
    const fixture = await opened(kind, [], MANY);
    const id = await fixture.plan();
    const struck = await fixture.strike({ word: remove, act: 'late', after: 5 }, () => fixture.stand.start(id));
    const held = await cancelCut(fixture, struck);
    if (denied.length > 0) await fixture.client.acl('SETUSER', 'default', ...denied);
    const refilling = await fixture.strike({ word: add, act: 'hold', after: 2 }, () => fixture.stand.start(id, 'undo'));
    await held.arrive();
    refilling.held.release();
    await fixture.finish(refilling.started);
    await fixture.expectBack(id);
  });

  it.each<[KindName, string]>([
    ['hash', 'HDEL'],
    ['set', 'SREM'],
    ['zset', 'ZREMRANGEBYRANK'],
  ])('%s: %s when it is counted and about to be renamed', async (kind, remove) => {
    const fixture = await opened(kind, [], MANY);
    const id = await fixture.plan();
    const struck = await fixture.strike({ word: remove, act: 'late', after: 5 }, () => fixture.stand.start(id));
    const held = await cancelCut(fixture, struck);
    const home = await fixture.strike({ word: 'EVAL', act: 'hold' }, () => fixture.stand.start(id, 'undo'));
    await held.arrive();
    home.held.release();
    await fixture.finish(home.started);
    await fixture.expectBack(id);
  });

  it('what cannot take its name back waits under one that no UNLINK knows', async () => {
    const fixture = await opened('list');
    const { client, key, stand } = fixture;
    const id = await fixture.plan();
    const held = await cancelCut(fixture, await fixture.strike({ word: 'UNLINK', act: 'late' }, () => stand.start(id)));
    await client.set(key.name, 'theirs');
    await fixture.undoRefused(id);
    expect(await fixture.item(id)).toMatchObject({ state: 'tombstoned', reason: { code: 'recreated' } });
    await held.arrive();
    expect(await findLeftovers(stand.instanceId)).toMatchObject([{ owned: true }]);
    await client.del(key.name);
    await fixture.undo(id);
    await fixture.expectBack(id);
  });

  it.each(['swallow', 'lose', 'late'] as const)('its new name, when the rename to it is met by: %s', async (act) => {
    const fixture = await opened('list', [], MANY);
    const { stand } = fixture;
    const id = await fixture.plan();
    const struck = await fixture.strike({ word: 'LTRIM', act: 'late', after: 5 }, () => stand.start(id));
    const held = await cancelCut(fixture, struck);
    const rename = await fixture.strike({ word: 'RENAMENX', act }, () => stand.start(id, 'undo'));
    if (act === 'late') rename.held.cut();
    const refilling = await fixture.strike({ word: 'RPUSH', act: 'hold', after: 2 }, async () => rename.started);
    await held.arrive();
    if (act === 'late') await rename.held.arrive();
    refilling.held.release();
    await fixture.finish(rename.started);
    await fixture.expectBack(id);
  });
});

describe('built again: an element of an earlier attempt is not in it twice', () => {
  it.each<[KindName, string]>([
    ['list', 'RPUSH'],
    ['stream', 'XADD'],
  ])('%s', async (kind, add) => {
    const fixture = await opened(kind);
    const { stand } = fixture;
    const id = await fixture.plan();
    await fixture.finish(await stand.start(id));
    const first = await fixture.strike({ word: add, act: 'late', after: 2 }, () => stand.start(id, 'undo'));
    first.held.cut();
    const second = await fixture.strike({ word: add, act: 'hold', after: 5 }, async () => first.started);
    await first.held.arrive();
    second.held.release();
    await fixture.finish(first.started);
    await fixture.expectBack(id);
  });
});

describe('an undo where scripts are denied since the deletion', () => {
  it.each<KindName>(['list', 'string', 'stream', 'batched'])('%s', async (kind) => {
    const fixture = await openFixture([kind]);
    onTestFinished(() => fixture.close());
    const id = await fixture.plan();
    await fixture.finish(await fixture.stand.start(id));
    await denyScripts(fixture);
    await fixture.undo(id);
    await fixture.expectBack(id);
  });

  it('its rename is carried out and not answered', async () => {
    const fixture = await opened('hash');
    const id = await fixture.plan();
    await fixture.finish(await fixture.stand.start(id));
    await denyScripts(fixture);
    const swallow = { word: 'RENAMENX', act: 'swallow' } as const;
    const { started } = await fixture.strike(swallow, () => fixture.stand.start(id, 'undo'));
    await fixture.finish(started);
    await fixture.expectBack(id);
  });

  it('its rename arrives when another attempt is half built: no half of a key is seen', async () => {
    const fixture = await opened('list');
    const { client, key, stand } = fixture;
    const id = await fixture.plan();
    await fixture.finish(await stand.start(id));
    await denyScripts(fixture);
    const renamed = await fixture.strike({ word: 'RENAMENX', act: 'late' }, () => stand.start(id, 'undo'));
    renamed.held.cut();
    const half = await fixture.strike({ word: 'RPUSH', act: 'hold', after: 2 }, async () => renamed.started);
    await renamed.held.arrive();
    expect(await client.exists(key.name)).toBe(0);
    half.held.release();
    await fixture.finish(renamed.started);
    await fixture.expectBack(id);
  });

  it('quarantined, the name taken: an expiry that arrives late does not take what waits', async () => {
    const fixture = await opened('hash');
    const { client, key, stand } = fixture;
    const id = await fixture.plan({ mode: 'quarantine' });
    await fixture.finish(await stand.start(id));
    await denyScripts(fixture);
    const expiry = await fixture.strike({ word: 'PEXPIREAT', act: 'late' }, () => stand.start(id, 'undo'));
    await client.set(key.name, 'theirs');
    expiry.held.cut();
    await fixture.finishRefused(expiry.started);
    expect(await fixture.item(id)).toMatchObject({ state: 'quarantined', reason: { code: 'recreated' } });
    await expiry.held.arrive();
    const [ours = ''] = await client.keys('colonnade:trash:*');
    expect(await client.pttl(ours)).toBe(-1);
    await client.del(key.name);
    await fixture.undo(id);
    await fixture.expectBack(id);
  });
});
