import { z } from 'zod';
import { handle, Id } from '@/lib/http/handle';
import { exportProfile } from '@/lib/policies/profile-yaml';

export const GET = handle({ params: z.object({ id: Id }) }, async ({ actor, params: { id } }) => {
  const { yaml } = await exportProfile(actor, id);
  const headers = {
    'content-type': 'text/yaml; charset=utf-8',
    'content-disposition': `attachment; filename="profile-${id}.yaml"`,
  };
  return new Response(yaml, { headers });
});
