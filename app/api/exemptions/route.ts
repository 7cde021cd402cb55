import { inFormat } from '@/app/api/in-format';
import { handle } from '@/lib/http/handle';
import { ListQuery } from '@/lib/model/reports/file-query';
import { ExemptionInput } from '@/lib/model/rules/policy';
import { addExemption, listExemptions } from '@/lib/policies/exemptions';
import { exportExemptions } from '@/lib/policies/export-policy';

export const GET = handle(
  { summary: 'List exemptions: findings accepted until a date.', answer: 'exemptions, or the file.', query: ListQuery },
  ({ actor, query: { instanceId = null, format }, ...asked }) => {
    const list = async () => ({ exemptions: await listExemptions(actor, instanceId) });
    return inFormat(asked, format, list, (shape) => exportExemptions(actor, instanceId, shape));
  },
);
export const POST = handle(
  { summary: 'Add an exemption.', answer: 'exemption', body: ExemptionInput, status: 201 },
  async ({ actor, body }) => ({
    exemption: await addExemption(actor, body),
  }),
);
