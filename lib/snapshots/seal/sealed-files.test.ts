import { expect, it } from 'vitest';
import { random } from '@/test/snapshots/made-rows';
import { findCutBetween } from './sealed-files';

it.each([
  ['shop:user:1230000:cart', 'shop:user:1234567:profile', 'shop:user:1234'],
  ['', 'abc', 'a'],
  ['a', 'a:1', 'a:'],
  ['ab', 'b', 'b'],
  ['a', 'a', 'a'],
  ['x\u{1f600}', 'x\u{1f601}y', 'x\u{1f601}'],
  ['x\uffff', 'x\u{10000}', 'x\u{10000}'],
])('parts %j and %j at %j', (before, name, cut) => {
  expect(findCutBetween(before, name)).toBe(cut);
});

it('lies behind the first and not behind the second, by bytes, whatever the names are', () => {
  const r = random(5);
  const characters = ['a', 'b', ':', 'é', '户', '\uffff', '\u{1f600}', '\u{10ffff}'];
  const made = () => Array.from({ length: Math.floor(r() * 6) }, () => characters[Math.floor(r() * 8)]!).join('');
  const compare = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b));
  let parted = 0;
  for (let i = 0; i < 5000; i++) {
    const [before, name] = [made(), made()].sort(compare) as [string, string];
    if (compare(before, name) === 0) continue;
    const cut = findCutBetween(before, name);
    expect(compare(before, cut), JSON.stringify([before, name])).toBeLessThan(0);
    expect(compare(cut, name)).toBeLessThanOrEqual(0);
    expect(name.startsWith(cut)).toBe(true);
    parted++;
  }
  expect(parted).toBeGreaterThan(4000);
});
