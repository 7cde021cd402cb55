import { describe, expect, it } from 'vitest';
import { servesSlot } from './serves-slot';
import { countSlots, coversSlotRanges, joinSlotRanges } from './slot-ranges';

const SLOTS = 16_384;
/** Every other slot, as in a cluster whose slots alternate between masters: 8,192 ranges of one slot. */
const alternating = (first: 0 | 1): [number, number][] =>
  Array.from({ length: SLOTS / 2 }, (_, i) => [i * 2 + first, i * 2 + first]);

/** The same ranges in a proxy that counts how often one of them is read. */
function counted(ranges: [number, number][]) {
  const looks = { count: 0 };
  const get = (list: [number, number][], name: string | symbol) => {
    if (typeof name === 'string' && /^\d+$/.test(name)) looks.count++;
    return Reflect.get(list, name);
  };
  return { ranges: new Proxy(ranges, { get }), looks };
}

describe('joined ranges', () => {
  it('are in order and neither overlap nor touch', () => {
    expect(
      joinSlotRanges([
        [10, 12],
        [0, 1],
        [2, 5],
        [3, 4],
        [11, 20],
        [30, 30],
      ]),
    ).toEqual([
      [0, 5],
      [10, 20],
      [30, 30],
    ]);
    expect(countSlots(joinSlotRanges([...alternating(1), ...alternating(0), ...alternating(0)]))).toBe(SLOTS);
    expect(joinSlotRanges([...alternating(1), ...alternating(0)])).toEqual([[0, SLOTS - 1]]);
  });

  it('leave the ranges they were made of as they were', () => {
    const given: [number, number][] = [
      [4, 5],
      [0, 3],
    ];
    joinSlotRanges(given)[0]![1] = 9;
    expect(given).toEqual([
      [4, 5],
      [0, 3],
    ]);
  });

  it('tell whether they hold others', () => {
    const ranges: [number, number][] = [
      [0, 5],
      [10, 20],
    ];
    for (const wanted of [
      [],
      [[0, 5]],
      [
        [1, 2],
        [3, 3],
        [10, 10],
      ],
      [[20, 20]],
    ] as [number, number][][])
      expect(coversSlotRanges(ranges, wanted)).toBe(true);
    for (const wanted of [
      [[5, 6]],
      [[5, 10]],
      [[7, 8]],
      [
        [0, 1],
        [21, 21],
      ],
    ] as [number, number][][])
      expect(coversSlotRanges(ranges, wanted)).toBe(false);
    expect(coversSlotRanges([], [[0, 0]])).toBe(false);
  });

  it('say of each slot whether they hold it', () => {
    const even = { slots: alternating(0) };
    for (let slot = 0; slot < SLOTS; slot++) expect(servesSlot(even, slot)).toBe(slot % 2 === 0);
    expect(servesSlot({ slots: [] }, 0)).toBe(false);
  });

  it('are compared in one walk', () => {
    const before = counted(alternating(0));
    const now = counted(alternating(0));
    expect(coversSlotRanges(before.ranges, now.ranges)).toBe(true);
    expect(before.looks.count + now.looks.count).toBeLessThan(6 * SLOTS);
  });
});
