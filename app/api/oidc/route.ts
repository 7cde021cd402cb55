import { handle } from '@/lib/http/handle';
import { listProviders } from '@/lib/users/providers/list-providers';

export const GET = handle({ open: true }, () => ({ providers: listProviders() }));
