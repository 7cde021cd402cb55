import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { decompress, MAX_DECOMPRESSED } from '@/components/keys/value-views/decompress';
import { formatJava } from '@/components/keys/value-views/java-text';
import { formatPhp } from '@/components/keys/value-views/php-text';
import { formatInView, guessView, VALUE_VIEWS } from '@/components/keys/value-views/value-view';
import type { KeyPreview } from '@/lib/model/keys/live-key';

/** Values that a client may store to harm the browser of whoever looks at them. */

const LONGEST = 70_000;
const hex = (text: string) => Buffer.from(text.replaceAll(/\s/g, ''), 'hex');
const utf = (text: string) => `${text.length.toString(16).padStart(4, '0')}${Buffer.from(text).toString('hex')}`;
const toPreview = (bytes: Uint8Array, size = bytes.length) => ({ base64: Buffer.from(bytes).toString('base64'), size });

it('a bomb yields as much as is shown, whether it is whole, cut or within another', () => {
  const bomb = gzipSync(Buffer.alloc(4_000_000));
  for (const cut of [false, true]) {
    const inside = decompress(bomb.subarray(0, 4096), cut)!;
    expect(inside.bytes.length).toBe(MAX_DECOMPRESSED);
    expect(inside.bytes.buffer.byteLength).toBeLessThan(4 * MAX_DECOMPRESSED);
    expect(inside.whole).toBe(false);
  }
  const nested = gzipSync(gzipSync(Buffer.alloc(10_000_000)));
  // What is inside is not decompressed again.
  expect(formatInView(toPreview(nested), 'compressed')!.length).toBeLessThan(LONGEST);
});

it('a value nested without end is refused or shown up to the cut', () => {
  const php = 'a:1:{i:0;'.repeat(450);
  const array = `75 72 ${utf('[Ljava.lang.Object;')} 0000000000000000 02 0000 78 70 00000001`;
  const java = hex(`aced0005 ${array} ${'75 71 007e0000 00000001'.repeat(400)}`);
  for (const cut of [false, true]) {
    expect(formatPhp(Buffer.from(php), cut)).toBeNull();
    expect(formatJava(java, cut)).toBeNull();
  }
});

it('a length or a count that is not there allocates nothing', () => {
  expect(formatPhp(Buffer.from('a:9999999999:{'), true)).toBe('[\n  …');
  expect(formatPhp(Buffer.from('s:9999999999:"x'), true)).toBe('"x"…');
  const array = `aced0005 75 72 ${utf('[I')} 0000000000000000 02 0000 78 70 7fffffff 00000001`;
  expect(formatJava(hex(array), true)).toBe('[\n  1,\n  …');
  expect(formatJava(hex('aced0005 7a 7fffffff 00'), true)).toBe('(2147483647 bytes)…');
  expect(formatJava(hex('aced0005 7a ffffffff 00'), true)).toBeNull();
});

it('a text that is named again and again does not grow without bound', () => {
  const texts = `aced0005 74 ${utf('x'.repeat(2000))} ${'71 007e0000'.repeat(400)}`;
  const shown = formatJava(hex(texts), false)!;
  expect(shown.length).toBeLessThan(LONGEST);
  expect(shown.endsWith('…')).toBe(true);
});

it('a class that is its own parent is refused', () => {
  const own = `aced0005 73 72 ${utf('A')} 0000000000000000 02 0000 78 71 007e0000`;
  expect(formatJava(hex(own), false)).toBeNull();
  expect(formatJava(hex(own), true)).toBeNull();
});

it('any bytes after a beginning that looks right are borne by every view', () => {
  const beginnings = ['aced0005', 'aced000573', 'aced00057372', '1f8b0800', '789c', '613a', '4f3a', '757365727c'];
  for (let seed = 0; seed < 1200; seed++) {
    const rest = Uint8Array.from({ length: seed % 90 }, (_, i) => (seed * 2654435761 + i * i * 40503) >>> (i % 13));
    const bytes = Buffer.concat([hex(beginnings[seed % beginnings.length]!), rest]);
    const value = toPreview(bytes, bytes.length + (seed % 3));
    for (const view of VALUE_VIEWS) if (view !== 'text') formatInView(value, view);
    const preview: KeyPreview = { kind: 'items', rows: [], bytes: [[value]], truncated: false, shown: 1, total: null };
    expect(VALUE_VIEWS).toContain(guessView(preview));
  }
});
