import { listAuditChoices } from '@/lib/access/audit-log/list-audit-choices';
import { handle } from '@/lib/http/handle';

export const GET = handle(
  {
    summary: 'List the people and actions of the audit log, as choices for its filter.',
    answer: 'people: names. actions: their codes.',
  },
  ({ actor }) => listAuditChoices(actor),
);
