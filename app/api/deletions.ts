import { z } from 'zod';
import { answerInFormat } from '@/app/api/answer-in-format';
import { acceptServer } from '@/lib/deletions/accept-server';
import { decideApproval } from '@/lib/deletions/approval/decide-approval';
import { requestApproval } from '@/lib/deletions/approval/request-approval';
import { withdrawApproval } from '@/lib/deletions/approval/withdraw-approval';
import { compareServers } from '@/lib/deletions/compare-servers';
import { discardPlan } from '@/lib/deletions/discard-plan';
import { exportArchive } from '@/lib/deletions/export/export-archive';
import { exportItems } from '@/lib/deletions/export/export-items';
import { getDeletion, getPlan, listDeletions } from '@/lib/deletions/get-deletion';
import { getLeftovers } from '@/lib/deletions/get-leftovers';
import { giveUp } from '@/lib/deletions/give-up';
import { listItemsPage } from '@/lib/deletions/list-items';
import { makePlan } from '@/lib/deletions/make-plan';
import { startDeletion } from '@/lib/deletions/start-deletion';
import { startLeftoversSearch } from '@/lib/deletions/start-leftovers-search';
import { undoDeletion } from '@/lib/deletions/undo-deletion';
import { createDownload } from '@/lib/http/download';
import { handle } from '@/lib/http/handle';
import { ApprovalDecision, ApprovalRequest } from '@/lib/model/deletions/approval';
import { Confirmation, GiveUp, PlanRequest, UndoRequest } from '@/lib/model/deletions/plan-request';
import { numeric } from '@/lib/model/filter';
import { ItemFileQuery, ListQuery } from '@/lib/model/reports/file-query';
import { ServerAcceptance } from '@/lib/model/servers/server-identity';
import { ValueReason } from '@/lib/model/value-reason';

const ArchiveQuery = z.object({ seq: numeric(z.number().int().min(0)).optional(), reason: ValueReason.optional() });

export const deletionRoutes = [
  handle('GET /api/deletions', {
    summary: 'List the newest 100 plans and deletions.',
    answer: 'deletions: plans and deletions, newest first.',
    query: ListQuery,
    act: async ({ actor, query }) => ({ deletions: await listDeletions(actor, query) }),
  }),
  handle('POST /api/deletions', {
    summary:
      'Confirm a plan with the typed phrase and the consents. Starts its job; a job that waits for a missing consent continues.',
    answer: 'deletion: the deletion, with its job.',
    body: Confirmation,
    status: 201,
    act: async ({ actor, body }) => ({ deletion: await startDeletion(actor, body) }),
  }),
  handle('POST /api/deletions/plans', {
    summary: 'Plan the deletion of a selection of keys, or expiries for them. Changes nothing in Redis.',
    answer: 'plan: totals, modes, estimate, commands, hazards, consents, and the phrase to type.',
    body: PlanRequest,
    status: 201,
    act: async ({ actor, body, request }) => ({ plan: await makePlan(actor, body, request.signal) }),
  }),
  handle('GET /api/deletions/plans/{id}', {
    summary: 'One plan.',
    answer: 'plan: what it would cost in each mode, its hazards, and the excluded keys.',
    act: async ({ actor, id }) => ({ plan: await getPlan(actor, id) }),
  }),
  handle('DELETE /api/deletions/plans/{id}', {
    summary: 'Discard a plan that was not confirmed.',
    answer: 'An empty object.',
    act: ({ actor, id }) => discardPlan(actor, id).then(() => ({})),
  }),
  handle('GET /api/deletions/{id}', {
    summary: 'One deletion.',
    answer: 'deletion: its plan, state, counts and job, and its rate and probe latency over time.',
    act: async ({ actor, id }) => ({ deletion: await getDeletion(actor, id) }),
  }),
  handle('POST /api/deletions/{id}/approval', {
    summary:
      'Ask a second person to approve a plan, with the reason, where the instance requires one. The request holds for a day, and for this plan only.',
    answer: 'approval: the request.',
    body: ApprovalRequest,
    status: 201,
    act: async ({ actor, id, body }) => ({ approval: await requestApproval(actor, id, body) }),
  }),
  handle('DELETE /api/deletions/{id}/approval', {
    summary: 'Withdraw the request for an approval of a plan, or the approval that was given.',
    answer: 'An empty object.',
    act: async ({ actor, id }) => {
      await withdrawApproval(actor, id);
      return {};
    },
  }),
  handle('POST /api/deletions/{id}/approval/decision', {
    summary:
      'Approve or reject exactly the plan of a deletion that was shown. Nobody may approve a plan of their own, and a token may not decide.',
    answer: 'approval: the request with its decision.',
    body: ApprovalDecision,
    act: async ({ actor, id, body }) => ({ approval: await decideApproval(actor, id, body) }),
  }),
  handle('GET /api/deletions/{id}/archive', {
    summary:
      'Download what a deletion has archived: of all keys, or of one (seq). Each call is recorded in the audit log; on a production instance it needs a reason.',
    answer: 'JSON Lines: each key, followed by its elements.',
    contentType: 'application/x-ndjson',
    query: ArchiveQuery,
    act: async ({ actor, id, query, stillSignedIn }) =>
      createDownload(
        await exportArchive(actor, id, { seq: query.seq ?? null, reason: query.reason ?? null }),
        stillSignedIn,
      ),
  }),
  handle('GET /api/deletions/{id}/items', {
    summary: 'List the keys of a deletion in the order of its plan, with state and reason, by pages or all as a file.',
    answer: 'items: one page of keys. nextCursor: where the next page begins. total: how many there are. Or the file.',
    query: ItemFileQuery,
    act: ({ actor, id, query, ...asked }) => {
      const page = () => listItemsPage(actor, id, query);
      return answerInFormat(asked, query.format, page, (shape) => exportItems(actor, id, query, shape));
    },
  }),
  handle('GET /api/deletions/{id}/server', {
    summary: 'Compare the server that a deletion belongs to with the one that answers now. Changes nothing.',
    answer: 'servers: the two (was, is), the verdict, and what an acceptance has to name (seen).',
    act: async ({ actor, id }) => ({ servers: await compareServers(actor, id) }),
  }),
  handle('POST /api/deletions/{id}/server', {
    summary:
      'Accept another server as the right one for a deletion, with the typed name of the instance and the server that was shown. Jobs that waited for it continue.',
    answer: 'deletion: the deletion as it is now.',
    body: ServerAcceptance,
    act: async ({ actor, id, body }) => ({ deletion: await acceptServer(actor, id, body) }),
  }),
  handle('POST /api/deletions/{id}/undo', {
    summary: 'Undo a deletion: restore all keys that can be restored, or some of them.',
    answer: 'deletion: the deletion, with the job that restores them.',
    body: UndoRequest,
    status: 201,
    act: async ({ actor, id, body }) => ({ deletion: await undoDeletion(actor, id, body) }),
  }),
  handle('POST /api/instances/{id}/give-up', {
    summary:
      'Declare that the server is permanently lost: its keys that are renamed (tombstones) get the state given up, so that the instance can be removed. Refused while the server answers.',
    answer: 'givenUp: how many keys, and the ids of their deletions.',
    body: GiveUp,
    act: async ({ actor, id, body }) => ({ givenUp: await giveUp(actor, id, body) }),
  }),
  handle('GET /api/instances/{id}/leftovers', {
    summary: 'Result of the newest search for internal keys on the servers of an instance.',
    answer:
      'search: its job and how far it is (null = there was none). leftovers: the keys that were found, and whether a deletion owns each.',
    rate: 'costly',
    act: ({ actor, id }) => getLeftovers(actor, id),
  }),
  handle('POST /api/instances/{id}/leftovers', {
    summary: 'Search the servers of an instance for internal keys, throttled. An instance has one search at a time.',
    answer: 'job: the job that was queued.',
    status: 202,
    rate: 'costly',
    act: async ({ actor, id }) => ({ job: await startLeftoversSearch(actor, id) }),
  }),
];
