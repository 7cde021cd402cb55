import { handle, WithId as params } from '@/lib/http/handle';
import { setWriteUser, withdrawWriteUser } from '@/lib/instances/write-user';
import { Instance, WriteUserInput } from '@/lib/model/servers/instance';

export const PUT = handle(
  {
    summary:
      'Set the write user of an instance: the Redis user that changes keys. It is stored once every master has accepted it.',
    answer: 'instance: the instance as it is now, without its secrets.',
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
    summary: 'Withdraw the password of the write user of an instance. No key is changed until it is set again.',
    answer: 'instance: the instance as it is now, without its secrets.',
    holds: { instance: Instance },
    params,
  },
  async ({ actor, params }) => ({
    instance: await withdrawWriteUser(actor, params.id),
  }),
);
