import { afterAll, afterEach, beforeEach, describe, it } from 'vitest';
import type { Fault } from './fault-proxy';
import { type Fixture, kindsMet, openFixture } from './fixture';
import { KIND_NAMES, KINDS, type Kind, type KindName } from './kinds';

/**
 * The connection fails at a chosen command: its reply is lost, it never arrives, it arrives late, or nothing passes any
 * more. No confirmation is asked, the work is repeated without harm, and the key is restored as it was. LONG=1: every
 * fault with every kind.
 */
type Strike = (kind: Kind) => Fault | null;
interface Row {
  fault: string;
  kinds: readonly KindName[];
  there: Strike;
  back?: Strike;
}

const ROWS: Row[] = [
  {
    fault: 'the reply to a rename is lost, there and back',
    kinds: ['set'],
    there: () => ({ word: 'EVAL', act: 'swallow' }),
    back: () => ({ word: 'EVAL', act: 'swallow' }),
  },
  {
    fault: 'a rename never arrives, there and back',
    kinds: ['hash'],
    there: () => ({ word: 'EVAL', act: 'lose' }),
    back: () => ({ word: 'EVAL', act: 'lose' }),
  },
  {
    fault: 'the reply to a read is lost, and to a rebuilding write',
    // Each kind resumes from another position: cursor, rank, index, id, offset, or the whole value.
    kinds: ['hash', 'zset', 'list', 'stream', 'string', 'listpack'],
    there: ({ read }) => ({ word: read, act: 'swallow' }),
    back: ({ build }) => ({ word: build, act: 'swallow' }),
  },
  {
    fault: 'the reply to the first removal is lost',
    kinds: ['zset', 'stream'],
    there: ({ remove }) => (remove === null ? null : { word: remove, act: 'swallow' }),
  },
  {
    fault: 'the reply to a later removal is lost',
    kinds: ['set', 'batched'],
    there: ({ middle }) => ({ ...middle, act: 'swallow' }),
  },
  {
    fault: 'a removal never arrives, nor a rebuilding write',
    kinds: ['list'],
    there: ({ middle }) => ({ ...middle, act: 'lose' }),
    back: ({ build }) => ({ word: build, act: 'lose' }),
  },
  {
    fault: 'the reply to the last step is lost',
    kinds: ['string'],
    there: () => ({ word: 'UNLINK', act: 'swallow' }),
  },
  { fault: 'a reply comes late', kinds: ['listpack'], there: ({ middle }) => ({ ...middle, act: 'delay', ms: 400 }) },
  { fault: 'carried out, then silence', kinds: ['intset'], there: ({ middle }) => ({ ...middle, act: 'mute' }) },
  // Each of these waits until a command times out; a command that was carried out is the harder case.
  { fault: 'silence', kinds: [], there: ({ middle }) => ({ ...middle, act: 'blackhole' }) },
];

/** Runs `start` under a fault, if there is one for this kind. */
async function under(fixture: Fixture, strike: Strike | undefined, start: () => Promise<string>): Promise<void> {
  const fault = strike?.(fixture.key.kind);
  await fixture.finish(fault ? (await fixture.strike(fault, start)).started : await start());
}

const met = (name: KindName) =>
  ROWS.filter(({ kinds, there }) => there(KINDS[name]) !== null && kindsMet(kinds).includes(name));

describe.each(KIND_NAMES.filter((name) => met(name).length > 0))('%s', (name) => {
  // The key is as it was after each fault, so the next fault uses the same server; after a failed test a new one is
  // started.
  let fixture: Fixture | null = null;
  const close = async () => {
    await fixture?.close();
    fixture = null;
  };
  beforeEach(async () => {
    fixture ??= await openFixture([name]);
  });
  afterEach(async ({ task }) => {
    if (task.result?.state === 'fail') await close();
  });
  afterAll(close);

  it.each(met(name).map((row) => [row.fault, row] as const))('%s', async (_, { there, back }) => {
    if (!fixture) throw new Error('There is no fixture.');
    const { stand } = fixture;
    const id = await fixture.plan();
    await under(fixture, there, () => stand.start(id));
    await fixture.expectGone(id);
    await under(fixture, back, () => stand.start(id, 'undo'));
    await fixture.expectBack(id);
  });
});
