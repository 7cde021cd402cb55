import { inFormat } from '@/app/api/in-format';
import { exportProviders } from '@/lib/access/users/export/export-providers';
import { listProviders } from '@/lib/access/users/providers/list-providers';
import { handle } from '@/lib/http/handle';
import { FileQuery } from '@/lib/model/reports/file-query';

export const GET = handle(
  {
    summary: 'Identity providers with which people may sign in; a file only for whoever is signed in.',
    answer: 'providers: id and label of each, or the file.',
    open: true,
    query: FileQuery,
  },
  ({ actor, query: { format }, ...asked }) => {
    const list = async () => ({ providers: listProviders() });
    return inFormat(asked, format, list, (shape) => exportProviders(actor, shape));
  },
);
