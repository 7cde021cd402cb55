import { deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { KeyPreview } from '@/lib/model/keys/live-key';
import { decompress } from './decompress';
import { formatJava } from './java-text';
import { formatPhp } from './php-text';
import { formatInView, guessView, listReadableViews } from './value-view';

const value = (bytes: Uint8Array | string, size?: number) => {
  const buffer = Buffer.from(bytes as string);
  return { base64: buffer.toString('base64'), size: size ?? buffer.length };
};
const hex = (text: string) => Buffer.from(text.replaceAll(/\s/g, ''), 'hex');
/** A text as Java writes it after its length. */
const utf = (text: string) => `${text.length.toString(16).padStart(4, '0')}${Buffer.from(text).toString('hex')}`;
const ID = '0123456789abcdef';
const INTEGER = `73 72 ${utf('java.lang.Integer')} ${ID} 02 0001 49 ${utf('value')} 78
  72 ${utf('java.lang.Number')} ${ID} 02 0000 78 70 0000002a`;
const MAP = `73 72 ${utf('java.util.HashMap')} ${ID} 03 0002 46 ${utf('loadFactor')} 49 ${utf('threshold')} 78 70
  3f400000 0000000c 77 08 00000010 00000001 74 ${utf('name')} 74 ${utf('Ada')} 78`;

describe('PHP', () => {
  const of = (text: string, cut = false) => formatPhp(Buffer.from(text), cut);
  it('reads every kind', () => {
    expect(of('a:2:{s:4:"name";s:5:"Åda!";i:7;a:0:{}}')).toBe('[\n  "name" => "Åda!",\n  7 => []\n]');
    expect(
      ['N;', 'b:1;', 'b:0;', 'i:-9223372036854775808;', 'd:0.1;', 'd:-INF;', 'd:1.0E+25;'].map((one) => of(one)),
    ).toEqual(['null', 'true', 'false', '-9223372036854775808', '0.1', '-INF', '1.0E+25']);
    expect(of('O:8:"App\\User":3:{s:2:"id";i:1;s:6:"\0*\0key";N;s:13:"\0App\\User\0pin";R:1;}')).toBe(
      'App\\User {\n  "id" => 1,\n  "key" (protected) => null,\n  "pin" (App\\User) => → value 1\n}',
    );
    expect(of('C:11:"ArrayObject":4:{x:i;}')).toBe('ArrayObject "x:i;"');
    expect(of('E:11:"Suit:Hearts";')).toBe('Suit::Hearts');
  });
  it('reads a session', () => {
    expect(of('username|s:3:"ada";role|a:1:{i:0;s:5:"admin";}')).toBe('username: "ada"\nrole: [\n  0 => "admin"\n]');
  });
  it('refuses what only looks like it', () => {
    for (const text of [
      '',
      'a',
      'i:5',
      'i:x;',
      's:5:"abc";',
      's:3:"abc"',
      'a:1:{}',
      'N;N;',
      'O:1:"A":0:{',
      'x|y',
      'k|N;:',
    ])
      expect(of(text), text).toBeNull();
  });
  it('shows a cut value up to the cut', () => {
    expect(of('a:9:{s:4:"name";s:900:"Ada L', true)).toBe('[\n  "name" => "Ada L"…');
    expect(of('a:2:{i:0;i:1', true)).toBe('[\n  0 => …');
    expect(of('user|s:3:"ada";ro', true)).toBe('user: "ada"…');
  });
});

describe('Java', () => {
  const of = (text: string, cut = false) => formatJava(hex(`aced0005 ${text}`), cut);
  it('reads strings, and objects with their classes, fields and parents', () => {
    expect(of(`74 ${utf('hello')}`)).toBe('"hello"');
    expect(of(INTEGER)).toBe('java.lang.Integer {\n  value: 42\n}');
    expect(of(MAP)).toBe(
      'java.util.HashMap {\n  loadFactor: 0.75,\n  threshold: 12,\n  (8 bytes),\n  "name",\n  "Ada"\n}',
    );
    const session = `73 72 ${utf('com.acme.Session')} ${ID} 02 0003 4c ${utf('user')} 74 ${utf('Ljava/lang/String;')}
      5b ${utf('data')} 74 ${utf('[B')} 4a ${utf('at')} 78 70`;
    // A class may not name its fields in this order, but a stream may.
    expect(
      of(`${session} 74 ${utf('ada')} 75 72 ${utf('[B')} ${ID} 02 0000 78 70 00000002 0102 00000000000000ff`),
    ).toBe('com.acme.Session {\n  user: "ada",\n  data: (2 bytes),\n  at: 255\n}');
    expect(of(`7e 72 ${utf('com.acme.Role')} ${ID} 12 0000 78 70 74 ${utf('ADMIN')}`)).toBe('com.acme.Role.ADMIN');
    const texts = `75 72 ${utf('[Ljava.lang.String;')} ${ID} 02 0000 78 70`;
    expect(of(`${texts} 00000003 74 ${utf('a')} 71 007e0002 70`)).toBe('[\n  "a",\n  "a",\n  null\n]');
    // Modified UTF-8: U+0000 in two bytes, U+1F600 as two surrogates.
    expect(of('74 0008 c080 eda0bdedb880')).toBe('"\\u0000😀"');
  });
  it('reads what Java 17 has written', () => {
    const uuid = [
      'aced00057372000e6a6176612e7574696c2e55554944bc9903f7986d852f0200024a000c6c656173',
      '74536967426974734a000b6d6f73745369674269747378708a6b0c1d2e3f4a5b5f2e8a1c9b3d4e7f',
    ];
    expect(formatJava(hex(uuid.join('')), false)).toBe(
      'java.util.UUID {\n  leastSigBits: -8472664954497971621,\n  mostSigBits: 6858571138000047743\n}',
    );
  });
  it('refuses what is not', () => {
    for (const text of [
      '',
      '00',
      '74 0005 61',
      '71 007e0000',
      '73 70',
      `73 72 ${utf('A')} ${ID} 02 0001 58 ${utf('x')} 78 70`,
    ])
      expect(of(text), text).toBeNull();
    expect(formatJava(hex('aced0006 70'), false)).toBeNull();
  });
  it('shows a cut value up to the cut', () => {
    expect(of(MAP.replace(/78\s*$/, ''), true)).toMatch(/"Ada"…$/);
    expect(of('74 0100 616263', true)).toBe('"abc"…');
    // The name of a class is cut: it is no value.
    expect(of('73 72 0100 616263', true)).toBe('…');
    expect(of(`${MAP.slice(0, -2)} 73 72 ${utf('A')} ${ID} 02 0001 4c 0001 61 74 0100 4c6a`, true)).toMatch(
      /"Ada",\n {2}…$/,
    );
  });
});

describe('gzip and zlib', () => {
  const text = '{"id":1,"name":"Ada"}';
  it('are shown as what they hold', () => {
    const json = '{\n  "id": 1,\n  "name": "Ada"\n}';
    for (const bytes of [
      gzipSync(text),
      deflateSync(text),
      deflateSync(text, { level: 1 }),
      deflateSync(text, { level: 9 }),
    ])
      expect(formatInView(value(bytes), 'compressed')).toBe(json);
    const magento = Buffer.concat([Buffer.from('gz:\x1f\x8b', 'latin1'), deflateSync(text)]);
    expect(formatInView(value(magento), 'compressed')).toBe(json);
    expect(formatInView(value(gzipSync('a:1:{i:0;N;}')), 'compressed')).toBe('[\n  0 => null\n]');
    expect(formatInView(value(gzipSync(hex(`aced0005 74 ${utf('x')}`))), 'compressed')).toBe('"x"');
    expect(formatInView(value(gzipSync('plain\u0001')), 'compressed')).toBe('plain\\x01');
  });
  it('are shown up to the cut', () => {
    const long = Array.from({ length: 4000 }, (_, i) => `line ${i * 7919}`).join('\n');
    const packed = gzipSync(long);
    const shown = formatInView(value(packed.subarray(0, 4096), packed.length), 'compressed')!;
    expect(shown.startsWith('line 0\\x0aline 7919')).toBe(true);
    expect(shown.endsWith('…')).toBe(true);
    expect(shown.length).toBeGreaterThan(4096);
  });
  it('are refused when they are damaged, end early, or only look like it', () => {
    const packed = gzipSync(text);
    expect(decompress(packed.subarray(0, -9), false)).toBeNull();
    expect(decompress(Buffer.from(packed).fill(0xff, 10, 20), false)).toBeNull();
    for (const bytes of ['', 'x', 'x^2 + y', 'plain', '\x1f\x8b'])
      expect(decompress(Buffer.from(bytes, 'latin1'), false)).toBeNull();
  });
});

describe('what a preview is opened as', () => {
  const preview = (...values: (Uint8Array | string)[]): KeyPreview => ({
    kind: 'items',
    rows: [],
    bytes: values.map((one) => [value(one)]),
    truncated: false,
    shown: values.length,
    total: null,
  });
  it('follows the values, and offers a rare view only where it can read one', () => {
    expect(guessView(preview('a:1:{i:0;N;}', 's:1:"x";'))).toBe('php');
    expect(guessView(preview(hex(`aced0005 ${MAP}`)))).toBe('java');
    expect(guessView(preview(gzipSync('x'), deflateSync('y')))).toBe('compressed');
    for (const text of ['i:5;', 'N;', 'user', 'x^2 + y', 'a|b']) expect(guessView(preview(text)), text).toBe('text');
    expect(listReadableViews(preview('x'))).toEqual(['text', 'json', 'messagepack', 'hex']);
    expect(listReadableViews(preview('x', gzipSync('x')))).toEqual([
      'text',
      'json',
      'messagepack',
      'compressed',
      'hex',
    ]);
  });
});
