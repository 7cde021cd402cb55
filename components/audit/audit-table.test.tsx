// @vitest-environment happy-dom
import { cleanup, render } from '@testing-library/react';
import { IntlProvider } from 'use-intl';
import { afterEach, expect, it } from 'vitest';
import { ENGINE, LOCAL_ADMIN } from '@/lib/model/actor';
import type { AuditRow } from '@/lib/model/audit';
import { messages } from '@/messages';
import { aroundPage } from '@/test/show-page';
import { AuditTable } from './audit-table';

afterEach(cleanup);

const row = (seq: number, more: Partial<AuditRow>): AuditRow => ({
  ...{ seq, at: 0, actor: LOCAL_ADMIN.name, actorId: LOCAL_ADMIN.id, via: 'page', role: 'admin', address: null },
  ...{
    session: null,
    action: 'job.create',
    subject: 'x',
    instanceId: null,
    outcome: 'done',
    details: {},
    intent: null,
  },
  ...more,
});

function toText(locale: 'en' | 'zh-CN', rows: AuditRow[]) {
  const { Around } = aroundPage();
  const { container } = render(
    <Around>
      <IntlProvider locale={locale} messages={messages[locale]} timeZone="UTC">
        <AuditTable rows={rows} />
      </IntlProvider>
    </Around>,
  );
  return container.textContent ?? '';
}

const ROWS = [
  row(1, { details: { kind: 'scan', speed: 'gentle', reason: null, note: '', consents: [], production: false } }),
  row(2, {
    details: { from: 'running', endpoints: [{ host: 'h', port: 6379 }], byMode: [{ mode: 'archive', keys: 3 }] },
  }),
  row(3, { actor: ENGINE.name, actorId: ENGINE.id, details: { fieldOfLater: 'x=1' } }),
  // An account may have this name too.
  row(4, { actor: LOCAL_ADMIN.name, actorId: 'u7' }),
];

it('says what is known of an act in the words of the page, and nothing of what has no value', () => {
  const en = toText('en', ROWS);
  expect(en).toContain('Kind: scan · Speed: gentle · Production: no');
  expect(en).toContain('Before: running · Addresses: h:6379 · Modes: Mode: drain with archive, Keys: 3');
  expect(en).toContain('fieldOfLater: x=1');
  expect(en).not.toMatch(/null|Reason|Note|Risks/);
  expect(en).toContain('Local administrator');
  expect(en).toContain('Colonnade');
  cleanup();
  const zh = toText('zh-CN', ROWS);
  expect(zh).toContain('类型：扫描 · 速度：低速 · 生产环境：否');
  expect(zh).toContain('本机管理员');
});

it('leaves an account its name, whatever it is', () => {
  expect(toText('en', ROWS.slice(3))).toContain('local admin');
});
