// @vitest-environment happy-dom
import { cleanup, renderHook } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { useFilterWords } from '@/components/reports/picture-menu-items';
import { aroundPage } from '@/test/show-page';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const SEARCH = '?prefix=mall%3A%E2%80%8B&type=hash,string&bytesMin=64&bytesMax=1024&expiry=none&big=true';
const wordsAt = (path: string) =>
  renderHook(() => useFilterWords(), { wrapper: aroundPage({ path, search: SEARCH }).Around }).result.current;

it.each(['/instances/i1/sizes', '/instances/i1'])(
  'says the whole filter of a report, each part by its name (%s)',
  (path) => {
    expect(wordsAt(path)).toEqual([
      'Prefix mall:U+200B',
      'Type hash, string',
      'Expiry No expiry',
      'Size 64 B – 1 KiB',
      'Bigkeys only',
    ]);
  },
);

it('says nothing of what a page does not ask by', () => {
  expect(wordsAt('/instances/i1/findings/N8')).toEqual(['Prefix mall:U+200B']);
  expect(wordsAt('/instances/i1/deletions/d1')).toEqual([]);
  expect(wordsAt('/jobs/j1')).toEqual([]);
});
