import { handle, WithId as params } from '@/lib/http/handle';
import { setWriteUser, withdrawWriteUser } from '@/lib/instances/write-user';
import { Instance, WriteUserInput } from '@/lib/model/servers/instance';

export const PUT = handle(
  {
    summary: 'Give the user that changes keys; stored once every master has accepted it.',
    answer: 'The instance, without its secrets.',
    holds: { instance: Instance },
    params,
    body: WriteUserInput,
  },
  async ({ actor, params, body }) => ({
    instance: await setWriteUser(actor, params.id, body),
  }),
);

export const DELETE = handle(
  {
    summary: 'Withdraw the password of that user: no key is changed until it is given again.',
    answer: 'The instance.',
    holds: { instance: Instance },
    params,
  },
  async ({ actor, params }) => ({
    instance: await withdrawWriteUser(actor, params.id),
  }),
);
