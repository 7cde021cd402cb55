import { expect, it } from 'vitest';
import { dropZeroDecimals } from './drop-zero-decimals';

it.each([
  ['20.0 MiB', '20 MiB'],
  ['1.00 GiB', '1 GiB'],
  ['30.0K', '30K'],
  ['1.50 MiB', '1.50 MiB'],
  ['5,000', '5,000'],
  ['10.5K', '10.5K'],
])('shortens %s to %s', (text, short) => expect(dropZeroDecimals(text)).toBe(short));
