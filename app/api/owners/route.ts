import { inFormat } from '@/app/api/in-format';
import { handle } from '@/lib/http/handle';
import { ListQuery } from '@/lib/model/reports/file-query';
import { OwnerInput } from '@/lib/model/rules/policy';
import { exportOwners } from '@/lib/policies/export-policy';
import { addOwner, listOwners } from '@/lib/policies/owners';

export const GET = handle(
  { summary: 'List prefix owners.', answer: 'owners, or the file.', query: ListQuery },
  ({ actor, query: { instanceId = null, format }, ...asked }) => {
    const list = async () => ({ owners: await listOwners(actor, instanceId) });
    return inFormat(asked, format, list, (shape) => exportOwners(actor, instanceId, shape));
  },
);
export const POST = handle(
  { summary: 'Add a prefix owner.', answer: 'owner', body: OwnerInput, status: 201 },
  async ({ actor, body }) => ({
    owner: await addOwner(actor, body),
  }),
);
