import { z } from 'zod';
import { handle, Id } from '@/lib/http/handle';
import { OwnerInput } from '@/lib/model/rules/policy';
import { addOwner, listOwners } from '@/lib/policies/owners';

const query = z.object({ instanceId: Id.optional() });

export const GET = handle({ query }, async ({ actor, query: { instanceId } }) => ({
  owners: await listOwners(actor, instanceId ?? null),
}));
export const POST = handle({ body: OwnerInput, status: 201 }, async ({ actor, body }) => ({
  owner: await addOwner(actor, body),
}));
