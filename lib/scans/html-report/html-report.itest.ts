import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { NO_EXPIRY } from '@/lib/model/snapshots/facts-page';
import { presets } from '@/lib/rules/profiles/presets';
import { writeFolderReport } from '@/lib/scans/folder-reports';
import { AS_OF, type MadeRow } from '@/test/snapshots/made-rows';
import { makeSealed } from '@/test/snapshots/make-snapshot';

let parent: string;
let dir: string;
const row = (name: string | Buffer, more: Partial<MadeRow> = {}): MadeRow => ({
  bytesOfName: Buffer.from(name),
  node: 0,
  db: 0,
  type: 'string',
  encoding: 'raw',
  expireAt: AS_OF + 86_400_000,
  bytes: 100,
  length: 50,
  idle: 1,
  freq: -1,
  ...more,
});
beforeAll(async () => {
  parent = mkdtempSync(path.join(tmpdir(), 'colonnade-html-'));
  ({ dir } = await makeSealed(parent, 'one', [
    ...Array.from({ length: 30 }, (_, i) =>
      row(`user:${i}:profile`, { expireAt: i % 2 === 0 ? NO_EXPIRY : AS_OF + 1e9 }),
    ),
    row('Report:<script>alert(1)</script>&"\'', { type: 'hash', encoding: 'hashtable', bytes: 9e6, length: 200_000 }),
    row('report:\u202etxt\u001b[31m', { bytes: 5e6, length: 4.9e6 }),
    row(Buffer.from([0xff, 0xfe, 0x3c, 0x62, 0x3e]), { bytes: 4e6, length: 3.9e6 }),
  ]));
});
afterAll(() => rmSync(parent, { recursive: true }));

const write = (more: object = {}) =>
  writeFolderReport(dir, presets.get('default')!, { language: 'en', ...more } as never);
const readText = (html: string) =>
  html
    .replace(/<style>.*?<\/style>/s, '')
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ');

it('is one file with the figures of the reports, that runs and loads nothing', async () => {
  const html = await write();
  expect(readText(html)).toMatch(/Keys 33 .*Bigkeys 3 Keys without expiry 15 /);
  expect(readText(html)).toMatch(/Three things to do .* — .*points of the score.* T1 A key must expire mandatory 15/);
  expect(readText(html)).toMatch(/user: 30 2\.93 KiB/);
  expect(html).toContain('Report:&lt;script&gt;alert(1)&lt;/script&gt;&amp;&quot;&#39;');
  expect(html).not.toMatch(/<script|<img|<link|<iframe|javascript:|https?:|url\(|@import|\u202e|\u001b/);
  expect(html.match(/<b>/g)?.length).toBe(html.match(/<\/b>/g)?.length);
});

it('is written in Chinese too', async () => {
  const html = await write({ language: 'zh-CN' });
  expect(html).toContain('<html lang="zh-CN">');
  expect(readText(html)).toMatch(/键数 33 .*键必须设置过期时间/);
});

it('goes through a standard statement by statement', async () => {
  const text = readText(await write({ standard: 'S2' }));
  expect(text).toContain('Redis key命名规范的设计');
  expect(text).toMatch(/T1 A key must expire mandatory violated \(15\)/);
  expect(text).toMatch(/for people to answer/);
  expect(text).toMatch(/passed \d+ violated \d+ not evaluated \d+ for people to answer \d+/i);
});
