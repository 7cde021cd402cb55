/** Receivers of alerts that check what the real ones check: signature, size and rate. */

import { createHmac } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

export interface Received {
  path: string;
  query: URLSearchParams;
  headers: IncomingMessage['headers'];
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: the body is whatever was sent.
  body: any;
}

interface Stand {
  origin: string;
  /** What was accepted, in order. */
  accepted: Received[];
  /** Paths of all requests. */
  asked: string[];
  /** While set, every request is answered with this status. */
  down: number | null;
  close(): Promise<void>;
}

export const SECRET = 'SEC000test';
export const WEBHOOK_SECRET = `whsec_${Buffer.from('0123456789abcdef0123456789abcdef').toString('base64')}`;

const answerRobot = (code: number, text = 'ok') => ({ status: 200, body: { errcode: code, errmsg: text } });

type Answer = { status: number; body?: unknown; headers?: Record<string, string> };
type Judge = (received: Received, recent: number) => Answer;

/** By the first part of the path. `recent`: requests of the last minute that were not refused. */
const JUDGES: Record<string, Judge> = {
  dingtalk({ query, text, body }, recent) {
    const timestamp = query.get('timestamp') ?? '';
    const expected = createHmac('sha256', SECRET).update(`${timestamp}\n${SECRET}`).digest('base64');
    if (query.get('access_token') !== 'token') return answerRobot(300005, 'token is not exist');
    if (query.get('sign') !== expected) return answerRobot(310000, 'sign not match');
    if (Math.abs(Date.now() - Number(timestamp)) > HOUR_MS) return answerRobot(310000, 'invalid timestamp');
    if (Buffer.byteLength(text) > 20_000) return answerRobot(460101, 'message too long');
    if (recent >= 20) return answerRobot(130101, 'send too fast');
    if (body.msgtype !== 'markdown' || !body.markdown.title) return answerRobot(40035, 'invalid message');
    return answerRobot(0);
  },
  feishu({ text, body }, recent) {
    const expected = createHmac('sha256', `${body.timestamp}\n${SECRET}`).update('').digest('base64');
    const refuse = (code: number, msg: string) => ({ status: 200, body: { code, msg } });
    if (typeof body.timestamp !== 'string' || body.sign !== expected) return refuse(19021, 'sign match fail');
    if (Math.abs(Date.now() / 1000 - Number(body.timestamp)) > HOUR_MS / 1000) return refuse(19021, 'timestamp');
    if (Buffer.byteLength(text) > 20 * 1024) return refuse(19036, 'too long');
    if (recent >= 100) return refuse(11232, 'frequency limited');
    if (body.msg_type !== 'interactive' || !body.card?.header?.title?.content) return refuse(9499, 'Bad Request');
    return { status: 200, body: { StatusCode: 0, StatusMessage: 'success' } };
  },
  wecom({ query, body }, recent) {
    if (query.get('key') !== 'key') return answerRobot(93000, 'invalid webhook url');
    if (Buffer.byteLength(body.markdown.content) > 4096) return answerRobot(40058, 'content exceed max length');
    if (recent >= 20) return answerRobot(45009, 'api freq out of limit');
    return answerRobot(0);
  },
  slack({ body }) {
    if (body.text.length > 3500) return { status: 400, body: 'too_long' };
    return { status: 200, body: 'ok' };
  },
  webhook({ headers, text }) {
    const id = headers['webhook-id'];
    const at = Number(headers['webhook-timestamp']);
    const key = Buffer.from(WEBHOOK_SECRET.slice(6), 'base64');
    const expected = `v1,${createHmac('sha256', key).update(`${id}.${at}.${text}`).digest('base64')}`;
    const isSigned = String(headers['webhook-signature']).split(' ').includes(expected);
    return { status: isSigned && Math.abs(Date.now() / 1000 - at) < 300 ? 204 : 401 };
  },
  alertmanager({ path, body }) {
    const labels: Record<string, string>[] = body.map((one: { labels: Record<string, string> }) => one.labels);
    const names = labels.flatMap((one) => Object.keys(one));
    const isValid = path === '/alertmanager/api/v2/alerts' && names.every((name) => /^[a-zA-Z_]\w*$/.test(name));
    return { status: isValid ? 200 : 400 };
  },
  redirect: () => ({ status: 302, headers: { location: '/webhook' } }),
};

const readAll = async (request: IncomingMessage): Promise<string> => {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  return Buffer.concat(pieces).toString('utf8');
};

export async function startReceivers(): Promise<Stand> {
  const times = new Map<string, number[]>();
  const stand: Stand = { origin: '', accepted: [], asked: [], down: null, close: async () => {} };
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const url = new URL(request.url ?? '/', 'http://stand');
    const text = await readAll(request);
    stand.asked.push(url.pathname);
    const kind = url.pathname.split('/')[1] ?? '';
    if (kind === 'hang') return;
    if (kind === 'huge') return void sendForEver(response);
    const judge = JUDGES[kind];
    if (stand.down !== null || !judge) return void response.writeHead(stand.down ?? 404).end(`echo ${url.search}`);
    const received = {
      path: url.pathname,
      query: url.searchParams,
      headers: request.headers,
      text,
      body: JSON.parse(text),
    };
    const recent = (times.get(kind) ?? []).filter((at) => at > Date.now() - MINUTE_MS);
    const { status, body, headers } = judge(received, recent.length);
    const isGood =
      status < 300 && !(Number((body as Record<string, number>)?.errcode ?? 0) || (body as { code?: number })?.code);
    if (isGood) stand.accepted.push(received);
    times.set(kind, [...recent, ...(isGood ? [Date.now()] : [])]);
    response
      .writeHead(status, headers)
      .end(body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body));
  };
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  stand.origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  stand.close = () =>
    new Promise((resolve) => {
      server.closeAllConnections();
      server.close(() => resolve());
    });
  return stand;
}

/** Answers with 1 GiB, as fast as it is read. */
function sendForEver(response: ServerResponse): void {
  const piece = Buffer.alloc(64 * 1024, 'x');
  let left = 16 * 1024;
  response.writeHead(200);
  const send = () => {
    while (left-- > 0 && !response.destroyed) if (!response.write(piece)) return void response.once('drain', send);
    response.end();
  };
  response.on('error', () => {});
  send();
}
