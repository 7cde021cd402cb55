import { renderToString } from 'react-dom/server';
import { afterEach, expect, it, vi } from 'vitest';
import type { TtlReport } from '@/lib/model/reports/reports';
import { aroundPage } from '@/test/show-page';
import { TtlStorms } from './ttl-storms';
import { TtlTimeline } from './ttl-timeline';

afterEach(() => {
  vi.unstubAllEnvs();
});

const AT = Date.UTC(2026, 10, 20, 20);
const report = {
  storms: [{ minute: AT, prefix: 'cart:', keys: 5, bytes: 8, ofKeys: 9, expected: 1 }],
  timeline: [{ minuteMs: AT, stepSeconds: 60, keys: 5, bytes: 8 }],
  later: { keys: 0, bytes: 0, bytesUnknown: 0 },
} as unknown as TtlReport;

function htmlIn(zone: string): string {
  vi.stubEnv('TZ', zone);
  const { Around } = aroundPage({ search: '?ahead=all' });
  return renderToString(
    <Around>
      <TtlStorms instanceId="i1" report={report} asOf={AT} />
      <TtlTimeline snapshotId="s1" report={report} by="keys" />
    </Around>,
  );
}

it('writes the first HTML alike in every time zone: the server knows none of its readers', () => {
  const html = htmlIn('UTC');
  expect(html).toContain('2026-11-20 20:00');
  expect(html).toContain('5 of 9');
  expect(htmlIn('Asia/Shanghai')).toBe(html);
});
