import { isUtf8 } from 'node:buffer';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toDisplayName } from './display-name';
import { decodeKey, encodeKey } from './key-id';

/** Converts a display form back to its bytes. */
function undone(form: string): Buffer {
  const isJava = form.startsWith('\\java\\');
  if (!isJava) return undoneText(form.replace(/^\\+(?=java\\)/, (run) => run.slice(run.length >> 1)));
  const text = undoneText(form.slice('\\java\\'.length));
  return Buffer.concat([Buffer.from('aced000574', 'hex'), Buffer.from([text.length >> 8, text.length & 255]), text]);
}

function undoneText(name: string): Buffer {
  const parts: Buffer[] = [];
  let from = 0;
  for (const { 0: run, 1: slashes = '', 2: hex = '', index } of name.matchAll(/(\\+)x([0-9a-f]{2})/g)) {
    const isByte = slashes.length % 2 === 1;
    parts.push(Buffer.from(name.slice(from, index) + '\\'.repeat(slashes.length >> 1) + (isByte ? '' : `x${hex}`)));
    if (isByte) parts.push(Buffer.from(hex, 'hex'));
    from = index + run.length;
  }
  return Buffer.concat([...parts, Buffer.from(name.slice(from))]);
}

const java = (text: string | number[]): number[] => {
  const bytes = [...Buffer.from(text as string)];
  return [0xac, 0xed, 0, 5, 0x74, bytes.length >> 8, bytes.length & 255, ...bytes];
};
const show = (bytes: number[] | string) => toDisplayName(Buffer.from(bytes as string));

describe('toDisplayName', () => {
  it.each<[string, number[] | string, string, boolean]>([
    ['empty', '', '', true],
    ['printable ASCII', 'user:{42}:profile ~', 'user:{42}:profile ~', true],
    ['a backslash', 'a\\b', 'a\\b', true],
    ['what looks like an escape but is text', 'a\\x00', 'a\\\\x00', false],
    ['two backslashes of what looks like an escape', 'a\\\\x00', 'a\\\\\\\\x00', false],
    ['what begins like an escape', '\\x0:\\X00:\\xAB', '\\x0:\\X00:\\xAB', true],
    ['a backslash before a byte', [0x5c, 0xff], '\\\\\\xff', false],
    ['the letters of an escape behind a byte', [0xff, 0x78, 0x61, 0x61], '\\xffxaa', false],
    ['classes', 'App\\Models\\User:1', 'App\\Models\\User:1', true],
    ['Chinese', '用户:1', '用户:1', true],
    ['an emoji joined with ZWJ', '👩‍💻:1', '👩‍💻:1', true],
    ['NFC', '\u00e9', '\u00e9', true],
    ['NFD', 'e\u0301', 'e\u0301', true],
    ['BOM', [0xef, 0xbb, 0xbf, 0x61], '\ufeffa', true],
    ['U+FFFD that is really there', '\ufffd', '\ufffd', true],
    ['bidi override (the page shows it)', 'a\u202eb', 'a\u202eb', true],
    ['a no-break space, the first after C1', '\u00a0', '\u00a0', true],
    ['the last code point', [0xf4, 0x8f, 0xbf, 0xbf], '\u{10ffff}', true],
    ['NUL', [0x61, 0, 0x62], 'a\\x00b', false],
    ['TAB CR LF', '\t\r\n', '\\x09\\x0d\\x0a', false],
    ['ESC sequence', '\u001b[2J', '\\x1b[2J', false],
    ['DEL', [0x7f], '\\x7f', false],
    ['C1 control', '\u0085', '\\xc2\\x85', false],
    ['ff fe', [0xff, 0xfe], '\\xff\\xfe', false],
    ['overlong slash', [0xc0, 0xaf], '\\xc0\\xaf', false],
    ['overlong three bytes', [0xe0, 0x80, 0xaf], '\\xe0\\x80\\xaf', false],
    ['surrogate half', [0xed, 0xa0, 0x80], '\\xed\\xa0\\x80', false],
    ['above U+10FFFF', [0xf4, 0x90, 0x80, 0x80], '\\xf4\\x90\\x80\\x80', false],
    ['truncated at the end', [0x61, 0xe7, 0x94], 'a\\xe7\\x94', false],
    ['truncated in the middle', [0xe7, 0x94, 0x61], '\\xe7\\x94a', false],
    ['U+FFFD beside ff', [0xef, 0xbf, 0xbd, 0xff], '\ufffd\\xff', false],
    ['a string of Java', java('user:session:1'), '\\java\\user:session:1', false],
    ['one whose length is a colon', java('u'.repeat(58)), `\\java\\${'u'.repeat(58)}`, false],
    ['one of two bytes of length', java('u'.repeat(300)), `\\java\\${'u'.repeat(300)}`, false],
    ['an empty one', java(''), '\\java\\', false],
    ['bytes in one', java('a\0\\x00'), '\\java\\a\\x00\\\\x00', false],
    ['one in another', java(java('a')), '\\java\\\\xac\\xed\\x00\\x05t\\x00\\x01a', false],
    ['the mark of one in it', java('\\java\\a'), '\\java\\\\java\\a', false],
    ['one whose length is a brace', java('u'.repeat(123)), `\\xac\\xed\\x00\\x05t\\x00{${'u'.repeat(123)}`, false],
    ['more than one', [...java('ab'), 0x63], '\\xac\\xed\\x00\\x05t\\x00\\x02abc', false],
    ['less than one', java('ab').slice(0, -1), '\\xac\\xed\\x00\\x05t\\x00\\x02a', false],
    ['text like the mark of one', '\\java\\List', '\\\\java\\List', false],
    ['two backslashes of such', '\\\\java\\', '\\\\\\\\java\\', false],
    ['text like it before a byte', [...Buffer.from('\\java'), 0], '\\\\java\\x00', false],
    ['text like it within a name', 'C:\\java\\bin', 'C:\\java\\bin', true],
    [
      'text around a bad byte',
      Buffer.concat([Buffer.from('用'), Buffer.from([0x80]), Buffer.from('户')]).toJSON().data,
      '用\\x80户',
      false,
    ],
  ])('%s', (_what, bytes, name, exact) => {
    expect(show(bytes)).toEqual({ name, exact });
  });

  it('shows each single byte', () => {
    for (let byte = 0; byte < 256; byte++) {
      const printable = byte >= 0x20 && byte < 0x7f;
      const hex = `\\x${byte.toString(16).padStart(2, '0')}`;
      expect(show([byte])).toEqual({ name: printable ? String.fromCharCode(byte) : hex, exact: printable });
    }
  });

  it('is exact only when the text encodes back to the bytes, and never holds a control character', () => {
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 40 }).map((array) => Buffer.from(array)),
      fc.string({ unit: 'binary', maxLength: 20 }).map((text) => Buffer.from(text)),
      fc
        .tuple(fc.string({ unit: 'grapheme' }), fc.uint8Array({ maxLength: 3 }))
        .map(([a, b]) => Buffer.concat([Buffer.from(a), b])),
      fc.array(fc.constantFrom(0x5c, 0x5c, 0x78, 0x61, 0x30, 0xff, 0x00)).map((list) => Buffer.from(list)),
      fc
        .array(fc.constantFrom('\\', '\\java\\', 'java', 'x00', '\0', Buffer.from(java('a')).toString('latin1')))
        .map((list) => Buffer.from(list.join(''), 'latin1')),
      fc
        .array(fc.constantFrom('\\', '\\java\\', 'x00', '\0', '\xff'))
        .map((list) => Buffer.from(java([...Buffer.from(list.join(''), 'latin1')]))),
    );
    fc.assert(
      fc.property(bytes, (buffer) => {
        const { name, exact } = toDisplayName(buffer);
        expect(name).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/);
        expect(Buffer.from(name).toString()).toBe(name);
        if (exact) expect(Buffer.from(name).equals(buffer)).toBe(true);
        else if (isUtf8(buffer))
          expect(buffer.toString()).toMatch(/[\u0000-\u001f\u007f-\u009f]|\\x[0-9a-f]{2}|^\\+java(?:\\|$)/);
        // No two names have the same form: converting it back gives the original bytes.
        expect(undone(name).equals(buffer)).toBe(true);
      }),
      { numRuns: 3000 },
    );
  });

  it('is fast enough for a scan', () => {
    const names = Array.from({ length: 1000 }, (_, i) => Buffer.from(`order:2024:{${i}}:detail:line-items`));
    const round = () => {
      for (const name of names) toDisplayName(name);
    };
    for (let i = 0; i < 50; i++) round();
    const start = process.cpuUsage();
    for (let i = 0; i < 100; i++) round();
    const { user, system } = process.cpuUsage(start);
    // 100,000 names; a third of a second would already be a tenth of the whole scan.
    expect((user + system) / 1000).toBeLessThan(300);
  });
});

describe('key identity', () => {
  it('carries any bytes there and back', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 64 }), (array) => {
        const bytes = Buffer.from(array);
        expect(encodeKey(bytes)).toMatch(/^(~|[A-Za-z0-9_-]+)$/);
        expect(decodeKey(encodeKey(bytes)).equals(bytes)).toBe(true);
      }),
    );
  });
  it.each(['', 'a', 'YQ==', 'YR', 'Y Q', 'YQ\n', '+w', '/w', 'ü'])('refuses %j', (k) => {
    expect(() => decodeKey(k)).toThrow(expect.objectContaining({ code: 'bad_request' }));
  });
});
