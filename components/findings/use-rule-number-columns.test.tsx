// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen, within } from '@testing-library/react';
import { IntlProvider } from 'use-intl';
import { afterEach, expect, it } from 'vitest';
import { DataTable } from '@/components/data-table/data-table';
import type { RuleFinding } from '@/lib/model/rules/findings';
import { messages } from '@/messages';
import { Numbers } from './rule-page';
import { useRuleNumberColumns } from './use-rule-number-columns';

afterEach(cleanup);

const finding = (status: RuleFinding['status']): RuleFinding => ({
  rule: 'T1',
  title: null,
  kind: 'key',
  area: 'expiry',
  strength: 'mandatory',
  status,
  keys: 0,
  bytes: 0,
  shareKeys: 0,
  shareBytes: 0,
  exemptKeys: 0,
  unknownKeys: status === 'unknown' ? 12 : 0,
  groups: null,
  example: null,
  server: null,
  change: null,
});

function Rules({ rows }: { rows: RuleFinding[] }) {
  return <DataTable label="Rules" columns={useRuleNumberColumns()} rows={rows} rowId={(row) => row.rule} />;
}

function toText(status: RuleFinding['status']) {
  const { container } = render(
    <IntlProvider locale="en" messages={messages.en} timeZone="UTC">
      <Rules rows={[finding(status)]} />
      <Numbers finding={finding(status)} snapshotId={null} serverHref="/instances/i1/server" exemptHref={null} />
    </IntlProvider>,
  );
  return container.textContent ?? '';
}

it('a rule that nobody could judge has no 0 keys, no 0 % and no 0 B', () => {
  expect(toText('passed')).toMatch(/0 B/);
  expect(toText('passed')).toMatch(/0\s?%/);
  cleanup();
  const said = toText('unknown');
  expect(said).not.toMatch(/\b0 B/);
  expect(said).not.toMatch(/\b0\s?%/);
  expect(said).toContain('12');
});

it('says that nothing is registered where a rule goes by that', () => {
  const { container } = render(
    <IntlProvider locale="en" messages={messages.en} timeZone="UTC">
      <Numbers
        finding={{ ...finding('unknown'), because: 'noOwners' }}
        snapshotId={null}
        serverHref="/"
        exemptHref={null}
      />
    </IntlProvider>,
  );
  expect(container.textContent).toContain('No prefix has an owner yet.');
});

it('leads from the number of exempted keys to these keys', () => {
  const { getByRole } = render(
    <IntlProvider locale="en" messages={messages.en} timeZone="UTC">
      <Numbers
        snapshotId={null}
        finding={{ ...finding('passed'), exemptKeys: 1234 }}
        serverHref="/instances/i1/server"
        exemptHref="/keys?exempt=true"
      />
    </IntlProvider>,
  );
  expect(getByRole('link', { name: '1,234 exempted' }).getAttribute('href')).toBe('/keys?exempt=true');
});

it('a group rule whose command was refused names it', () => {
  const { container } = render(
    <IntlProvider locale="en" messages={messages.en} timeZone="UTC">
      <Numbers
        snapshotId={null}
        finding={{ ...finding('unknown'), kind: 'group', missing: ['getrange'] }}
        serverHref="/instances/i1/server"
        exemptHref={null}
      />
    </IntlProvider>,
  );
  expect(container.textContent).toContain('getrange');
});

it('names no permission where none is missing', () => {
  const { container } = render(
    <IntlProvider locale="en" messages={messages.en} timeZone="UTC">
      <Numbers
        snapshotId={null}
        finding={{
          ...finding('unknown'),
          keys: null,
          server: { verdict: 'unknown', evidence: [], missing: [], because: ['slowlog'] },
        }}
        serverHref="/instances/i1/server"
        exemptHref={null}
      />
    </IntlProvider>,
  );
  expect(container.textContent).toContain('The slow log is switched off');
  expect(container.textContent).not.toContain('Missing permission');
});

it('tells how many keys break it at which strength, where they differ', () => {
  const { container } = render(
    <IntlProvider locale="en" messages={messages.en} timeZone="UTC">
      <Numbers
        snapshotId={null}
        finding={{
          ...finding('violated'),
          keys: 1203,
          strengths: [
            { strength: 'mandatory', keys: 3 },
            { strength: 'advice', keys: 1200 },
          ],
        }}
        serverHref="/instances/i1/server"
        exemptHref={null}
      />
    </IntlProvider>,
  );
  expect(container.textContent).toMatch(/Mandatory: 3.*Advice: 1,200/);
});

it('sorts what could not be judged last, in both directions', () => {
  const rows = [
    { ...finding('unknown'), rule: 'U1' },
    { ...finding('violated'), rule: 'V1', keys: 3 },
    { ...finding('violated'), rule: 'V2', keys: 70 },
  ];
  render(
    <IntlProvider locale="en" messages={messages.en} timeZone="UTC">
      <Rules rows={rows} />
    </IntlProvider>,
  );
  const cells = (at: number) =>
    screen
      .getAllByRole('row')
      .slice(1)
      .map((row) => within(row).getAllByRole('cell')[at]?.textContent);
  const keys = () => cells(0);
  const press = () => fireEvent.click(screen.getByRole('button', { name: 'Keys' }));
  press();
  expect(keys().slice(0, 2)).toEqual(['70', '3']);
  expect(keys()[2]).toBe('Not evaluated');
  expect(cells(1)[2]).toContain('12');
  press();
  expect(keys().slice(0, 2)).toEqual(['3', '70']);
  expect(keys()[2]).toBe('Not evaluated');
  expect(cells(1)[2]).toContain('12');
});
