import { handle } from '@/lib/http/handle';
import { ListQuery } from '@/lib/model/reports/file-query';
import { ExemptionInput } from '@/lib/model/rules/policy';
import { addExemption, listExemptions } from '@/lib/policies/exemptions';

export const GET = handle(
  { summary: 'List exemptions: findings accepted until a date.', answer: 'exemptions.', query: ListQuery },
  async ({ actor, query: { instanceId = null } }) => ({
    exemptions: await listExemptions(actor, instanceId),
  }),
);
export const POST = handle(
  { summary: 'Add an exemption.', answer: 'exemption', body: ExemptionInput, status: 201 },
  async ({ actor, body }) => ({
    exemption: await addExemption(actor, body),
  }),
);
