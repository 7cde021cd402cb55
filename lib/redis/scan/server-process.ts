import { skewOf, timeOfInfo } from '@/lib/redis/info/clock-skew';
import type { RespChannel } from '@/lib/redis/protocol/resp-channel';

/** Less than this may be the time that the answer took. */
const ALIKE_MS = 1000;

/** The process at the other end of a connection. Behind a balancer each connection may lead to another one. */
export interface ServerProcess {
  /** null where the server does not tell, or INFO is denied. */
  runId: string | null;
  /**
   * Whether its clock is another than ours. PEXPIRETIME tells a moment of that clock, while everything is counted from
   * ours: five minutes between the two would make keys of five minutes look expired, or those that end now look new.
   * PTTL needs no clock. false where the server does not tell.
   */
  clockDiffers: boolean;
}

export async function readServerProcess(channel: Pick<RespChannel, 'call'>): Promise<ServerProcess> {
  const before = Date.now();
  const info = String(await channel.call(['INFO', 'server']));
  const after = Date.now();
  const theirs = timeOfInfo(info);
  return {
    runId: /^run_id:(\w+)/m.exec(info)?.[1] ?? null,
    clockDiffers: theirs !== null && Math.abs(skewOf(theirs, before, after)) > ALIKE_MS,
  };
}
