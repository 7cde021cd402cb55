// @vitest-environment happy-dom
import { cleanup, renderHook } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { aroundPage } from '@/test/show-page';
import { useScope } from './use-scope';

afterEach(cleanup);

const scopeAt = (search: string) =>
  renderHook(() => useScope(), { wrapper: aroundPage({ search }).Around }).result.current.scope;

it('asks by a template together with the delimiter that it was cut by', () => {
  expect(scopeAt('?template=user%2F%7Bint%7D%2F&delimiter=%2F')).toEqual({ template: 'user/{int}/', delimiter: '/' });
});

it('asks by no delimiter where nothing is cut', () => {
  expect(scopeAt('?delimiter=%2F&owner=people&prefix=')).toEqual({ owner: 'people' });
});
