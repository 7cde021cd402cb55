// @vitest-environment happy-dom
import { cleanup, render } from '@testing-library/react';
import { IntlProvider } from 'use-intl';
import { afterEach, expect, it } from 'vitest';
import type { WaitReason } from '@/lib/model/job';
import { messages } from '@/messages';
import { WaitReasonAlert } from './wait-reason';

afterEach(cleanup);

const shown = (reason: WaitReason) =>
  render(
    <IntlProvider locale="en" messages={messages.en} timeZone="UTC">
      <WaitReasonAlert reason={reason} />
    </IntlProvider>,
  ).container.textContent;

it('fills the gaps of the sentence, and tells the rest below it', () => {
  const text = shown({ code: 'server_busy', since: 0, params: { code: 'LATE', seconds: 12 } });
  expect(text).toContain('It answered LATE.');
  expect(text).not.toMatch(/LATE.*LATE/);
  expect(text).toContain('12 s');
});

it('says who paused it, and measures with their place', () => {
  const text = shown({ code: 'operator', since: 0, params: { by: 'local admin' } });
  expect(text).toContain('Paused by Local administrator');
  expect(text).not.toContain('local admin');
  const critical = shown({ code: 'critical_latency', since: 0, params: { ms: 508, address: '127.0.0.1:7102' } });
  expect(critical).toContain('508 ms on 127.0.0.1:7102');
});

it('says since when with the day: a job may wait over night', () => {
  const text = shown({ code: 'operator', since: Date.UTC(2026, 10, 3, 12), params: {} });
  expect(text).toMatch(/since .*2026/);
});
