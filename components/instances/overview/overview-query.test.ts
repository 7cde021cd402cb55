import { expect, it } from 'vitest';
import { overviewQuery, scoreScope } from './overview-query';

it('asks by the whole filter, and by a delimiter only beside the template that was cut by it', () => {
  expect(overviewQuery({ prefix: 'shop:', type: ['hash'], delimiter: '/' })).toEqual({
    prefix: 'shop:',
    type: ['hash'],
  });
  expect(overviewQuery({ template: 'shop/{int}', delimiter: '/' })).toEqual({ template: 'shop/{int}', delimiter: '/' });
});

it('asks for the score by what findings understand', () => {
  expect(scoreScope({ prefix: 'shop:', owner: 'web', type: ['hash'], bytesMin: 64, delimiter: '/' })).toEqual({
    prefix: 'shop:',
    owner: 'web',
  });
  expect(scoreScope({ template: 'shop/{int}', delimiter: '/' })).toEqual({ template: 'shop/{int}', delimiter: '/' });
  expect(scoreScope({ big: true })).toEqual({});
});
