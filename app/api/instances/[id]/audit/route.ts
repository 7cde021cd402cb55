import { handle, WithId as params } from '@/lib/http/handle';
import { auditServer } from '@/lib/instances/audit-server';

export const GET = handle(
  {
    summary: 'Current configuration and statistics of the servers, checked against the server rules of the profile.',
    answer: 'audit, findings.',
    params,
  },
  ({ actor, params: { id } }) => auditServer(actor, id),
);
