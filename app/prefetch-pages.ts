import type { Ask } from '@/components/data/first-html/prefetched';
import { buildDeletionItemsKey, ITEMS_PAGE } from '@/components/data/queries/deletion-items-key';
import { queryKeys } from '@/components/data/query-keys';
import { listAudit } from '@/lib/access/audit-log/list-audit';
import { listUsers } from '@/lib/access/users/manage-users';
import { listOwnSessions } from '@/lib/access/users/own-sessions';
import { listTeams } from '@/lib/access/users/teams/teams';
import { listTokens } from '@/lib/access/users/tokens';
import { getEmergencyStopState } from '@/lib/deletions/emergency-stop';
import { getDeletion, listDeletions } from '@/lib/deletions/get-deletion';
import { getLeftovers } from '@/lib/deletions/get-leftovers';
import { listItemsPage } from '@/lib/deletions/list-items';
import { getPageActor } from '@/lib/http/access/page-actor';
import { auditServer } from '@/lib/instances/audit-server';
import { getDestinations } from '@/lib/instances/destinations';
import { listInstances } from '@/lib/instances/list-instances';
import { readServerFacts } from '@/lib/instances/read-server-facts';
import { listJobs } from '@/lib/jobs/list-jobs';
import { getJob } from '@/lib/jobs/statuses/get-job';
import { isActive } from '@/lib/model/job-states';
import { getAssignment } from '@/lib/policies/assignment';
import { getChecklist } from '@/lib/policies/checklist';
import { listExemptions } from '@/lib/policies/exemptions';
import { getProfile, listProfiles } from '@/lib/policies/list-profiles';
import { readRules } from '@/lib/policies/list-rules';
import { listOwners } from '@/lib/policies/owners';

/**
 * Supplements prefetch-snapshot-pages.ts, for pages without a snapshot. `id` is read as the address has
 * it.
 */
type Params = Promise<{ id: string }>;
const readId = async (params: Params) => decodeURIComponent((await params).id);

export const prefetchJobs = (ask: Ask) =>
  ask(queryKeys.jobList({}), async () => listJobs(await getPageActor(), { active: false }));

export const prefetchJob = (params: Params) => async (ask: Ask) => {
  const { id } = await params;
  await ask(queryKeys.job(id), async () => getJob(await getPageActor(), id));
};

/** Needed on pages whose rows show instances by name. */
const prefetchInstances = (ask: Ask) => ask(queryKeys.instances, async () => listInstances(await getPageActor()));

export const prefetchUsers = (ask: Ask) =>
  Promise.all([
    prefetchInstances(ask),
    ask(queryKeys.users, async () => listUsers(await getPageActor())),
    ask(queryKeys.teams, async () => listTeams(await getPageActor())),
  ]);

export const prefetchAccount = (ask: Ask) =>
  Promise.all([
    prefetchInstances(ask),
    ask(queryKeys.ownSessions, async () => listOwnSessions(await getPageActor())),
    ask(queryKeys.tokens, async () => listTokens(await getPageActor())),
  ]);

export const prefetchProfiles = (ask: Ask) => ask(queryKeys.profiles, async () => listProfiles(await getPageActor()));

export const prefetchRules = (ask: Ask) => ask(queryKeys.rules, async () => readRules(await getPageActor()));

export const prefetchProfile = (params: Params) => async (ask: Ask) => {
  const id = await readId(params);
  await Promise.all([
    ask(queryKeys.profile(id), async () => getProfile(await getPageActor(), id)),
    prefetchProfiles(ask),
    prefetchRules(ask),
  ]);
};

export const prefetchPolicy = (params: Params) => async (ask: Ask) => {
  const id = await readId(params);
  await Promise.all([
    ask(queryKeys.policy(id), async () => getAssignment(await getPageActor(), id)),
    ask(queryKeys.owners(id), async () => listOwners(await getPageActor(), id)),
    ask(queryKeys.exemptions(id), async () => listExemptions(await getPageActor(), id)),
    ask(queryKeys.checklist(id), async () => getChecklist(await getPageActor(), id)),
    prefetchProfiles(ask),
    prefetchRules(ask),
  ]);
};

export const prefetchDeletions = (params: Params) => async (ask: Ask) => {
  const id = await readId(params);
  await Promise.all([
    ask(queryKeys.deletions(id), async () => listDeletions(await getPageActor(), { instanceId: id })),
    ask(queryKeys.leftovers(id), async () => getLeftovers(await getPageActor(), id)),
    ask(queryKeys.panic, async () => getEmergencyStopState(await getPageActor())),
  ]);
};

export const prefetchDeletion = (params: Promise<{ deletion: string }>) => async (ask: Ask) => {
  const id = decodeURIComponent((await params).deletion);
  const withItems = async () => {
    const deletion = await ask(queryKeys.deletion(id), async () => getDeletion(await getPageActor(), id));
    if (!deletion) return;
    const key = buildDeletionItemsKey(deletion, {}, isActive(deletion.job));
    await ask(key, async () => listItemsPage(await getPageActor(), id, { limit: ITEMS_PAGE }));
  };
  await Promise.all([withItems(), ask(queryKeys.panic, async () => getEmergencyStopState(await getPageActor()))]);
};

/** Asks the live servers, as the page does. If one answers too slowly, the browser asks again. */
export const prefetchServer = (params: Params) => async (ask: Ask) => {
  const id = await readId(params);
  await Promise.all([
    ask(queryKeys.server(id), async () => readServerFacts(await getPageActor(), id)),
    ask(queryKeys.serverAudit(id), async () => auditServer(await getPageActor(), id)),
    ask(queryKeys.destinations(id), async () => getDestinations(await getPageActor(), id)),
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
    isFiltered ||
      ask([...queryKeys.audit, 'rows', NO_AUDIT_FILTER], async () => ({
        pages: [await listAudit(await getPageActor(), {})],
        pageParams: [null],
      })),
  ]);
};
/** The same query as in useAuditFilter. */
const NO_AUDIT_FILTER = { person: null, action: null, instance: null, from: null, to: null };
