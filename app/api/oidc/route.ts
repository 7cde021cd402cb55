import { listProviders } from '@/lib/access/users/providers/list-providers';
import { handle } from '@/lib/http/handle';

export const GET = handle(
  {
    summary: 'Identity providers with which people may sign in.',
    answer: 'providers: id and label of each.',
    open: true,
  },
  async () => ({ providers: listProviders() }),
);
