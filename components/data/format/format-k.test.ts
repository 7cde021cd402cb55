import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toDisplayName } from '@/lib/model/keys/display-name';
import { encodeKey } from '@/lib/model/keys/key-id';
import { decodeK, formatK, toBase64 } from './format-k';

describe('a key from its identity', () => {
  it('has the display form that snapshots use, for any bytes', () => {
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 24 }),
      fc.string({ unit: 'binary', maxLength: 12 }).map((s) => new TextEncoder().encode(s)),
      fc.uint8Array({ maxLength: 24 }).map((text) => Uint8Array.of(0xac, 0xed, 0, 5, 0x74, 0, text.length, ...text)),
      fc.constantFrom('\\java\\', '\\\\java\\x00').map((s) => new TextEncoder().encode(s)),
    );
    fc.assert(
      fc.property(bytes, (array) => {
        const buffer = Buffer.from(array);
        const k = encodeKey(buffer);
        expect(formatK(k)).toBe(toDisplayName(buffer).name);
        expect(Buffer.from(decodeK(k)).equals(buffer)).toBe(true);
        expect(toBase64(k)).toBe(buffer.toString('base64'));
      }),
    );
  });
});
