// @vitest-environment happy-dom
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeAll, expect, it, vi } from 'vitest';
import { refused, showPage, stubApi } from '@/test/show-page';
import { RegisterPage } from './register-page';

// Loaded here because compiling them may take long on a busy machine; a browser loads built files.
beforeAll(() => Promise.all([import('./form-shape'), import('./connection-facts')]));
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const node = (address: string, more = {}) => ({
  ...{ address, host: '10.0.0.5', port: 6379, runId: 'r', role: 'master', masterAddress: null, slots: [] },
  ...{ healthy: true, version: '7.0.15', keys: 1, usedMemoryBytes: 1, maxmemoryBytes: 0, ...more },
});
const REPORT = {
  ...{ topology: 'standalone', flavor: 'redis', version: '7.0.15', nodes: [node('10.0.0.5:6379')], unconfirmed: [] },
  ...{ addressMap: [], databases: [], maxmemoryPolicy: null, lazyfreeLazyExpire: null, modules: [], capabilities: [] },
  ...{ warnings: [], latencyMs: 1, username: 'default', checkedAt: 0 },
};
type Sent = { destinations: string[]; addressMap: unknown[]; sentinelName: string | null; topology: string };

/** Opens the page; `test` answers each connection test. Returns what was tested and what was registered. */
async function open(test: (sent: Sent) => unknown) {
  const tested: Sent[] = [];
  const saved: Sent[] = [];
  stubApi({
    '/api/instances/test': (_url: URL, init?: RequestInit) => {
      tested.push(JSON.parse(String(init?.body)));
      return test(tested.at(-1)!);
    },
    '/api/instances': (_url: URL, init?: RequestInit) => {
      if (init?.method === 'POST') saved.push(JSON.parse(String(init.body)));
      return { instance: { id: 'i1', name: 'orders' }, instances: [], warnings: [] };
    },
  });
  showPage(<RegisterPage />, { path: '/instances/new' });
  await screen.findByRole('button', { name: 'Register' });
  return { tested, saved };
}
const field = (name: string | RegExp) => screen.getByLabelText(name) as HTMLInputElement;
const type = (name: string | RegExp, value: string) => fireEvent.change(field(name), { target: { value } });
const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }));

it('takes host:port and URLs wherever they are typed', async () => {
  const { tested } = await open(() => ({ report: REPORT }));
  type('Address or URL', 'rediss://ada:secret@10.0.0.7/2');
  fireEvent.keyDown(field('Address or URL'), { key: 'Enter' });
  expect([field('Host').value, field('Port').value, field('Databases').value]).toEqual(['10.0.0.7', '6379', '2']);
  expect([field('Name').value, field('Address or URL').value]).toEqual(['10.0.0.7', '']);

  type('Host', '10.0.0.8:6380');
  press('Test connection');
  await waitFor(() => expect(tested).toHaveLength(1));
  expect(tested[0]).toMatchObject({ endpoints: [{ host: '10.0.0.8', port: 6380 }], username: 'ada' });

  type('Address or URL', 'unix:/run/redis.sock');
  press('Register');
  await screen.findByText(/Unix sockets are not supported/);
  expect(tested).toHaveLength(1);
});

it('tests before it registers, and registers a complete instance at once', async () => {
  const { tested, saved } = await open(() => ({ report: REPORT }));
  type('Address or URL', '10.0.0.5:6379');
  press('Register');
  await waitFor(() => expect(saved).toHaveLength(1));
  expect(tested).toHaveLength(1);
});

it('stops at nodes that are not confirmed, and registers with what was confirmed there', async () => {
  const { saved } = await open(({ destinations }) => ({
    report: { ...REPORT, unconfirmed: ['10.0.0.6:6379', '10.0.0.7:6379'].filter((one) => !destinations.includes(one)) },
  }));
  type('Address or URL', '10.0.0.5:6379');
  press('Register');
  await screen.findByText('Not registered yet');
  expect(saved).toEqual([]);
  press('Confirm and register');
  await waitFor(() => expect(saved).toHaveLength(1));
  expect(saved[0]!.destinations).toEqual(['10.0.0.6:6379', '10.0.0.7:6379']);
});

it('registers what failed its test on purpose only', async () => {
  const { saved } = await open(() => refused('redis_unreachable', 502));
  type('Address or URL', '10.0.0.5:6379');
  press('Register');
  await screen.findByText('Not registered yet');
  expect(saved).toEqual([]);
  press('Register anyway');
  await waitFor(() => expect(saved).toHaveLength(1));
});

it('offers the masters of a Sentinel, and the proposed address map', async () => {
  const { tested, saved } = await open(({ topology, sentinelName, addressMap }) => {
    if (topology !== 'sentinel') return refused('redis_is_sentinel', 502);
    if (sentinelName === null) return refused('redis_master_unknown', 502, { masters: ['mall', 'orders'] });
    if (addressMap.length === 0)
      return refused('redis_unreachable', 502, { addressMap: ['10.1.1.1:6379 = 10.0.0.5:7001'] });
    return { report: REPORT };
  });
  type('Address or URL', '10.0.0.5:26379');
  press('Register');
  fireEvent.click(await screen.findByRole('button', { name: 'Switch to Sentinel' }));
  const masters = await screen.findByRole('region', { name: 'The Sentinel watches these masters' });
  fireEvent.click(within(masters).getByRole('button', { name: 'Use orders' }));
  fireEvent.click(await screen.findByRole('button', { name: 'Use this map and test again' }));
  await screen.findByText('Connected');
  expect(screen.queryByText('Not registered yet')).toBeNull();
  press('Register');
  await waitFor(() => expect(saved).toHaveLength(1));
  expect(tested).toHaveLength(4);
  expect(saved[0]).toMatchObject({
    sentinelName: 'orders',
    addressMap: [{ announced: { host: '10.1.1.1', port: 6379 }, use: { host: '10.0.0.5', port: 7001 } }],
  });
});

it('proposes the mark Production where the environment sounds like it', async () => {
  await open(() => ({ report: REPORT }));
  const propose = () => screen.queryByRole('button', { name: 'Mark as production' });
  for (const [name, is] of [
    ['staging', false],
    ['product-search', false],
    ['prod', true],
    ['Production', true],
    ['prd-eu', true],
    ['生产', true],
  ] as const) {
    type(/^Environment/, name);
    await waitFor(() => expect([name, propose() !== null]).toEqual([name, is]));
  }
  fireEvent.click(propose()!);
  await waitFor(() => expect(propose()).toBeNull());
  expect(screen.getByRole('switch', { name: 'Production' }).getAttribute('aria-checked')).toBe('true');
});
