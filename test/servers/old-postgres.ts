import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';

const message = (type: string, body: Buffer | string = '') => {
  const bytes = Buffer.from(body);
  const head = Buffer.alloc(5);
  head.write(type);
  head.writeInt32BE(bytes.length + 4, 1);
  return Buffer.concat([head, bytes]);
};
const READY = message('Z', 'I');
/** The message AuthenticationOk. */
const WELCOME = message('R', Buffer.alloc(4));

/** A reply with one row of one text column. */
function row(value: string): Buffer {
  const name = Buffer.from('server_version_num\0');
  const field = Buffer.alloc(18);
  field.writeInt32BE(25, 6);
  field.writeInt16BE(-1, 10);
  const size = Buffer.alloc(4);
  size.writeInt32BE(value.length);
  const one = Buffer.from([0, 1]);
  return Buffer.concat([
    message('T', Buffer.concat([one, name, field])),
    message('D', Buffer.concat([one, size, Buffer.from(value)])),
    message('C', 'SHOW\0'),
    READY,
  ]);
}

/**
 * Accepts every login and answers every query with its version: that is enough for clients that check the version and
 * refuse it.
 */
export async function startOldPostgres(version: number): Promise<{ port: number; stop(): void }> {
  const server = createServer((socket) => {
    let greeted = false;
    socket.on('error', () => {});
    socket.on('data', (data) => {
      if (!greeted) socket.write(Buffer.concat([WELCOME, READY]));
      else if (data[0] === 0x51) socket.write(row(String(version)));
      greeted = true;
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { port: (server.address() as AddressInfo).port, stop: () => void server.close() };
}
