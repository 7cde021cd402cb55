import fc from 'fast-check';
import { expect, it } from 'vitest';
import { encodeKey } from '@/lib/model/keys/key-id';
import { decodeK, formatK, toBase64 } from './format-k';

it('reads the bytes and the name of a key from its identity', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 24 }), (bytes) => {
      const k = encodeKey(Buffer.from(bytes));
      expect(decodeK(k)).toEqual(bytes);
      expect(toBase64(k)).toBe(Buffer.from(bytes).toString('base64'));
    }),
  );
  expect(formatK(encodeKey(Buffer.from([0x75, 0xff])))).toBe('u\\xff');
});
