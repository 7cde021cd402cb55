import { emergencyStop } from '@/lib/deletions/emergency-stop';
import { handle, WithId } from '@/lib/http/handle';

export const POST = handle(
  {
    summary: 'Stop one deletion now; other writes continue.',
    answer: 'panic: which writes are stopped, since when and by whom, and the path of the flag file.',
    params: WithId,
  },
  async ({ actor, params: { id } }) => ({
    panic: await emergencyStop(actor, { deletionId: id }),
  }),
);
