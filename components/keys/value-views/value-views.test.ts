import { describe, expect, it } from 'vitest';
import type { KeyPreview } from '@/lib/model/keys/live-key';
import { formatMessagepack } from './messagepack-text';
import { markInvisible } from './value-text';
import { formatHexDump, formatInView, formatJson, guessView } from './value-view';

const value = (bytes: Uint8Array | string, size?: number) => {
  const buffer = Buffer.from(bytes as string);
  return { base64: buffer.toString('base64'), size: size ?? buffer.length };
};

describe('JSON', () => {
  it('keeps what parsing would lose: digits, repeated fields, order', () => {
    const text = formatJson('{"id":9223372036854775807,"a":[],"a":{},"b":[1.0,true]}', false);
    expect(text).toBe('{\n  "id": 9223372036854775807,\n  "a": [],\n  "a": {},\n  "b": [\n    1.0,\n    true\n  ]\n}');
  });
  it('shows a cut value up to the cut, and a cut text inside a character', () => {
    expect(formatJson('{"name":"an', true)).toBe('{\n  "name": "an…');
    const bytes = Buffer.from('["用');
    expect(formatInView(value(bytes.subarray(0, -1), 900), 'json')).toBe('[\n  "…');
  });
  it('is not what only looks like it', () => {
    for (const text of ['', 'hello', '{', '{"a":}', '{"a":1}x', "{'a':1}"]) expect(formatJson(text, false)).toBeNull();
    expect(formatInView(value(Buffer.from([0x7b, 0xff, 0x7d])), 'json')).toBeNull();
  });
  it('is read without recursion and without lines that grow with the depth', () => {
    const deep = formatJson('['.repeat(4096), true) as string;
    expect(deep.length).toBeLessThan(10_000);
    expect(formatJson('['.repeat(2000) + ']'.repeat(2000), false)?.length).toBeLessThan(10_000);
  });
});

describe('lines of a view', () => {
  it('keep what indents them, and show what cannot be seen in values', () => {
    expect(markInvisible('{\n  "a": [\n    1\n  ]\n}')).toBe('{\n  "a": [\n    1\n  ]\n}');
    expect(markInvisible('{\n  "a": "x\u200b"\n}\u202e')).toBe('{\n  "a": "xU+200B"\n}U+202E');
  });
});

describe('MessagePack', () => {
  const of = (hex: string, cut = false) => formatMessagepack(Buffer.from(hex.replaceAll(' ', ''), 'hex'), cut);
  it('reads every kind', () => {
    expect(of('82 a7 636f6d70616374 c3 a6 736368656d61 00')).toBe('{\n  "compact": true,\n  "schema": 0\n}');
    expect(of('95 c0 c2 ff d1 fffe cb 3ff8000000000000')).toBe('[\n  null,\n  false,\n  -1,\n  -2,\n  1.5\n]');
    expect(of('cf ffffffffffffffff')).toBe('18446744073709551615');
    expect(of('d3 8000000000000000')).toBe('-9223372036854775808');
    expect(of('c4 02 00ff')).toBe('bin (00ff)');
    expect(of('d6 ff 5a4af6a5')).toBe('ext -1 (5a4af6a5)');
    expect(of('81 c4 01 00 01')).toBe('{\n  bin (00): 1\n}');
    expect(of('dc 0001 d9 01 61')).toBe('[\n  "a"\n]');
    expect([of('80'), of('90')]).toEqual(['{}', '[]']);
    expect(of('82 a1 61 01 a1 61 02')).toBe('{\n  "a": 1,\n  "a": 2\n}');
  });
  it('refuses what is not: no meaning, more behind it, lengths that are not there', () => {
    for (const hex of ['', 'c1', '00 00', 'a5 61', 'dd ffffffff', 'c6 ffffffff 00', '92 01', 'd4']) {
      expect(of(hex), hex).toBeNull();
    }
  });
  it('shows a cut value up to the cut, and is not led by huge lengths', () => {
    expect(of('82 a1 61 01 a1', true)).toBe('{\n  "a": 1,\n  ""…');
    expect(of('dd ffffffff 01', true)).toBe('[\n  1,\n  …');
    expect(of('db ffffffff 61', true)).toBe('"a"…');
    expect(of('01', true)).toBeNull();
  });
  it('ends at a depth', () => {
    expect(of(`${'91'.repeat(31)}90`)).not.toBeNull();
    expect(of(`${'91'.repeat(4000)}90`)).toBeNull();
    expect(of('91'.repeat(4000), true)).toBeNull();
  });
  it('bears any bytes', () => {
    for (let seed = 0; seed < 3000; seed++) {
      const bytes = Uint8Array.from({ length: seed % 60 }, (_, i) => (seed * 2654435761 + i * i * 40503) >>> (i % 13));
      formatMessagepack(bytes, seed % 2 === 0);
    }
  });
});

it('shows bytes as hexdump does', () => {
  expect(formatHexDump(Buffer.from('{"a":1}\n0123456789'))).toBe(
    '0000  7b 22 61 22 3a 31 7d 0a 30 31 32 33 34 35 36 37  {"a":1}.01234567\n0010  38 39                                            89',
  );
  expect(formatInView(value('ab', 9), 'hex')).toMatch(/\n…$/);
});

describe('what a preview is opened as', () => {
  const preview = (kind: KeyPreview['kind'], bytes: KeyPreview['bytes']): KeyPreview => ({
    kind,
    rows: [],
    bytes,
    truncated: false,
    shown: bytes.length,
    total: null,
  });
  it('follows the values, never the fields, and takes no number for MessagePack', () => {
    expect(guessView(preview('pairs', [[value('f'), value('{"a":1}')]]))).toBe('json');
    expect(guessView(preview('pairs', [[value('{}'), value('x')]]))).toBe('text');
    expect(guessView(preview('string', [[value(Buffer.from('81a16101', 'hex'))]]))).toBe('messagepack');
    expect(guessView(preview('string', [[value('7')]]))).toBe('text');
    expect(guessView(preview('entries', [[value('1-0'), value('f'), value('[1]')]]))).toBe('json');
    expect(guessView(preview('items', []))).toBe('text');
  });
});
