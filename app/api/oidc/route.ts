import { inFormat } from '@/app/api/in-format';
import { handle } from '@/lib/http/handle';
import { FileQuery } from '@/lib/model/reports/file-query';
import { exportProviders } from '@/lib/users/export/export-providers';
import { listProviders } from '@/lib/users/providers/list-providers';

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
