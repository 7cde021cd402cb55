import { connect, createServer, type Socket } from 'node:net';

/**
 * A proxy in front of a server that damages what passes: bytes to the server (`up`) or from it (`down`), counted from
 * the call of `spoil`, also on connections that were already open.
 */
export type TcpFault =
  | { kind: 'none' }
  /** Every request gets this answer; the server is not asked. */
  | { kind: 'answer'; text: string }
  /** Nothing is ever answered. */
  | { kind: 'silent' }
  | { kind: 'slow'; bytesPerSecond: number }
  /** Every byte is delayed, as on a long network path. */
  | { kind: 'late'; ms: number }
  /** The connection is reset after so many bytes. */
  | { kind: 'reset'; way: 'up' | 'down'; after: number }
  /** One bit is flipped every so many bytes. */
  | { kind: 'flip'; way: 'up' | 'down'; every: number };

export interface TcpProxy {
  port: number;
  spoil(fault: TcpFault): void;
  /** Closes the connections that are open. */
  cut(): void;
  close(): Promise<void>;
}

export async function startTcpProxy(target: number): Promise<TcpProxy> {
  const open = new Set<Socket>();
  let now = { fault: { kind: 'none' } as TcpFault };
  const server = createServer((client) => {
    open.add(client);
    client.on('close', () => open.delete(client));
    const behind = connect(target, '127.0.0.1');
    pass(client, behind, 'up');
    pass(behind, client, 'down');
  });

  function pass(from: Socket, to: Socket, way: 'up' | 'down'): void {
    let counted = now;
    let seen = 0;
    let sent = Promise.resolve();
    from.on('data', (piece: Buffer) => {
      const { fault } = now;
      if (counted !== now) seen = 0;
      counted = now;
      const begin = seen;
      seen += piece.length;
      if (fault.kind === 'silent') return;
      if (fault.kind === 'answer') return void (way === 'up' && from.end(fault.text));
      if (fault.kind === 'reset' && fault.way === way && seen > fault.after) {
        from.resetAndDestroy();
        to.resetAndDestroy();
        return;
      }
      if (fault.kind === 'flip' && fault.way === way)
        for (let at = fault.every * Math.ceil((begin + 1) / fault.every); at < seen; at += fault.every)
          piece[at - begin]! ^= 1;
      // Data is sent in order, even if the fault changes meanwhile.
      const due = Date.now() + (fault.kind === 'late' ? fault.ms : 0);
      sent = sent.then(async () => {
        const wait = due - Date.now();
        if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
        if (!to.destroyed) to.write(piece);
      });
      if (fault.kind !== 'slow') return;
      from.pause();
      setTimeout(() => from.resume(), (piece.length / fault.bytesPerSecond) * 1000);
    });
    // Delayed data is sent before the connection ends.
    from.on('end', () => void sent.then(() => to.end()));
    from.on('close', () => to.destroy());
    from.on('error', () => to.destroy());
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const cut = () => {
    for (const socket of open) socket.destroy();
  };
  return {
    port: (server.address() as { port: number }).port,
    spoil(fault) {
      now = { fault };
    },
    cut,
    close: () =>
      new Promise((resolve) => {
        cut();
        server.close(() => resolve());
      }),
  };
}
