// @vitest-environment happy-dom
import { cleanup, renderHook, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { useHere } from '@/components/layout/navigation/use-here';
import { aroundPage, refused, showPage, stubApi } from '@/test/show-page';
import { InstanceFrame } from './instance-frame';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const look = (path: string, search: string) => {
  stubApi({ '/api/instances/i1': { instance: { id: 'i1' } }, '/api/instances/i2': { instance: { id: 'i2' } } });
  const shown = showPage(<InstanceFrame id={path.split('/')[2]!}>{null}</InstanceFrame>, { path, search });
  shown.unmount();
};
const hrefAt = (path: string, search = '') =>
  renderHook(() => useHere(), { wrapper: aroundPage({ path, search }).Around }).result.current.instanceHref;

it('goes on with what was last looked at of an instance, each with its own', () => {
  look('/instances/i1/keys', '?prefix=shop:&snapshot=s1&sort=name');
  look('/instances/i2/tree', '?type=hash');
  for (const path of ['/', '/jobs/j1', '/instances/i2/tree'])
    expect(hrefAt(path)('i1', '/keys'), path).toBe('/instances/i1/keys?snapshot=s1&prefix=shop%3A');
  expect(hrefAt('/audit')('i2', '')).toBe('/instances/i2?type=hash');
  expect(hrefAt('/audit')('i3', '')).toBe('/instances/i3');
});

it('leaves an address that says for itself what is looked at as it is', () => {
  look('/instances/i1/keys', '?prefix=shop:');
  expect(hrefAt('/instances/i1/tree', '?prefix=cart:')('i1', '/keys')).toBe('/instances/i1/keys?prefix=cart%3A');
  expect(hrefAt('/instances/i1/tree')('i1', '/keys')).toBe('/instances/i1/keys');
  // Having no filter is a state that is remembered too.
  look('/instances/i1/tree', '');
  expect(hrefAt('/jobs')('i1', '')).toBe('/instances/i1');
});

it('says that an instance was removed, and not of one that is only unknown', async () => {
  stubApi({ '/api/instances/i1': () => refused('not_found', 404, { removed: true }) });
  showPage(<InstanceFrame id="i1">its pages</InstanceFrame>, { path: '/instances/i1/tree' });
  await screen.findByRole('heading', { name: 'This instance was removed' });
  expect(screen.queryByText('its pages')).toBeNull();
  expect(screen.getByRole('link', { name: 'Fleet' }).getAttribute('href')).toBe('/');
  cleanup();
  stubApi({ '/api/instances/i2': () => refused('not_found', 404) });
  showPage(<InstanceFrame id="i2">its pages</InstanceFrame>, { path: '/instances/i2/tree' });
  await screen.findByRole('heading', { name: 'Not found' });
  expect(screen.queryByText('its pages')).toBeNull();
});
