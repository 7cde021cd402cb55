import { listAuditChoices } from '@/lib/access/audit-log/list-audit-choices';
import { handle } from '@/lib/http/handle';

export const GET = handle(
  { summary: 'People and actions that stand in the audit log, to filter by.', answer: 'people and actions' },
  ({ actor }) => listAuditChoices(actor),
);
