import { connect } from 'node:net';

/**
 * Connects as a replica, stores nothing, and counts the bytes that the master sends. It acknowledges them, so that
 * commands that wait for replicas continue.
 */
export function countReplication(port: number): Promise<{ bytes(): number; stop(): void }> {
  const socket = connect({ port, host: '127.0.0.1' });
  let header = '';
  let rdbLeft: number | null = null;
  let offset = 0;
  let bytes = 0;
  let ready: () => void = () => {};
  const streaming = new Promise<void>((resolve) => {
    ready = resolve;
  });
  const ack = () => {
    const text = String(offset);
    socket.write(`*3\r\n$8\r\nREPLCONF\r\n$3\r\nACK\r\n$${text.length}\r\n${text}\r\n`);
  };
  socket.on('data', (data) => {
    let chunk = data;
    if (rdbLeft === null) {
      header += chunk.toString('latin1');
      const found = /\+FULLRESYNC \S+ (\d+)\r\n\n*\$(\d+)\r\n/.exec(header);
      if (!found) return;
      offset = Number(found[1]);
      rdbLeft = Number(found[2]);
      chunk = Buffer.from(header.slice(found.index + found[0].length), 'latin1');
    }
    if (rdbLeft > 0) {
      const skipped = Math.min(rdbLeft, chunk.length);
      rdbLeft -= skipped;
      chunk = chunk.subarray(skipped);
      if (rdbLeft > 0) return;
      ready();
    }
    bytes += chunk.length;
    offset += chunk.length;
  });
  socket.write('PSYNC ? -1\r\n');
  const timer = setInterval(ack, 20);
  return streaming.then(() => ({
    bytes: () => bytes,
    stop() {
      clearInterval(timer);
      socket.destroy();
    },
  }));
}
