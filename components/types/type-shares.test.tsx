// @vitest-environment happy-dom
import { cleanup } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import type { TypeShare } from '@/lib/model/reports/reports';
import { showPage, stubApi } from '@/test/show-page';
import { TypeShares } from './type-shares';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const toText = (bytes: number) => {
  const row = { type: 'hash', keys: 1_200_000, bytes, bytesUnknown: 0, withExpiry: 0 };
  const types: TypeShare[] = [{ ...row, avgBytes: null, p50Bytes: null, p99Bytes: null, maxBytes: null }];
  stubApi({});
  return showPage(<TypeShares types={types} />).container.textContent;
};

it('says of no memory that could be read that it is unknown, not that it is none', () => {
  expect(toText(2048)).toContain('2.00 KiB');
  cleanup();
  expect(toText(0)).toContain('1,200,000');
  cleanup();
  expect(toText(0)).not.toContain('0 B');
});
