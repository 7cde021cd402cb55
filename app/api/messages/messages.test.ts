import { expect, it } from 'vitest';
import { messageAddress, messageFile } from '@/messages/message-file';
import { GET } from './[language]/route';

const HOST = '127.0.0.1:3000';
const ask = (address: string, language: string) =>
  GET(new Request(`http://${HOST}${address}`, { headers: { host: HOST } }), { params: Promise.resolve({ language }) });

it('a browser keeps the messages for ever under their version, and under no other', async () => {
  const kept = await ask(messageAddress('zh-CN'), 'zh-CN');
  expect(kept.headers.get('cache-control')).toContain('immutable');
  expect(await kept.json()).toEqual(messageFile('zh-CN').messages);
  const other = await ask('/api/messages/en?v=of-another-build', 'en');
  expect([other.status, other.headers.get('cache-control')]).toEqual([200, 'no-store']);
  expect((await ask('/api/messages/fr', 'fr')).status).toBe(404);
});
