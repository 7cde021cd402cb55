import { setTimeout as sleep } from 'node:timers/promises';
import { parseInfo, readInfoNumber } from '@/lib/redis/info/parse-info';
import type { WritingChannel } from './types';
import { createUnexpectedReplyError, isUnknownCommand } from './write-failure';

/** The interval of reading INFO, in ms. A replica reports its offset once a second. */
const INFO_EVERY_MS = 100;

/** Returns whether a replica has received everything written so far, or receives it within `ms`. */
export async function waitForReplica(channel: WritingChannel, ms: number): Promise<boolean> {
  try {
    const replicas = await channel.call(['WAIT', '1', String(ms)]);
    if (typeof replicas !== 'number') throw createUnexpectedReplyError();
    return replicas >= 1;
  } catch (error) {
    if (!isUnknownCommand(error)) throw error;
  }
  // WAIT is unknown before Redis 3.0: compare the offsets that WAIT would compare.
  const { master: written } = await readOffsets(channel);
  for (const end = Date.now() + ms; ; await sleep(INFO_EVERY_MS)) {
    const { replicas } = await readOffsets(channel);
    if (written !== null && replicas.some((offset) => offset >= written)) return true;
    if (Date.now() >= end) return false;
  }
}

async function readOffsets(channel: WritingChannel): Promise<{ master: number | null; replicas: number[] }> {
  const reply = await channel.call(['INFO', 'replication']);
  const info = parseInfo(Buffer.isBuffer(reply) ? reply.toString('latin1') : '');
  const replicas = [...info].flatMap(([name, value]) => {
    const [, offset] = (/^slave\d+$/.test(name) && /(?:^|,)state=online,offset=(\d+)/.exec(value)) || [];
    return offset === undefined ? [] : [Number(offset)];
  });
  return { master: readInfoNumber(info, 'master_repl_offset'), replicas };
}
