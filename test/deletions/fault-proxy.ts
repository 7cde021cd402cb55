import { connect, createServer, type Socket } from 'node:net';

export interface FaultProxy {
  port: number;
  /** The next command that holds this word reaches the server, its reply does not come back, and the line is cut. */
  swallowReplyTo(word: string): void;
  /** How often that happened. */
  swallowed(): number;
  stop(): Promise<void>;
}

/** A line to a Redis that breaks at the worst moment: when the command was carried out and nobody hears of it. */
export async function startFaultProxy(target: number): Promise<FaultProxy> {
  let word: string | null = null;
  let count = 0;
  const open = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect({ port: target, host: '127.0.0.1' });
    let mute = false;
    for (const socket of [client, upstream]) {
      open.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => {
        open.delete(socket);
        client.destroy();
        upstream.destroy();
      });
    }
    client.on('data', (data) => {
      if (word !== null && data.includes(`\r\n${word}\r\n`)) {
        word = null;
        count++;
        mute = true;
      }
      upstream.write(data);
    });
    upstream.on('data', (data) => {
      if (mute) client.destroy();
      else client.write(data);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return {
    port: typeof address === 'object' && address ? address.port : 0,
    swallowReplyTo(next) {
      word = next;
    },
    swallowed: () => count,
    async stop() {
      for (const socket of open) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
