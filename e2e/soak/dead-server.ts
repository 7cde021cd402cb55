import { sleep } from '../../test/servers/process';
import { type RogueServer, startRogue } from '../../test/servers/rogue';
import { rest } from './rest';

/** Every way in which a server can be no use. */
export const DEAD_WAYS = ['silent', 'reset', 'loading', 'busy', 'stalls', 'slow', 'refused'] as const;
export type DeadWay = (typeof DEAD_WAYS)[number];

/** A Redis that is registered and never of use: each of the ways in turn, on one port. */
export interface DeadServer {
  port: number;
  /** How often it was spoken to in each way; `refused` hears nothing. */
  heard: Record<DeadWay, number>;
  takeTurns(turnMs: number, stopped: () => boolean): Promise<void>;
  stop(): Promise<void>;
}

export async function startDeadServer(): Promise<DeadServer> {
  let way: DeadWay = 'silent';
  const heard = Object.fromEntries(DEAD_WAYS.map((name) => [name, 0])) as Record<DeadWay, number>;
  const start = (port?: number) =>
    startRogue(
      async ([command], socket) => {
        heard[way]++;
        if (way === 'reset') socket.resetAndDestroy();
        if (way === 'loading') return '-LOADING Redis is loading the dataset in memory\r\n';
        if (way === 'busy') return '-BUSY Redis is busy running a script.\r\n';
        // The greeting is answered, and then nothing.
        if (way === 'stalls') return command === 'HELLO' ? '-ERR unknown command\r\n' : null;
        if (way === 'slow') {
          await sleep(30_000);
          return '+OK\r\n';
        }
        return null;
      },
      port === undefined ? {} : { port },
    );
  let rogue: RogueServer | null = await start();
  const { port } = rogue;
  return {
    port,
    heard,
    async takeTurns(turnMs, stopped) {
      for (let turn = 0; !stopped(); turn++) {
        way = DEAD_WAYS[turn % DEAD_WAYS.length]!;
        if (way === 'refused') {
          await rogue?.stop();
          rogue = null;
        } else rogue ??= await start(port);
        await rest(turnMs, stopped);
      }
    },
    stop: async () => rogue?.stop(),
  };
}
