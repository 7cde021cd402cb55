import { z } from 'zod';
import { handle } from '@/lib/http/handle';
import { auditServer } from '@/lib/instances/audit-server';
import { changeDestinations, getDestinations } from '@/lib/instances/destinations';
import { getFleet } from '@/lib/instances/get-fleet';
import { getInstance } from '@/lib/instances/get-instance';
import { importRow, readList } from '@/lib/instances/import/import-instances';
import { listInstances } from '@/lib/instances/list-instances';
import { previewLiveKey, readLiveKey } from '@/lib/instances/read-live-key';
import { readServerFacts } from '@/lib/instances/read-server-facts';
import { registerInstance } from '@/lib/instances/register-instance';
import { removeInstance } from '@/lib/instances/remove-instance';
import { testConnection } from '@/lib/instances/test-connection';
import { updateInstance } from '@/lib/instances/update-instance';
import { setWriteUser, withdrawWriteUser } from '@/lib/instances/write-user';
import { KeyQuery } from '@/lib/model/reports/file-query';
import { Destination, DestinationChange } from '@/lib/model/servers/destination';
import { ConnectionTest, Instance, InstanceInput, InstanceUpdate, WriteUserInput } from '@/lib/model/servers/instance';
import { InstanceList, InstanceListRow, ListedInstance } from '@/lib/model/servers/listed-instance';
import { ConnectionReport, Warning } from '@/lib/model/servers/server-facts';
import { ValueRequest } from '@/lib/model/value-reason';

export const instanceRoutes = [
  handle('GET /api/fleet', {
    summary: 'List every instance with its newest snapshot, its running scan and its key count over time.',
    answer: 'rows: one per instance.',
    act: async ({ actor }) => ({ rows: await getFleet(actor) }),
  }),
  handle('GET /api/instances', {
    summary: 'List the registered instances by name.',
    answer: 'instances: each without its secrets.',
    holds: { instances: z.array(Instance) },
    act: async ({ actor }) => ({ instances: await listInstances(actor) }),
  }),
  handle('POST /api/instances', {
    summary: 'Register an instance.',
    answer:
      'instance: the instance that was registered, without its secrets; warnings: whether other instances name one of its addresses.',
    holds: { instance: Instance, warnings: z.array(Warning) },
    body: InstanceInput,
    status: 201,
    act: async ({ actor, body }) => {
      const { warnings, ...instance } = await registerInstance(actor, body);
      return { instance, warnings };
    },
  }),
  handle('POST /api/instances/test', {
    summary: 'Test a connection before it is saved; ten seconds at most.',
    answer: 'report: topology, nodes, memory, permissions, warnings.',
    holds: { report: ConnectionReport },
    body: ConnectionTest,
    rate: 'costly',
    act: async ({ actor, body: { instanceId, ...input } }) => ({
      report: await testConnection(actor, input, instanceId),
    }),
  }),
  handle('POST /api/instances/import', {
    summary: 'Read a list of instances, as CSV or YAML, and store nothing.',
    answer: 'rows: one per instance of the list, without its password; problem: what is wrong with it.',
    holds: { rows: z.array(ListedInstance) },
    body: InstanceList,
    rate: 'costly',
    act: async ({ actor, body }) => ({ rows: await readList(actor, body.text) }),
  }),
  handle('POST /api/instances/import/row', {
    summary: 'Test the connection of one instance of a list, and register it if that is wanted.',
    answer: 'report: topology, nodes, memory, permissions, warnings; instance: null if it was only tested.',
    holds: { report: ConnectionReport, instance: Instance.nullable() },
    body: InstanceListRow,
    rate: 'costly',
    act: ({ actor, body: { text, ...options } }) => importRow(actor, text, options),
  }),
  handle('GET /api/instances/{id}', {
    summary: 'One instance.',
    answer: 'instance: without its secrets.',
    holds: { instance: Instance },
    act: async ({ actor, id }) => ({ instance: await getInstance(actor, id) }),
  }),
  handle('PATCH /api/instances/{id}', {
    summary: 'Change an instance. Fields that are not given stay unchanged.',
    answer: 'instance: the instance as it is now, without its secrets.',
    holds: { instance: Instance },
    body: InstanceUpdate,
    act: async ({ actor, id, body }) => ({ instance: await updateInstance(actor, id, body) }),
  }),
  handle('DELETE /api/instances/{id}', {
    summary: 'Remove an instance, its secrets and its snapshots.',
    answer: 'instance: the instance that was removed.',
    holds: { instance: Instance },
    act: async ({ actor, id }) => ({ instance: await removeInstance(actor, id) }),
  }),
  handle('GET /api/instances/{id}/audit', {
    summary:
      'Check the current configuration and statistics of the servers of an instance against the server rules of its profile.',
    answer: 'audit: what the servers report. findings: the result of each rule.',
    rate: 'costly',
    act: ({ actor, id }) => auditServer(actor, id),
  }),
  handle('GET /api/instances/{id}/destinations', {
    summary: 'List the confirmed addresses of an instance: those that its servers announce and somebody has confirmed.',
    answer: 'destinations: the confirmed addresses.',
    holds: { destinations: z.array(Destination) },
    act: async ({ actor, id }) => ({ destinations: await getDestinations(actor, id) }),
  }),
  handle('POST /api/instances/{id}/destinations', {
    summary:
      'Confirm addresses that the servers of an instance announce, or withdraw that. The password is sent to confirmed ones only.',
    answer: 'destinations: all addresses that are confirmed now.',
    holds: { destinations: z.array(Destination) },
    body: DestinationChange,
    act: async ({ actor, id, body }) => ({ destinations: await changeDestinations(actor, id, body) }),
  }),
  handle('GET /api/instances/{id}/keys/{k}', {
    summary: 'One key on the live server, without any byte of its value.',
    answer: 'key: its facts and the verdict of the rules.',
    query: KeyQuery,
    rate: 'costly',
    act: async ({ actor, id, k, query: { db } }) => ({ key: await readLiveKey(actor, id, k, db) }),
  }),
  handle('POST /api/instances/{id}/keys/{k}/value', {
    summary:
      'One key on the live server, with a bounded part of its value. Each call is recorded in the audit log; on a production instance it needs a reason.',
    answer: 'key: its facts, the verdict of the rules, and the part of the value.',
    body: ValueRequest,
    rate: 'costly',
    act: async ({ actor, id, k, body: { db, reason = null } }) => ({
      key: await previewLiveKey(actor, id, { k, db, reason }),
    }),
  }),
  handle('GET /api/instances/{id}/server', {
    summary: 'Current state of the instance and its servers; ten seconds at most.',
    answer: 'report: topology, nodes, memory, permissions, warnings.',
    holds: { report: ConnectionReport },
    rate: 'costly',
    act: async ({ actor, id }) => ({ report: await readServerFacts(actor, id) }),
  }),
  handle('PUT /api/instances/{id}/write-user', {
    summary:
      'Set the write user of an instance: the Redis user that changes keys. It is stored once every master has accepted it.',
    answer: 'instance: the instance as it is now, without its secrets.',
    holds: { instance: Instance },
    body: WriteUserInput,
    act: async ({ actor, id, body }) => ({ instance: await setWriteUser(actor, id, body) }),
  }),
  handle('DELETE /api/instances/{id}/write-user', {
    summary: 'Withdraw the password of the write user of an instance. No key is changed until it is set again.',
    answer: 'instance: the instance as it is now, without its secrets.',
    holds: { instance: Instance },
    act: async ({ actor, id }) => ({ instance: await withdrawWriteUser(actor, id) }),
  }),
];
