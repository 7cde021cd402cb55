/**
 * Reads the clock of the server. A time that is sent to a server must be compared with this clock only: a time in the
 * server's past deletes a key at once, however far in the future it is for this process.
 */

import type { Reply } from '@/lib/redis/protocol/any-reply';
import { parseInfoTime } from './clock-skew';

interface ClockChannel {
  /** Sends several commands in one write; error replies are returned as values. */
  callAll(commands: readonly (readonly (string | Buffer)[])[]): Promise<(Reply | Error)[]>;
}

/** Converts the reply to TIME to epoch ms; null if it is an error or malformed. */
export function parseServerTime(reply: Reply | Error | undefined): number | null {
  const [seconds, micros] = Array.isArray(reply) ? reply.map(Number) : [];
  return Number.isFinite(seconds) && Number.isFinite(micros)
    ? Number(seconds) * 1000 + Math.floor(Number(micros) / 1000)
    : null;
}

/** Returns epoch ms by the clock of the server; null if neither TIME nor INFO reports it. */
export async function readServerTime(channel: ClockChannel): Promise<number | null> {
  const [time] = await channel.callAll([['TIME']]);
  return parseServerTime(time) ?? readTimeByInfo(channel);
}

export async function readTimeByInfo(channel: ClockChannel): Promise<number | null> {
  const [info] = await channel.callAll([['INFO', 'server']]);
  return Buffer.isBuffer(info) ? parseInfoTime(info.toString('latin1')) : null;
}
