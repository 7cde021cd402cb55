import { sleep } from '../../test/servers/process';
import { type RogueServer, startRogue } from '../../test/servers/rogue';
import { rest } from './rest';

/** The ways in which the server fails. */
export const DEAD_WAYS = ['silent', 'reset', 'loading', 'busy', 'stalls', 'slow', 'refused'] as const;
export type DeadWay = (typeof DEAD_WAYS)[number];

/** A registered Redis that never works: it fails in each of the ways in turn, on one port. */
export interface DeadServer {
  port: number;
  /** Number of commands received in each way; with `refused` there are none. */
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
