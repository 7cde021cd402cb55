import { handle, WithId as params } from '@/lib/http/handle';
import { setWriteUser, withdrawWriteUser } from '@/lib/instances/write-user';
import { WriteUserInput } from '@/lib/model/servers/instance';

export const PUT = handle({ params, body: WriteUserInput }, async ({ actor, params, body }) => ({
  instance: await setWriteUser(actor, params.id, body),
}));

export const DELETE = handle({ params }, async ({ actor, params }) => ({
  instance: await withdrawWriteUser(actor, params.id),
}));
