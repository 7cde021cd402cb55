import { handle } from '@/lib/http/handle';
import { ListQuery } from '@/lib/model/reports/file-query';
import { OwnerInput } from '@/lib/model/rules/policy';
import { addOwner, listOwners } from '@/lib/policies/owners';

export const GET = handle(
  {
    summary: 'List the owners of prefixes.',
    answer: 'owners: all of them, or those that apply to one instance.',
    query: ListQuery,
  },
  async ({ actor, query: { instanceId = null } }) => ({
    owners: await listOwners(actor, instanceId),
  }),
);
export const POST = handle(
  { summary: 'Add the owner of a prefix.', answer: 'owner: the owner that was added.', body: OwnerInput, status: 201 },
  async ({ actor, body }) => ({
    owner: await addOwner(actor, body),
  }),
);
