import { z } from 'zod';
import { handle, Id } from '@/lib/http/handle';
import { ExemptionInput } from '@/lib/model/rules/policy';
import { addExemption, listExemptions } from '@/lib/policies/exemptions';

const query = z.object({ instanceId: Id.optional() });

export const GET = handle({ query }, async ({ actor, query: { instanceId } }) => ({
  exemptions: await listExemptions(actor, instanceId ?? null),
}));
export const POST = handle({ body: ExemptionInput, status: 201 }, async ({ actor, body }) => ({
  exemption: await addExemption(actor, body),
}));
