import { handle, WithId as params } from '@/lib/http/handle';
import { exportProfile } from '@/lib/policies/profile-yaml';

export const GET = handle(
  {
    summary: 'Download a profile as a file that can be imported.',
    answer: 'The file, in YAML.',
    contentType: 'text/yaml',
    params,
  },
  async ({ actor, params: { id } }) => {
    const { yaml } = await exportProfile(actor, id);
    const disposition = { 'content-disposition': `attachment; filename="profile-${id}.yaml"` };
    return new Response(yaml, { headers: { 'content-type': 'text/yaml; charset=utf-8', ...disposition } });
  },
);
