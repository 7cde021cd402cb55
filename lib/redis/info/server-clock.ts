import type { Reply } from '@/lib/redis/protocol/any-reply';
import { timeOfInfo } from './clock-skew';

/**
 * The clock of the server. A moment that is given to a server is compared with this clock and no other: what lies in
 * its past removes a key at once, however far in the future it is for us.
 */
export interface AsksClock {
  /** Several commands in one write; error replies are values. */
  callAll(commands: readonly (readonly (string | Buffer)[])[]): Promise<(Reply | Error)[]>;
}

/** Reply to TIME as epoch ms. */
export function timeOf(reply: Reply | Error | undefined): number | null {
  const [seconds, micros] = Array.isArray(reply) ? reply.map(Number) : [];
  return Number.isFinite(seconds) && Number.isFinite(micros)
    ? Number(seconds) * 1000 + Math.floor(Number(micros) / 1000)
    : null;
}

/** Epoch ms by the clock of the server; null where it may not be asked. */
export async function readServerTime(channel: AsksClock): Promise<number | null> {
  const [time] = await channel.callAll([['TIME']]);
  return timeOf(time) ?? timeByInfo(channel);
}

export async function timeByInfo(channel: AsksClock): Promise<number | null> {
  const [info] = await channel.callAll([['INFO', 'server']]);
  return Buffer.isBuffer(info) ? timeOfInfo(info.toString('latin1')) : null;
}
