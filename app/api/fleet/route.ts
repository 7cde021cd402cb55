import { handle } from '@/lib/http/handle';
import { fleet } from '@/lib/instances/fleet';

export const GET = handle({}, async ({ actor }) => ({ rows: await fleet(actor) }));
