import { describe, expect, it } from 'vitest';
import { isSizedType, mayExceed } from './length-commands';

describe('who may be asked for a length', () => {
  it.each([
    ['string', 'raw', 10_239, false],
    ['string', 'raw', 10_240, true],
    ['set', 'intset', 9_999, false],
    ['set', 'intset', 10_000, true],
    ['hash', 'listpack', 19_999, false],
    ['hash', 'listpack', 20_000, true],
    ['list', 'quicklist', 10_000, true],
    ['hash', 'hashtable', 79_999, false],
    ['hash', 'hashtable', 80_000, true],
    ['zset', 'skiplist', 80_000, true],
    ['stream', 'stream', 10_000, true],
    ['set', null, 10_000, true],
    // Without MEMORY USAGE every key that could be large is asked.
    ['hash', 'hashtable', -1, true],
    ['list', 'linkedlist', -1, true],
    ['list', 'quicklist', -1, true],
    ['zset', 'skiplist', -1, true],
    ['string', 'raw', -1, true],
    ['hash', null, -1, true],
    ['string', 'embstr', -1, false],
    ['string', 'int', -1, false],
    ['hash', 'ziplist', -1, false],
    ['set', 'intset', -1, false],
  ] as const)('%s %s of %i bytes: %s', (type, encoding, bytes, asked) => {
    expect(mayExceed(type, encoding, bytes)).toBe(asked);
  });

  it('thresholds are the caller’s', () => {
    expect(mayExceed('hash', 'listpack', 3999, { elements: 1000, stringBytes: 1 })).toBe(false);
    expect(mayExceed('hash', 'ziplist', -1, { elements: 100, stringBytes: 1 })).toBe(true);
    expect(mayExceed('string', 'embstr', 40, { elements: 1000, stringBytes: 1 })).toBe(true);
  });

  it('module types and names of objects are no sized types', () => {
    expect(['ReJSON-RL', 'constructor', '__proto__', null].some(isSizedType)).toBe(false);
    expect(isSizedType('stream')).toBe(true);
  });
});
