import fc from 'fast-check';
import { expect, it } from 'vitest';
import { buildPrefixPattern, measureCommand, writeCommand } from './encode-command';
import { CommandBatch } from './encode-page';

function encodeCommand(args: readonly (string | Buffer)[]): Buffer {
  const bytes = Buffer.alloc(measureCommand(args));
  return bytes.subarray(0, writeCommand(args, bytes, 0));
}

const name = fc
  .oneof(fc.uint8Array({ maxLength: 130 }), fc.uint8Array({ minLength: 505, maxLength: 1200 }))
  .map((bytes) => Buffer.from(bytes));

it('a group is the same bytes as its commands one by one, for every length of name', () => {
  const commands = [['MEMORY', 'USAGE'], ['OBJECT', 'ENCODING'], ['TYPE']];
  const group = new CommandBatch(commands);
  const asking = new CommandBatch(commands, true);
  fc.assert(
    fc.property(fc.array(name, { minLength: 1, maxLength: 6 }), (names) => {
      for (const [made, before] of [
        [group, []],
        [asking, [encodeCommand(['ASKING'])]],
      ] as const) {
        const bytes = names.reduce((sum, n) => sum + made.measureFor(n.length), 0);
        const out = Buffer.alloc(bytes + 3, 0xee);
        let at = 3;
        for (const n of names) at = made.write(out, at, n);
        expect(at).toBe(out.length);
        const expected = names.flatMap((n) =>
          commands.flatMap((command) => [...before, encodeCommand([...command, n])]),
        );
        expect(out.subarray(3).equals(Buffer.concat(expected))).toBe(true);
      }
    }),
  );
});

it('a command is counted in bytes', () => {
  expect(encodeCommand(['GET', 'é', Buffer.from([0, 255])]).toString('latin1')).toBe(
    '*3\r\n$3\r\nGET\r\n$2\r\n\xc3\xa9\r\n$2\r\n\x00\xff\r\n',
  );
});

it('a prefix becomes a literal pattern', () => {
  expect(buildPrefixPattern(Buffer.from('a*b?[c]\\d')).toString()).toBe('a\\*b\\?\\[c\\]\\\\d*');
  expect(buildPrefixPattern(Buffer.alloc(0)).toString()).toBe('*');
});
