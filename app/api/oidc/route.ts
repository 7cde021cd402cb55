import { listProviders } from '@/lib/access/users/providers/list-providers';
import { handle } from '@/lib/http/handle';

export const GET = handle(
  {
    summary: 'List the identity providers that people may sign in with.',
    answer: 'providers: id and label of each.',
    open: true,
  },
  async () => ({ providers: listProviders() }),
);
