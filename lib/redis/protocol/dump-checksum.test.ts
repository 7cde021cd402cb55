import { expect, it } from 'vitest';
import { isWholeDump } from './dump-checksum';

/** The reply to DUMP for the string "x" (Redis 7.0.15). */
const DUMP = Buffer.from('0001780a002280865fbde848d0', 'hex');

it('computes what the server computes', () => {
  expect(isWholeDump(DUMP)).toBe(true);
});

it('takes no dump of which a bit differs, or that ends early', () => {
  for (let at = 0; at < DUMP.length; at++) {
    const flipped = Buffer.from(DUMP);
    flipped[at] = (flipped[at] as number) ^ 1;
    expect(isWholeDump(flipped)).toBe(false);
    expect(isWholeDump(DUMP.subarray(0, at))).toBe(false);
  }
});
