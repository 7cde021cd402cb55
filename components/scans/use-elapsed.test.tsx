// @vitest-environment happy-dom
import { cleanup, render } from '@testing-library/react';
import { renderToString } from 'react-dom/server';
import { afterEach, expect, it, vi } from 'vitest';
import type { Job } from '@/lib/model/job';
import { useElapsed } from './use-elapsed';

afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

const job = { state: 'running', startedAt: 10_000, updatedAt: 15_000, endedAt: null } as Job;
const Elapsed = () => <p>{useElapsed(job)}</p>;

it('begins with what both sides know, however long the HTML was on its way, and then goes on', () => {
  vi.useFakeTimers({ now: 22_000 });
  const html = renderToString(<Elapsed />);
  vi.setSystemTime(40_000);
  expect(renderToString(<Elapsed />)).toBe(html);
  expect(html).toBe('<p>5000</p>');
  expect(render(<Elapsed />).container.innerHTML).toBe('<p>30000</p>');
});
