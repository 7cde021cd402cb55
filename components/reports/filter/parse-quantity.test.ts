import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  formatBytesInput,
  formatSecondsInput,
  parseBytes,
  parseCount,
  parseNumbers,
  parseSeconds,
} from './parse-quantity';

describe('quantities as typed', () => {
  it.each([
    ['10', 10],
    ['10k', 10_240],
    ['1.5 MB', 1_572_864],
    ['2GiB', 2 * 1024 ** 3],
    ['1,024', 1024],
  ])('reads size %s', (text, bytes) => expect(parseBytes(text)).toBe(bytes));
  it.each([
    ['90', 90],
    ['90min', 5400],
    ['7 d', 604_800],
    ['1.5h', 5400],
  ])('reads span %s', (text, seconds) => expect(parseSeconds(text)).toBe(seconds));
  it('understands no nonsense', () => {
    expect([
      parseBytes(' '),
      parseBytes('ten'),
      parseSeconds('-5'),
      parseCount('5 q'),
      parseCount('5 constructor'),
    ]).toEqual([undefined, null, null, null, null]);
  });
  it.each([
    ['0, 1', [0, 1]],
    ['0，1、2 3', [0, 1, 2, 3]],
    [' ', undefined],
    ['db0, 1', null],
    ['0, 65536', null],
    ['-1', null],
    [Array.from({ length: 65 }, (_, i) => i).join(), null],
  ])('reads numbers %s', (text, numbers) => expect(parseNumbers(text)).toEqual(numbers));
  it('writes a text that reads back as the same number', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2 ** 45 }), (n) => {
        expect(parseBytes(formatBytesInput(n))).toBe(n);
        expect(parseSeconds(formatSecondsInput(n))).toBe(n);
      }),
    );
  });
});
