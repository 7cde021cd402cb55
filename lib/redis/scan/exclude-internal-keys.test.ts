import { describe, expect, it } from 'vitest';
import type { FactsPage } from '@/lib/model/snapshots/facts-page';
import {
  formatRestoreName,
  formatTombstoneName,
  getSlotTag,
  isInternalKey,
  parseInternalKeyName,
} from '@/lib/redis/keys/internal-key-name';
import { computeSlot } from '@/lib/redis/keys/slot';
import { excludeInternalKeys } from './exclude-internal-keys';

function makePage(names: string[], long: FactsPage['long'] = null): FactsPage {
  const numbers = Float64Array.from(names, (_, i) => i);
  return {
    node: 0,
    db: 0,
    count: names.length,
    names: names.map((name) => Buffer.from(name)),
    types: names.map((_, i) => `type${i}`),
    encodings: names.map((_, i) => `enc${i}`),
    expireAt: numbers.slice(),
    bytes: numbers.slice(),
    length: numbers.slice(),
    idleSeconds: numbers.slice(),
    freq: numbers.slice(),
    slot: Uint16Array.from(names, (_, i) => i),
    long,
  };
}
const ours = [formatTombstoneName(5, 'abc1', 0), formatRestoreName(16_383, 'abc1', 12)].map((name) => name.toString());

describe('names of ours', () => {
  it('lie in the slot of the key they stand for, each of 16,384, and are read back', () => {
    for (let slot = 0; slot < 16_384; slot++) {
      expect(computeSlot(Buffer.from(getSlotTag(slot)))).toBe(slot);
      if (slot % 97 === 0) expect(computeSlot(formatTombstoneName(slot, 'job9', slot))).toBe(slot);
    }
    expect(parseInternalKeyName(formatTombstoneName(77, 'job9', 3))).toEqual({
      kind: 'tombstone',
      deletionId: 'job9',
      seq: 3,
    });
    expect(parseInternalKeyName(formatRestoreName(77, 'job9', 3))).toEqual({
      kind: 'restore',
      deletionId: 'job9',
      seq: 3,
    });
  });

  it('are not those that only look alike', () => {
    for (const name of [
      'colonnade:trash:',
      'colonnade:trash:{a}:x',
      'colonnade:trash:{}:a:1',
      'colonnade:trash:{a}:A:1',
      'colonnade',
      'xcolonnade:trash:{a}:b:1',
    ])
      expect(isInternalKey(Buffer.from(name))).toBe(false);
  });
});

describe('a page of a scan', () => {
  it('keeps all facts beside their names when ours are taken out', () => {
    const names = ['a', ours[0] ?? '', 'cat', 'colonnade:trash:mine', ours[1] ?? '', 'z'];
    const page = makePage(
      names,
      new Map([
        [0, { nameBytes: 9000, sha256: 'a' }],
        [5, { nameBytes: 9001, sha256: 'z' }],
      ]),
    );
    excludeInternalKeys(page);
    expect(page.count).toBe(4);
    expect(page.names.slice(0, 4).map(String)).toEqual(['a', 'cat', 'colonnade:trash:mine', 'z']);
    expect(page.types.slice(0, 4)).toEqual(['type0', 'type2', 'type3', 'type5']);
    expect([...page.bytes.slice(0, 4)]).toEqual([0, 2, 3, 5]);
    expect([...page.slot.slice(0, 4)]).toEqual([0, 2, 3, 5]);
    expect([...(page.long ?? [])]).toEqual([
      [0, { nameBytes: 9000, sha256: 'a' }],
      [3, { nameBytes: 9001, sha256: 'z' }],
    ]);
  });

  it('without any of ours is left as it was', () => {
    const long = new Map([[1, { nameBytes: 5000, sha256: 'b' }]]);
    const page = makePage(['a', 'b'], long);
    excludeInternalKeys(page);
    expect([page.count, page.long]).toEqual([2, long]);
  });
});
