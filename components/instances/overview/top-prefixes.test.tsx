// @vitest-environment happy-dom
import { cleanup, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import type { OverviewReport, TreeNode } from '@/lib/model/reports/reports';
import { showPage, stubApi } from '@/test/show-page';
import { TopPrefixes } from './top-prefixes';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const node = (path: string, branchKeys: number) => ({
  ...{ path, branchKeys, keys: 2, bytes: 8, bytesUnknown: 0, types: {}, noExpiry: 0, bigkeys: 0 },
});

it('leads to levels as they were cut here, whatever the address says of other pages', async () => {
  const children = [node('user:', 2), node('config', 0)];
  stubApi({ '/api/snapshots/s1/reports/tree': { report: { children } } });
  const report = { keys: 4, bytes: 16, prefixCount: 2, topPrefixes: [] as TreeNode[] } as unknown as OverviewReport;
  showPage(<TopPrefixes instanceId="i1" snapshotId="s1" report={report} live={false} />, {
    search: '?delimiter=%2F&snapshot=s1',
  });
  const hrefs = (await screen.findAllByRole('link', { name: /user|config/ })).map((link) => link.getAttribute('href'));
  expect(hrefs).toEqual([
    '/instances/i1/tree?snapshot=s1&prefix=user%3A',
    '/instances/i1/keys?snapshot=s1&prefix=config&exact=true',
  ]);
});

it('leads to the keys that it counts under the filter, also where a template was cut by another delimiter', async () => {
  const children = [node('user/{int}/', 2), node('user/{int}', 0)];
  stubApi({ '/api/snapshots/s1/reports/tree': { report: { children } } });
  const report = { keys: 4, bytes: 16, prefixCount: 2, topPrefixes: [] as TreeNode[] } as unknown as OverviewReport;
  showPage(<TopPrefixes instanceId="i1" snapshotId="s1" report={report} live={false} />, {
    search: '?prefix=user/1&template=user/&delimiter=/&type=hash',
  });
  const hrefs = (await screen.findAllByRole('link', { name: /user/ })).map((link) => {
    const { pathname, searchParams } = new URL(link.getAttribute('href') ?? '', 'http://h');
    return [pathname, Object.fromEntries(searchParams)];
  });
  const slice = { prefix: 'user/1', type: 'hash', delimiter: '/' };
  expect(hrefs).toEqual([
    ['/instances/i1/tree', { ...slice, template: 'user/{int}/' }],
    ['/instances/i1/keys', { ...slice, template: 'user/{int}', exact: 'true' }],
  ]);
});
