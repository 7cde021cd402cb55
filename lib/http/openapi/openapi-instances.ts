import { FileQuery } from '@/lib/model/reports/file-query';
import { Destination, DestinationChange } from '@/lib/model/servers/destination';
import { ConnectionTest, Instance, InstanceInput, InstanceUpdate, WriteUserInput } from '@/lib/model/servers/instance';
import { ConnectionReport } from '@/lib/model/servers/server-facts';
import type { Operation } from './openapi-operation';

/** Registering instances, their connection, and what may be connected to. */
export const INSTANCE_ROUTES: Operation[] = [
  {
    method: 'get',
    path: '/api/instances',
    summary: 'Registered instances by name.',
    answer: 'instances',
    holds: ['instances', Instance, 'many'],
  },
  {
    method: 'post',
    path: '/api/instances',
    summary: 'Register an instance.',
    answer: 'The instance, without its secrets.',
    status: 201,
    body: InstanceInput,
    holds: ['instance', Instance],
  },
  {
    method: 'post',
    path: '/api/instances/test',
    summary: 'Test a connection before saving; ten seconds at most.',
    answer: 'Topology, version, what the user may do, warnings.',
    body: ConnectionTest,
    holds: ['report', ConnectionReport],
  },
  {
    method: 'get',
    path: '/api/instances/{id}',
    summary: 'One instance.',
    answer: 'The instance.',
    holds: ['instance', Instance],
  },
  {
    method: 'patch',
    path: '/api/instances/{id}',
    summary: 'Change an instance; fields not given stay unchanged.',
    answer: 'The instance.',
    body: InstanceUpdate,
    holds: ['instance', Instance],
  },
  {
    method: 'delete',
    path: '/api/instances/{id}',
    summary: 'Remove an instance with its secrets and snapshots.',
    answer: 'What was removed.',
    holds: ['instance', Instance],
  },
  {
    method: 'put',
    path: '/api/instances/{id}/write-user',
    summary: 'Give the user that changes keys; stored once every master has accepted it.',
    answer: 'The instance, without its secrets.',
    body: WriteUserInput,
    holds: ['instance', Instance],
  },
  {
    method: 'delete',
    path: '/api/instances/{id}/write-user',
    summary: 'Withdraw the password of that user: no key is changed until it is given again.',
    answer: 'The instance.',
    holds: ['instance', Instance],
  },
  {
    method: 'get',
    path: '/api/instances/{id}/destinations',
    summary: 'Addresses announced by its servers that somebody has confirmed.',
    answer: 'destinations, or the file of these.',
    query: FileQuery,
    holds: ['destinations', Destination, 'many'],
  },
  {
    method: 'post',
    path: '/api/instances/{id}/destinations',
    summary: 'Confirm announced addresses, or withdraw that; the password goes to confirmed ones only.',
    answer: 'All that are confirmed now.',
    body: DestinationChange,
    holds: ['destinations', Destination, 'many'],
  },
];
