// @vitest-environment happy-dom
import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { refused, showPage, stubApi } from '@/test/show-page';
import { ServerPage } from './server-page';

vi.mock('./node-table', () => ({ NodeTable: () => <p>the nodes</p> }));
vi.mock('./acl-user-card', () => ({ AclUserCard: () => null }));
vi.mock('./capability-table', () => ({ CapabilityTable: () => null }));
vi.mock('./destinations-card', () => ({ DestinationsCard: () => null }));
vi.mock('./report-facts', () => ({ ReportFacts: () => null }));
vi.mock('./write-user-card', () => ({ WriteUserCard: () => null }));
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const PATHS = ['/api/instances/i1/server', '/api/instances/i1/audit'] as const;
const ANSWERS = {
  [PATHS[0]]: { report: { checkedAt: 1, warnings: [], databases: [], capabilities: [], nodes: [] } },
  [PATHS[1]]: { audit: { nodes: [] }, findings: [] },
};

it('refreshes all that the page shows of the servers, and says where that failed beside what is older', async () => {
  let fails = false;
  const asked = stubApi(
    Object.fromEntries(PATHS.map((path) => [path, () => (fails ? refused('redis_unreachable', 502) : ANSWERS[path])])),
  );
  const times = () => PATHS.map((path) => asked.filter((url) => url.pathname === path).length);
  showPage(<ServerPage instanceId="i1" />);
  await screen.findByText('the nodes');
  await waitFor(() => expect(times()).toEqual([1, 1]));
  fails = true;
  fireEvent.click(await screen.findByRole('button', { name: 'Refresh' }));
  await waitFor(() => expect(times()).toEqual([2, 2]));
  await waitFor(() => expect(screen.getAllByRole('alert').length).toBe(2));
  expect(screen.getByText('the nodes')).toBeTruthy();
});
