import { handle, WithId as params } from '@/lib/http/handle';
import { auditServer } from '@/lib/instances/audit-server';

export const GET = handle(
  {
    summary:
      'Check the current configuration and statistics of the servers of an instance against the server rules of its profile.',
    answer: 'audit: what the servers report. findings: the result of each rule.',
    params,
  },
  ({ actor, params: { id } }) => auditServer(actor, id),
);
