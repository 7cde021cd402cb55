// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { IntlProvider } from 'use-intl';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import errors from '@/messages/en/errors.json';
import ui from '@/messages/en/ui.json';
import { EachCard } from './card-boundary';

// React writes errors that a boundary caught to the console.
beforeEach(() => void vi.spyOn(console, 'error').mockImplementation(() => {}));
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

function show(failures: (Error | null)[]) {
  function Failing() {
    const failure = failures[0];
    if (failure) throw failure;
    return <p>drawn</p>;
  }
  render(
    <IntlProvider locale="en" messages={{ errors, ui }}>
      <EachCard>
        <Failing />
        <p>beside it</p>
      </EachCard>
    </IntlProvider>,
  );
  screen.getByText('beside it');
}
const again = () => fireEvent.click(screen.getByRole('button', { name: 'Try again' }));

it('draws a card again that failed, and no other', () => {
  const failures: (Error | null)[] = [new Error('no such field')];
  show(failures);
  expect(screen.getByRole('alert').textContent).toContain('no such field');
  failures[0] = null;
  again();
  screen.getByText('drawn');
});

it('loads the page anew where a part of it is not there any more', () => {
  const reload = vi.spyOn(window.location, 'reload').mockImplementation(() => {});
  show([Object.assign(new Error('Failed to load chunk /_next/static/chunks/a.js'), { name: 'ChunkLoadError' })]);
  expect(screen.getByRole('alert').textContent).toContain(errors.part_missing.title);
  again();
  expect(reload).toHaveBeenCalledOnce();
});
