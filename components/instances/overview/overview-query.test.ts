import { expect, it } from 'vitest';
import { toOverviewQuery, toScoreScope } from './overview-query';

it('asks by the whole filter, and by a delimiter only beside the template that was cut by it', () => {
  expect(toOverviewQuery({ prefix: 'shop:', type: ['hash'], delimiter: '/' })).toEqual({
    prefix: 'shop:',
    type: ['hash'],
  });
  expect(toOverviewQuery({ template: 'shop/{int}', delimiter: '/' })).toEqual({
    template: 'shop/{int}',
    delimiter: '/',
  });
});

it('asks for the score by what findings understand', () => {
  expect(toScoreScope({ prefix: 'shop:', owner: 'web', type: ['hash'], bytesMin: 64, delimiter: '/' })).toEqual({
    prefix: 'shop:',
    owner: 'web',
  });
  expect(toScoreScope({ template: 'shop/{int}', delimiter: '/' })).toEqual({ template: 'shop/{int}', delimiter: '/' });
  expect(toScoreScope({ big: true })).toEqual({});
});
