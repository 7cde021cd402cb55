import { z } from 'zod';
import { ApprovalDecision, ApprovalRequest } from '@/lib/model/deletions/approval';
import { Confirmation, GiveUp, PlanRequest, UndoRequest } from '@/lib/model/deletions/plan-request';
import { DeletionsQuery, ItemFileQuery, LeftoversQuery, PlanFileQuery } from '@/lib/model/reports/file-query';
import { ServerAcceptance } from '@/lib/model/servers/server-identity';
import { ValueReason } from '@/lib/model/value-reason';
import type { Operation } from './openapi-operation';

const scope = z.object({ instanceId: z.string().optional() });
const emergencyStopResponse = 'What stands still, since when and by whom, and the path of the flag file.';

/** What writes to Redis: plan, confirm, watch, undo, stop. */
export const DELETION_ROUTES: Operation[] = [
  {
    method: 'post',
    path: '/api/deletions/plans',
    summary: 'Plan the deletion of a selection of keys, or their expiries. Changes nothing in Redis.',
    answer: 'The plan: totals, modes, estimate, commands, hazards, consents, the phrase to type.',
    status: 201,
    body: PlanRequest,
  },
  {
    method: 'get',
    path: '/api/deletions/plans/{id}',
    summary: 'A plan; a file has what it would cost in each mode, its hazards or the excluded keys.',
    answer: 'The plan, or the file.',
    query: PlanFileQuery,
  },
  {
    method: 'delete',
    path: '/api/deletions/plans/{id}',
    summary: 'Discard a plan that was not confirmed.',
    answer: 'Nothing.',
  },
  {
    method: 'get',
    path: '/api/deletions',
    summary: 'The newest 100 plans and deletions; a file has 1,000, sorted by a column of the page.',
    answer: 'deletions, or the file.',
    query: DeletionsQuery,
  },
  {
    method: 'post',
    path: '/api/deletions',
    summary:
      'Confirm a plan: the typed phrase and the consents. Starts the job; a job that waits for a missing consent continues.',
    answer: 'The deletion with its job.',
    status: 201,
    body: Confirmation,
  },
  {
    method: 'get',
    path: '/api/deletions/{id}',
    summary: 'A deletion: plan, state, counts, job, rate and probe latency over time.',
    answer: 'The deletion.',
  },
  {
    method: 'post',
    path: '/api/deletions/{id}/approval',
    summary:
      'Where the instance asks for a second person: ask for one, with the reason. Holds for a day, for this plan.',
    answer: 'approval',
    status: 201,
    body: ApprovalRequest,
  },
  {
    method: 'delete',
    path: '/api/deletions/{id}/approval',
    summary: 'Withdraw a request, or an approval that was given.',
    answer: 'Nothing.',
  },
  {
    method: 'post',
    path: '/api/deletions/{id}/approval/decision',
    summary: 'Approve or reject exactly the plan that was seen. Nobody approves their own. Not with a token.',
    answer: 'approval',
    body: ApprovalDecision,
  },
  {
    method: 'get',
    path: '/api/deletions/{id}/items',
    summary: 'Its keys in the order of the plan, with state and reason; a file has all of them.',
    answer: 'items, nextCursor, total, or the file.',
    query: ItemFileQuery,
  },
  {
    method: 'post',
    path: '/api/deletions/{id}/undo',
    summary: 'Undo: restore all keys that can be restored, or some.',
    answer: 'The deletion with the job that brings them back.',
    status: 201,
    body: UndoRequest,
  },
  {
    method: 'get',
    path: '/api/deletions/{id}/server',
    summary: 'Compare the server a deletion belongs to with the one that answers now. Changes nothing.',
    answer: 'servers: was, is, verdict, and what an acceptance has to name (seen).',
  },
  {
    method: 'post',
    path: '/api/deletions/{id}/server',
    summary:
      'Accept another server as the right one: the typed name of the instance, and the server that was shown. Jobs that waited for it continue.',
    answer: 'The deletion.',
    body: ServerAcceptance,
  },
  {
    method: 'post',
    path: '/api/deletions/{id}/panic',
    summary: 'Stop this deletion now.',
    answer: emergencyStopResponse,
  },
  {
    method: 'get',
    path: '/api/deletions/{id}/archive',
    summary: 'The archive as JSON Lines; seq: of one key. On record each time; on production with a reason only.',
    answer: 'JSON Lines: a key, then its elements.',
    query: z.object({ seq: z.number().int().optional(), reason: ValueReason.optional() }),
    contentType: 'application/x-ndjson',
  },
  { method: 'get', path: '/api/panic', summary: 'Whether writes are stopped.', answer: emergencyStopResponse },
  {
    method: 'post',
    path: '/api/panic',
    summary: 'Emergency stop: stop every write, everywhere or on one instance.',
    answer: emergencyStopResponse,
    body: scope,
  },
  {
    method: 'delete',
    path: '/api/panic',
    summary: 'Clear the emergency stop.',
    answer: emergencyStopResponse,
    query: scope,
  },
  {
    method: 'post',
    path: '/api/instances/{id}/give-up',
    summary:
      'The server is permanently lost: end deletions with renamed keys there as given up, so that the instance can be removed. Refused while the server answers.',
    answer: 'givenUp: keys, deletions',
    body: GiveUp,
  },
  {
    method: 'get',
    path: '/api/instances/{id}/leftovers',
    summary: 'Result of the latest search for internal keys, with the deletion that owns each.',
    answer: 'search (null: never searched), leftovers, or the file of these.',
    query: LeftoversQuery,
  },
  {
    method: 'post',
    path: '/api/instances/{id}/leftovers',
    summary: 'Search the servers for internal keys, throttled; one search of an instance at a time.',
    answer: 'job',
    status: 202,
  },
];
