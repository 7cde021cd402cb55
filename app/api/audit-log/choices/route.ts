import { auditChoices } from '@/lib/audit-log/audit-choices';
import { handle } from '@/lib/http/handle';

export const GET = handle({}, ({ actor }) => auditChoices(actor));
