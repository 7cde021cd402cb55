import { expect, it } from 'vitest';
import { messageAddress, messageFile } from '@/messages/message-file';
import { askApi } from '@/test/access/ask-api';

const ask = (address: string) => askApi(`GET ${address}`);

it('a browser keeps the messages for ever under their version, and under no other', async () => {
  const kept = await ask(messageAddress('zh-CN'));
  expect(kept.headers.get('cache-control')).toContain('immutable');
  expect(await kept.json()).toEqual(messageFile('zh-CN').messages);
  const other = await ask('/api/messages/en?v=of-another-build');
  expect([other.status, other.headers.get('cache-control')]).toEqual([200, 'no-store']);
  expect((await ask('/api/messages/fr')).status).toBe(404);
});
