import { download } from '@/lib/http/download';
import { handle, WithId as params } from '@/lib/http/handle';
import { ProfileFileQuery as query } from '@/lib/model/reports/file-query';
import { exportProfileRules } from '@/lib/policies/export-profile-rules';
import { exportProfile } from '@/lib/policies/profile-yaml';

export const GET = handle(
  {
    summary: 'A profile as a file that can be imported, or its rules beside what the standards say as a table.',
    answer: 'YAML, or the table.',
    contentType: 'text/yaml',
    params,
    query,
  },
  async ({ actor, params: { id }, query: { format }, ...asked }) => {
    const { signal } = asked.request;
    if (format !== 'yaml')
      return download(await exportProfileRules(actor, id, { format, signal }), asked.stillSignedIn);
    const { yaml } = await exportProfile(actor, id);
    const disposition = { 'content-disposition': `attachment; filename="profile-${id}.yaml"` };
    return new Response(yaml, { headers: { 'content-type': 'text/yaml; charset=utf-8', ...disposition } });
  },
);
