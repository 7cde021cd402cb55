import { z } from 'zod';
import { handle, Id } from '@/lib/http/handle';
import { ExemptionInput } from '@/lib/model/rules/policy';
import { removeExemption, updateExemption } from '@/lib/policies/exemptions';

const params = z.object({ id: Id });

export const PUT = handle({ params, body: ExemptionInput }, async ({ actor, params: { id }, body }) => ({
  exemption: await updateExemption(actor, id, body),
}));
export const DELETE = handle({ params }, ({ actor, params: { id } }) => removeExemption(actor, id));
