import type { Ask } from '@/components/data/first-html/prefetched';
import { deletionItemsKey, ITEMS_PAGE, isRunning } from '@/components/data/queries/deletion-items-key';
import { queryKeys } from '@/components/data/query-keys';
import { listAudit } from '@/lib/access/audit-log/list-audit';
import { listTokens } from '@/lib/access/users/list-tokens';
import { listUsers } from '@/lib/access/users/list-users';
import { listOwnSessions } from '@/lib/access/users/own-sessions';
import { listTeams } from '@/lib/access/users/teams/list-teams';
import { emergencyStopState } from '@/lib/deletions/emergency-stop';
import { getDeletion, listDeletions } from '@/lib/deletions/get-deletion';
import { getLeftovers } from '@/lib/deletions/get-leftovers';
import { listItemsPage } from '@/lib/deletions/list-items';
import { pageActor } from '@/lib/http/access/page-actor';
import { auditServer } from '@/lib/instances/audit-server';
import { getDestinations } from '@/lib/instances/destinations';
import { listInstances } from '@/lib/instances/list-instances';
import { readServerFacts } from '@/lib/instances/read-server-facts';
import { listJobs } from '@/lib/jobs/list-jobs';
import { getJob } from '@/lib/jobs/statuses/get-job';
import { getAssignment } from '@/lib/policies/assignment';
import { getChecklist } from '@/lib/policies/checklist';
import { listExemptions } from '@/lib/policies/exemptions';
import { getProfile } from '@/lib/policies/get-profile';
import { listProfiles } from '@/lib/policies/list-profiles';
import { readRules } from '@/lib/policies/list-rules';
import { listOwners } from '@/lib/policies/owners';

/**
 * Supplements first-data.ts: what the first HTML of pages without a snapshot contains. `id` is read as the address has
 * it.
 */
type Params = Promise<{ id: string }>;
const idOf = async (params: Params) => decodeURIComponent((await params).id);

export const jobsData = (ask: Ask) =>
  ask(queryKeys.jobList({}), async () => listJobs(await pageActor(), { active: false }));

export const jobData = (params: Params) => async (ask: Ask) => {
  const { id } = await params;
  await ask(queryKeys.job(id), async () => getJob(await pageActor(), id));
};

/** Needed on pages whose rows show instances by name. */
const instancesData = (ask: Ask) => ask(queryKeys.instances, async () => listInstances(await pageActor()));

export const usersData = (ask: Ask) =>
  Promise.all([
    instancesData(ask),
    ask(queryKeys.users, async () => listUsers(await pageActor())),
    ask(queryKeys.teams, async () => listTeams(await pageActor())),
  ]);

export const accountData = (ask: Ask) =>
  Promise.all([
    instancesData(ask),
    ask(queryKeys.ownSessions, async () => listOwnSessions(await pageActor())),
    ask(queryKeys.tokens, async () => listTokens(await pageActor())),
  ]);

export const profilesData = (ask: Ask) => ask(queryKeys.profiles, async () => listProfiles(await pageActor()));

export const rulesData = (ask: Ask) => ask(queryKeys.rules, async () => readRules(await pageActor()));

export const profileData = (params: Params) => async (ask: Ask) => {
  const id = await idOf(params);
  await Promise.all([
    ask(queryKeys.profile(id), async () => getProfile(await pageActor(), id)),
    profilesData(ask),
    rulesData(ask),
  ]);
};

export const policyData = (params: Params) => async (ask: Ask) => {
  const id = await idOf(params);
  await Promise.all([
    ask(queryKeys.policy(id), async () => getAssignment(await pageActor(), id)),
    ask(queryKeys.owners(id), async () => listOwners(await pageActor(), id)),
    ask(queryKeys.exemptions(id), async () => listExemptions(await pageActor(), id)),
    ask(queryKeys.checklist(id), async () => getChecklist(await pageActor(), id)),
    profilesData(ask),
    rulesData(ask),
  ]);
};

export const deletionsData = (params: Params) => async (ask: Ask) => {
  const id = await idOf(params);
  await Promise.all([
    ask(queryKeys.deletions(id), async () => listDeletions(await pageActor(), { instanceId: id })),
    ask(queryKeys.leftovers(id), async () => getLeftovers(await pageActor(), id)),
    ask(queryKeys.panic, async () => emergencyStopState(await pageActor())),
  ]);
};

export const deletionData = (params: Promise<{ deletion: string }>) => async (ask: Ask) => {
  const id = decodeURIComponent((await params).deletion);
  const withItems = async () => {
    const deletion = await ask(queryKeys.deletion(id), async () => getDeletion(await pageActor(), id));
    if (!deletion) return;
    const key = deletionItemsKey(deletion, {}, isRunning(deletion));
    await ask(key, async () => listItemsPage(await pageActor(), id, { limit: ITEMS_PAGE }));
  };
  await Promise.all([withItems(), ask(queryKeys.panic, async () => emergencyStopState(await pageActor()))]);
};

/** Asks the live servers, as the page does. If one answers too slowly, the browser asks again. */
export const serverData = (params: Params) => async (ask: Ask) => {
  const id = await idOf(params);
  await Promise.all([
    ask(queryKeys.server(id), async () => readServerFacts(await pageActor(), id)),
    ask(queryKeys.serverAudit(id), async () => auditServer(await pageActor(), id)),
    ask(queryKeys.destinations(id), async () => getDestinations(await pageActor(), id)),
    rulesData(ask),
  ]);
};

/**
 * The newest rows without a filter. A filtered list is left to the browser: its days follow the reader's calendar,
 * which the server does not know.
 */
export const auditData = (search: Promise<Record<string, unknown>>) => async (ask: Ask) => {
  const isFiltered = Object.keys(await search).length > 0;
  await Promise.all([
    instancesData(ask),
    isFiltered ||
      ask([...queryKeys.audit, 'rows', NO_AUDIT_FILTER], async () => ({
        pages: [await listAudit(await pageActor(), {})],
        pageParams: [null],
      })),
  ]);
};
/** The same query as in useAuditFilter. */
const NO_AUDIT_FILTER = { person: null, action: null, instance: null, from: null, to: null };
