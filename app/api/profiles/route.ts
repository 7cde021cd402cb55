import { inFormatAndOrder } from '@/app/api/in-format';
import { handle } from '@/lib/http/handle';
import { ProfilesQuery } from '@/lib/model/reports/file-query';
import { ProfileInput } from '@/lib/model/rules/policy';
import { exportProfiles } from '@/lib/policies/export-profiles';
import { listProfiles } from '@/lib/policies/list-profiles';
import { createProfile } from '@/lib/policies/save-profile';

export const GET = handle(
  {
    summary: 'Built-in and custom profiles, with the instances that use them.',
    answer: 'profiles, or the file.',
    query: ProfilesQuery,
  },
  ({ actor, query: { format, ...order }, ...asked }) => {
    const list = async () => ({ profiles: await listProfiles(actor) });
    return inFormatAndOrder(asked, { format, order }, list, (shape) => exportProfiles(actor, shape));
  },
);
export const POST = handle(
  { summary: 'A new profile.', answer: 'The profile.', body: ProfileInput, status: 201 },
  async ({ actor, body }) => ({
    profile: await createProfile(actor, body.body),
  }),
);
