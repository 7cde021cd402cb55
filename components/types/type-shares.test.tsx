// @vitest-environment happy-dom
import { cleanup, render } from '@testing-library/react';
import { IntlProvider } from 'use-intl';
import { afterEach, expect, it } from 'vitest';
import type { TypeShare } from '@/lib/model/reports/reports';
import { messages } from '@/messages';
import { TypeShares } from './type-shares';

afterEach(cleanup);

const textOf = (bytes: number) => {
  const row = { type: 'hash', keys: 1_200_000, bytes, bytesUnknown: 0, withExpiry: 0 };
  const types: TypeShare[] = [{ ...row, avgBytes: null, p50Bytes: null, p99Bytes: null, maxBytes: null }];
  return render(
    <IntlProvider locale="en" messages={messages.en} timeZone="UTC">
      <TypeShares types={types} />
    </IntlProvider>,
  ).container.textContent;
};

it('says of no memory that could be read that it is unknown, not that it is none', () => {
  expect(textOf(2048)).toContain('2.00 KiB');
  cleanup();
  expect(textOf(0)).toContain('1,200,000');
  cleanup();
  expect(textOf(0)).not.toContain('0 B');
});
