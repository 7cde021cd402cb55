import { expect, it } from 'vitest';
import en from '@/messages/en/instances.json';
import zh from '@/messages/zh-CN/instances.json';

/** A server name that was entered is used for announced nodes too: lib/redis/connection/open-socket.ts. */
it('says at the field that the server name is used for every node', () => {
  expect(JSON.stringify(en)).toMatch(/"servernameHint":"[^"]*Used for every node; leave it empty if/);
  expect(JSON.stringify(zh)).toMatch(/"servernameHint":"[^"]*对所有节点生效；若各节点宣告了自己的名称，请留空/);
});
