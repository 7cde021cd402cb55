import { connect, createServer, type Socket } from 'node:net';

/** Stands between Colonnade and a Redis: cuts all connections, or lets every byte wait. */
export interface TcpProxy {
  port: number;
  cut(): void;
  delayMs: number;
  close(): Promise<void>;
}

export async function startTcpProxy(target: number): Promise<TcpProxy> {
  const pairs = new Set<Socket>();
  const proxy = { port: 0, delayMs: 0 } as TcpProxy;
  const server = createServer((near) => {
    const far = connect(target, '127.0.0.1');
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      pairs.add(from);
      let sent = Promise.resolve();
      from.on('data', (chunk) => {
        // In order, whatever the delay becomes meanwhile.
        const due = Date.now() + proxy.delayMs;
        sent = sent.then(async () => {
          const wait = due - Date.now();
          if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
          if (!to.destroyed) to.write(chunk);
        });
      });
      from.on('error', () => to.destroy());
      from.on('close', () => {
        pairs.delete(from);
        to.destroy();
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  proxy.port = typeof address === 'object' && address ? address.port : 0;
  proxy.cut = () => {
    for (const socket of pairs) socket.destroy();
  };
  proxy.close = () => {
    proxy.cut();
    return new Promise((resolve) => server.close(() => resolve()));
  };
  return proxy;
}
