import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { computeCrc16, computeSlot, parseHashTag } from './slot';

const bytes = (text: string) => Buffer.from(text, 'latin1');

describe('slot', () => {
  it('is CRC16/XMODEM', () => {
    expect(computeCrc16(bytes('123456789'))).toBe(0x31c3);
    expect(computeSlot(bytes('123456789'))).toBe(0x31c3 & 16383);
    expect(computeSlot(bytes(''))).toBe(0);
  });

  it.each([
    ['{user1000}.following', 'user1000'],
    ['{user1000}.followers', 'user1000'],
    ['foo{{bar}}zap', '{bar'],
    ['foo{bar}{zap}', 'bar'],
  ])('%s is placed by its tag %s', (name, tag) => {
    expect(parseHashTag(bytes(name))?.toString('latin1')).toBe(tag);
    expect(computeSlot(bytes(name))).toBe(computeCrc16(bytes(tag)) & 16383);
  });

  it.each(['foo{}{bar}', '{}', '{', '}', '}{', '{}whole', 'plain', 'a{b'])('%s is placed by the whole name', (name) => {
    expect(parseHashTag(bytes(name))).toBeNull();
    expect(computeSlot(bytes(name))).toBe(computeCrc16(bytes(name)) & 16383);
  });

  it('agrees with itself on a view into a larger buffer', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), fc.uint8Array({ maxLength: 10 }), (name, around) => {
        const whole = Buffer.concat([around, name, around]);
        expect(computeSlot(whole, around.length, around.length + name.length)).toBe(computeSlot(name));
        const tag = parseHashTag(Buffer.from(name));
        expect(computeSlot(name)).toBe(computeCrc16(tag ?? name) & 16383);
      }),
    );
  });
});
