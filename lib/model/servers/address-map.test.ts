import { expect, it } from 'vitest';
import { AddressMap, findTwice } from './address-map';
import { formatMappedAddress, parseAddressMap } from './address-map-text';

const at = (host: string, port: number) => ({ host, port });

it.each([
  ['10.0.0.5:6379 = 127.0.0.1:7001', [{ announced: at('10.0.0.5', 6379), use: at('127.0.0.1', 7001) }]],
  [
    ' a.b:1->c:2 ,\n\n[fd00::5]:6379 → [::1]:7\n',
    [
      { announced: at('a.b', 1), use: at('c', 2) },
      { announced: at('fd00::5', 6379), use: at('::1', 7) },
    ],
  ],
  ['', []],
])('reads %j', (text, map) => {
  expect(parseAddressMap(text)).toEqual(map);
  expect(parseAddressMap(map.map(formatMappedAddress).join('\n'))).toEqual(map);
  expect(AddressMap.parse(map)).toEqual(map);
});

it.each([
  'a:1',
  'a:1 = ',
  'a:1 = b',
  'a:1 = b:0',
  'a:1 = b:2 = c:3',
  'a b:1 = c:2',
  'a:1 = http://b:2',
  'fd00::5:1 = a:2',
])('refuses %j', (text) => expect(AddressMap.safeParse(parseAddressMap(text)).success).toBe(false));

it('finds an address that occurs twice on one side', () => {
  expect(findTwice(parseAddressMap('a:1 = b:1, b:1 = a:1'))).toBeUndefined();
  expect(findTwice(parseAddressMap('a:1 = b:1, A:1 = c:1'))).toBe('a:1');
  expect(findTwice(parseAddressMap('a:1 = c:1, b:1 = C:1'))).toBe('c:1');
});
