import { handle } from '@/lib/http/handle';
import { ListQuery } from '@/lib/model/reports/file-query';
import { OwnerInput } from '@/lib/model/rules/policy';
import { addOwner, listOwners } from '@/lib/policies/owners';

export const GET = handle(
  { summary: 'List prefix owners.', answer: 'owners.', query: ListQuery },
  async ({ actor, query: { instanceId = null } }) => ({
    owners: await listOwners(actor, instanceId),
  }),
);
export const POST = handle(
  { summary: 'Add a prefix owner.', answer: 'owner', body: OwnerInput, status: 201 },
  async ({ actor, body }) => ({
    owner: await addOwner(actor, body),
  }),
);
