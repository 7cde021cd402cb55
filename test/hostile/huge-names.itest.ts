import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { KeyFilter } from '@/lib/model/filter';
import { computeSlot } from '@/lib/redis/keys/slot';
import { PartialName } from '@/lib/redis/scan/partial-name';
import { streamKeyExport } from '@/lib/snapshots/reports/export/stream-key-export';
import { LONG } from '../long-form.mjs';
import { freshFolder, type Scanned, scanWhole } from '../scans/scan';
import { type RedisServer, startRedis } from '../servers/redis';
import { pour } from '../servers/seed';

const MIB = 1024 * 1024;

/**
 * On a busy machine, replies of 20 MiB make the server so late that the scan asks for a confirmation. Then this does
 * what the message says: it runs the same command again, with the same folder.
 */
async function scanThroughStalls(server: RedisServer): Promise<Scanned> {
  const dir = freshFolder();
  for (let left = 5; ; left--) {
    try {
      return await scanWhole([server], { dir });
    } catch (error) {
      if (left === 0 || !/^critical latency\. .*the same --out continues/.test((error as Error).message)) throw error;
    }
  }
}

it('names above what one reply may hold cost none of their neighbours', async () => {
  const server = await startRedis();
  try {
    // There are so few keys that many share a bucket with a huge one, whatever COUNT is.
    const small = Array.from({ length: 600 }, (_, i) => `small:${i}`);
    const huge = (LONG ? [17, 18, 20] : [17]).map((mib) =>
      Buffer.concat([Buffer.from(`huge:{${mib}}:`), Buffer.alloc(mib * MIB, 'n')]),
    );
    await pour(
      server.client(),
      small.map((name) => ['SET', name, 'x']),
    );
    for (const name of huge) await server.client().set(name, 'x');
    const { manifest, dir, rows } = await scanThroughStalls(server);
    expect(
      rows
        .filter((row) => row.name.startsWith('small:'))
        .map((row) => row.name)
        .sort(),
    ).toEqual(small.sort());
    expect(manifest.coverage).toMatchObject({ partial: false, partialReasons: [], oversizeReplies: huge.length });
    const { stream } = await streamKeyExport({ dir, manifest }, KeyFilter.parse({ prefix: 'huge:' }), 'jsonl');
    const listed = (await new Response(stream).text())
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(listed.map((row) => [row.nameBytes, row.slot]).sort()).toEqual(
      huge.map((name) => [name.length, computeSlot(name)]).sort(),
    );
  } finally {
    await server.stop();
  }
});

it('a name that is read past has the digest and the slot of the whole, wherever it is cut', () => {
  for (const text of ['plain', 'a{tag}b', '{}x{y}', 'a{{b}}c', 'open{only', 'x}y{z}', `${'n'.repeat(700)}{t}`]) {
    const name = Buffer.from(text);
    for (let cut = 0; cut <= name.length; cut++) {
      const skimmed = new PartialName(name.length);
      skimmed.add(name.subarray(0, cut));
      skimmed.add(name.subarray(cut));
      expect([skimmed.slot, skimmed.sha256, skimmed.beginning.toString(), skimmed.left]).toEqual([
        computeSlot(name),
        createHash('sha256').update(name).digest('hex'),
        text.slice(0, 512),
        0,
      ]);
    }
  }
});
