import { expect, it } from 'vitest';
import { createValueComparison, groupRows } from './table-order';

it('compares names as people count, and figures by size', () => {
  expect(['b', 'a10', 'a2'].toSorted(createValueComparison('en'))).toEqual(['a2', 'a10', 'b']);
  expect([10, 9, 100].toSorted(createValueComparison('en'))).toEqual([9, 10, 100]);
});

it('compares names in the order of a language', () => {
  const names = ['支付', 'web', '北京'];
  expect(names.toSorted(createValueComparison('zh-CN'))).toEqual(['北京', '支付', 'web']);
  expect(names.toSorted(createValueComparison('en'))[0]).toBe('web');
});

it('keeps groups together, in the order of their names, what has none last', () => {
  const rows = ['env10', '', 'env2', 'env10'].map((env, at) => ({ env, at }));
  const grouped = groupRows(rows, ({ env }) => env, 'en');
  expect(grouped.map(({ env, at }) => `${env} ${at}`)).toEqual(['env2 2', 'env10 0', 'env10 3', ' 1']);
});
