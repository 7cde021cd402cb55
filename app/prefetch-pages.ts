import type { Ask } from '@/app/prefetched';
import { buildItemsQuery } from '@/components/data/queries/deletion-items-key';
import { isActive } from '@/lib/model/job-states';

/**
 * Supplements prefetch-snapshot-pages.ts, for pages without a snapshot. `id` is read as the address has
 * it.
 */
type Params = Promise<{ id: string }>;
const readId = async (params: Params) => decodeURIComponent((await params).id);

export const prefetchJobs = (ask: Ask) => ask('GET /api/jobs', { query: {} });

export const prefetchJob = (params: Params) => async (ask: Ask) => ask('GET /api/jobs/{id}', { id: (await params).id });

/** Needed on pages whose rows show instances by name. */
const prefetchInstances = (ask: Ask) => ask('GET /api/instances', {});

export const prefetchUsers = (ask: Ask) =>
  Promise.all([prefetchInstances(ask), ask('GET /api/users', {}), ask('GET /api/teams', {})]);

export const prefetchAlerts = (ask: Ask) =>
  Promise.all([
    prefetchInstances(ask),
    ask('GET /api/alerts', { query: { state: 'open' } }, { pages: true }),
    ask('GET /api/alerts/rules', {}),
  ]);

export const prefetchChannels = (ask: Ask) => Promise.all([ask('GET /api/channels', {}), ask('GET /api/teams', {})]);

export const prefetchAccount = (ask: Ask) =>
  Promise.all([prefetchInstances(ask), ask('GET /api/account/sessions', {}), ask('GET /api/tokens', {})]);

export const prefetchSchedules = (ask: Ask) =>
  Promise.all([
    ask('GET /api/schedules', {}),
    ask('GET /api/schedules/next', {}),
    ask('GET /api/schedules/runs', { query: {} }),
  ]);

export const prefetchProfiles = (ask: Ask) => ask('GET /api/profiles', {});

export const prefetchRules = (ask: Ask) => ask('GET /api/rules', {});

export const prefetchProfile = (params: Params) => async (ask: Ask) => {
  const id = await readId(params);
  await Promise.all([ask('GET /api/profiles/{id}', { id }), prefetchProfiles(ask), prefetchRules(ask)]);
};

export const prefetchPolicy = (params: Params) => async (ask: Ask) => {
  const id = await readId(params);
  const query = { instanceId: id };
  await Promise.all([
    ask('GET /api/instances/{id}/policy', { id }),
    ask('GET /api/owners', { query }),
    ask('GET /api/exemptions', { query }),
    ask('GET /api/instances/{id}/checklist', { id }),
    prefetchProfiles(ask),
    prefetchRules(ask),
  ]);
};

export const prefetchTrends = (params: Params) => async (ask: Ask) => {
  const id = await readId(params);
  await Promise.all([
    ask('GET /api/instances/{id}/trends', { id }),
    ask('GET /api/instances/{id}/trends/growing', { id, query: { by: 'bytes' } }),
  ]);
};

export const prefetchDeletions = (params: Params) => async (ask: Ask) => {
  const id = await readId(params);
  await Promise.all([
    ask('GET /api/deletions', { query: { instanceId: id } }),
    ask('GET /api/instances/{id}/leftovers', { id }),
    ask('GET /api/panic', {}),
  ]);
};

export const prefetchDeletion = (params: Promise<{ deletion: string }>) => async (ask: Ask) => {
  const id = decodeURIComponent((await params).deletion);
  const withItems = async () => {
    const { deletion } = (await ask('GET /api/deletions/{id}', { id })) ?? {};
    if (!deletion) return;
    const { sent, version } = buildItemsQuery(deletion, {}, isActive(deletion.job));
    await ask('GET /api/deletions/{id}/items', sent, { version });
  };
  await Promise.all([withItems(), ask('GET /api/panic', {})]);
};

/** Asks the live servers, as the page does. If one answers too slowly, the browser asks again. */
export const prefetchServer = (params: Params) => async (ask: Ask) => {
  const id = await readId(params);
  await Promise.all([
    ask('GET /api/instances/{id}/server', { id }),
    ask('GET /api/instances/{id}/audit', { id }),
    ask('GET /api/instances/{id}/destinations', { id }),
    prefetchRules(ask),
  ]);
};

/**
 * The newest rows without a filter. A filtered list is left to the browser: its days follow the reader's calendar,
 * which the server does not know.
 */
export const prefetchAudit = (search: Promise<Record<string, unknown>>) => async (ask: Ask) => {
  const isFiltered = Object.keys(await search).length > 0;
  await Promise.all([
    prefetchInstances(ask),
    isFiltered || ask('GET /api/audit-log', { query: NO_AUDIT_FILTER }, { pages: true }),
  ]);
};
/** The same query as in useAuditFilter. */
const NO_AUDIT_FILTER = { person: null, action: null, instance: null, from: null, to: null };
