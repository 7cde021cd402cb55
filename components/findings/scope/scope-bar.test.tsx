// @vitest-environment happy-dom
import { cleanup, fireEvent, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { showPage, stubApi } from '@/test/show-page';
import { ScopeBar } from './scope-bar';
import { useScope } from './use-scope';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

function Asked() {
  return <output>{JSON.stringify(useScope().scope)}</output>;
}
function open(search: string, report: Parameters<typeof ScopeBar>[0]['report'] = null) {
  stubApi({ '/api/teams': { teams: [] } });
  return showPage(
    <>
      <ScopeBar report={report} />
      <Asked />
    </>,
    { search },
  );
}
const asked = () => screen.getByRole('status').textContent;

it('lets go of the prefix and keeps the team, without an answer that names one', async () => {
  open('?prefix=mall%3A&owner=shop');
  expect(screen.getByText('mall:')).toBeTruthy();
  expect(screen.getByRole('combobox', { name: 'Team' }).textContent).toContain('shop');
  fireEvent.click(screen.getByRole('button', { name: 'Show the whole keyspace' }));
  await screen.findByText('{"owner":"shop"}');
});

it('offers no choice of teams where there is none', () => {
  open('?prefix=mall%3A', { owners: [] });
  expect(asked()).toBe('{"prefix":"mall:"}');
  expect(screen.queryByRole('combobox')).toBeNull();
});

it('is not there where the whole keyspace is shown', () => {
  const { container } = open('');
  expect(container.textContent).toBe(asked());
});
