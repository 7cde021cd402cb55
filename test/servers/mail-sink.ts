import { createServer, type Socket } from 'node:net';
import { createSecureContext, TLSSocket } from 'node:tls';

/** A mail server that takes mails and keeps them. It refuses recipients that begin with `refused`. */
export interface MailSink {
  port: number;
  mails: { to: string[]; text: string; encrypted: boolean }[];
  /** Commands that came before the connection was encrypted. */
  plain: string[];
  close(): Promise<void>;
}

/** `tls` null: it does not offer STARTTLS. */
export async function startMailSink(tls: { cert: string; key: string } | null): Promise<MailSink> {
  const sink: MailSink = { port: 0, mails: [], plain: [], close: async () => {} };
  const sockets = new Set<Socket>();
  const talk = (socket: Socket, encrypted: boolean) => {
    let to: string[] = [];
    let data: string[] | null = null;
    let rest = '';
    const say = (line: string) => socket.write(`${line}\r\n`);
    const take = (line: string) => {
      if (data !== null) {
        if (line !== '.') return void data.push(line);
        sink.mails.push({ to, text: data.join('\n'), encrypted });
        data = null;
        return say('250 kept');
      }
      if (!encrypted) sink.plain.push(line);
      const [verb = ''] = line.toUpperCase().split(/[ :]/);
      if (verb === 'EHLO') return say(tls && !encrypted ? '250-sink\r\n250 STARTTLS' : '250-sink\r\n250 AUTH PLAIN');
      if (verb === 'STARTTLS' && tls) {
        say('220 go on');
        socket.removeAllListeners('data');
        return talk(new TLSSocket(socket, { isServer: true, secureContext: createSecureContext(tls) }), true);
      }
      if (verb === 'STARTTLS') return say('502 not here');
      if (verb === 'AUTH') return say('235 welcome');
      if (verb === 'MAIL') to = [];
      if (verb === 'RCPT') {
        const address = /<(.*)>/.exec(line)?.[1] ?? '';
        if (address.startsWith('refused')) return say('550 no such mailbox');
        to.push(address);
      }
      if (verb === 'DATA') {
        data = [];
        return say('354 go on');
      }
      if (verb === 'QUIT') return void socket.end('221 bye\r\n');
      say('250 ok');
    };
    socket.on('error', () => {});
    socket.on('data', (piece) => {
      const lines = (rest + piece.toString('utf8')).split('\r\n');
      rest = lines.pop() ?? '';
      for (const line of lines) take(line);
    });
  };
  const server = createServer((socket) => {
    sockets.add(socket);
    talk(socket, false);
    socket.write('220 sink\r\n');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  sink.port = (server.address() as { port: number }).port;
  sink.close = () =>
    new Promise((resolve) => {
      for (const socket of sockets) socket.destroy();
      server.close(() => resolve());
    });
  return sink;
}
