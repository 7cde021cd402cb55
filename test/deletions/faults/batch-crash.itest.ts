import { expect, it } from 'vitest';
import { LONG } from '../../long-form.mjs';
import { digestOfAll } from '../digest';
import type { Fault } from './fault-proxy';
import { type Kind, SMALL_HASH, SMALL_STRING } from './kinds';
import { crashAt, finishWithWorker, openWithWorkers } from './worker-process';

/**
 * The process is killed while small keys are deleted in batches, and while they are restored. With LONG=1 twenty times
 * each way, else twice: once the command was carried out and its reply was lost, once the command never arrives.
 */
const ROUNDS = LONG ? 5 : 1;
const FAULTS = LONG ? 4 : 2;
const KEYS = LONG ? 4000 : 400;

/** Chosen so that the kill interrupts a batch of fifty; each fault comes up to a hundred keys later. */
const IN_BATCHES: Fault[] = [
  { word: 'EVAL', after: 70, act: 'hold' },
  { word: 'HGETALL', after: 30, act: 'swallow' },
  { word: 'UNLINK', after: 60, act: 'hold' },
  { word: 'EVAL', after: 120, act: 'swallow' },
];
const ON_THE_WAY_BACK: Fault[] = [
  { word: 'HSET', after: 40, act: 'hold' },
  { word: 'EVAL', after: 80, act: 'swallow' },
  { word: 'SET', after: 40, act: 'swallow' },
  { word: 'EVAL', after: 80, act: 'hold' },
];

it(`${FAULTS * ROUNDS} times in the middle of ${KEYS} small keys: each is removed once, each comes back`, async () => {
  const keys = Array.from({ length: KEYS }, (_, i): [string, Kind] => [
    `small:${i}`,
    i % 2 ? SMALL_HASH : SMALL_STRING,
  ]);
  const fixture = await openWithWorkers(keys);
  const before = await digestOfAll(fixture.client);
  const id = await fixture.plan();
  const job = await fixture.stand.start(id);
  for (let round = 0; round < ROUNDS; round++)
    for (const fault of IN_BATCHES.slice(0, FAULTS)) await crashAt(fixture, fault);
  await finishWithWorker(fixture, job);
  await fixture.expectGone(id);

  const undo = await fixture.stand.start(id, 'undo');
  for (let round = 0; round < ROUNDS; round++)
    for (const fault of ON_THE_WAY_BACK.slice(0, FAULTS)) await crashAt(fixture, fault);
  await finishWithWorker(fixture, undo);
  await fixture.expectBack(id);
  expect(await digestOfAll(fixture.client)).toBe(before);
}, 600_000);
