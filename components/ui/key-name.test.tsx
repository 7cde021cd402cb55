// @vitest-environment happy-dom
import { cleanup, render, screen } from '@testing-library/react';
import { IntlProvider } from 'use-intl';
import { afterEach, describe, expect, it } from 'vitest';
import { messages } from '@/messages';
import { KeyName } from './key-name';

afterEach(cleanup);

function show(name: string, max?: number) {
  const { container } = render(
    <IntlProvider locale="en" messages={messages.en} timeZone="UTC">
      <KeyName name={name} max={max} />
    </IntlProvider>,
  );
  return container;
}

describe('a key name', () => {
  it.each(['<img src=x onerror=alert(1)>', '"><script>alert(1)</script>', '{{7*7}}', '__proto__'])(
    'shows %s as the text it is',
    (name) => {
      const container = show(name);
      expect(container.textContent).toBe(name);
      expect(container.querySelector('img, script')).toBeNull();
    },
  );

  it('makes visible what would hide or reorder', () => {
    const container = show('a\u202Eb\u200Bc\n');
    expect(container.textContent).toBe('aU+202EbU+200Bc\\n');
    expect(container.querySelector('bdi')).not.toBeNull();
  });

  it('cuts a long name in its middle and keeps both ends', () => {
    const name = `order:${'x'.repeat(500)}:hash`;
    const text = show(name, 40).textContent ?? '';
    expect(text.length).toBeLessThan(50);
    expect(text.startsWith('order:')).toBe(true);
    expect(text.endsWith(':hash')).toBe(true);
  });

  it('marks no space as an end where the name goes on', () => {
    const name = `SELECT * FROM ${'orders '.repeat(20)}WHERE id`;
    for (let max = 20; max < 60; max++) expect(show(name, max).textContent).not.toContain('␣');
    expect(show(` ${name} `, 40).textContent).toMatch(/^␣S.*d␣$/);
  });

  it('tells a name that its column may clip', () => {
    const title = (name: string) => show(name, 80).querySelector('bdi')?.getAttribute('title');
    expect(title('laravel_database_laravel_cache_')).toBe('laravel_database_laravel_cache_');
    expect(title('user:1')).toBeNull();
  });

  it('has a word for the empty name', () => {
    show('');
    expect(screen.getByRole('emphasis').textContent).not.toBe('');
  });
});
