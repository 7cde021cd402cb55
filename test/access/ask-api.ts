import { ROUTE_TABLE } from '@/app/api/routes';
import { answerRequest } from '@/lib/http/answer-request';

export const HOST = '127.0.0.1:3000';
/** The headers of a page of this server. */
export const OWN_HEADERS = {
  host: HOST,
  origin: `http://${HOST}`,
  'content-type': 'application/json',
  'x-colonnade': '1',
};

interface Asked {
  /** A text is sent as it is, everything else as JSON. */
  body?: unknown;
  headers?: Record<string, string>;
  signal?: AbortSignal | undefined;
}

/** Answers a request as the server does after its request filter. `name`: such as `GET /api/jobs?active=1`. */
export function askApi(name: string, { body = {}, headers = OWN_HEADERS, signal }: Asked = {}): Promise<Response> {
  const [method, address] = name.split(' ') as [string, string];
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const request = new Request(`http://${HOST}${address}`, {
    method,
    body: /^(GET|HEAD|OPTIONS)$/.test(method) ? null : text,
    ...(signal && { signal }),
  });
  // The constructor drops names that browsers forbid, such as Host; the requests of a server have them.
  Object.defineProperty(request, 'headers', { value: new Headers(headers) });
  return answerRequest(ROUTE_TABLE, request);
}
