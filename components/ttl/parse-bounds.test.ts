import { expect, it } from 'vitest';
import { parseBounds } from './ttl-histogram';

it('reads ascending bounds in either comma', () => expect(parseBounds('60, 1h，1d')).toEqual([60, 3600, 86_400]));
it('takes nothing for no bounds', () => expect(parseBounds(' ')).toEqual([]));
it.each(['1d, 1h', '1h, 1h', '0', 'soon', '-5'])('refuses %s', (text) => expect(parseBounds(text)).toBeNull());
