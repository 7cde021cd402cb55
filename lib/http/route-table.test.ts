import { expect, it } from 'vitest';
import { answerRequest } from './answer-request';
import { handle } from './handle';
import { buildRouteTable } from './route-table';

const HOST = '127.0.0.1:3000';
const OWN = { host: HOST, origin: `http://${HOST}`, 'content-type': 'application/json', 'x-colonnade': '1' };
const DESCRIBED = { summary: 'A route of the test.', answer: 'Which route it is, and what was in the path.' };
const table = buildRouteTable([
  handle('GET /api/jobs', { ...DESCRIBED, act: () => ({ route: 'jobs' }) }),
  handle('POST /api/jobs', { ...DESCRIBED, act: () => ({ route: 'add' }) }),
  handle('GET /api/jobs/events', { ...DESCRIBED, act: () => ({ route: 'events' }) }),
  handle('GET /api/jobs/{id}', { ...DESCRIBED, act: ({ id }) => ({ route: 'job', id }) }),
  handle('DELETE /api/jobs/{id}', { ...DESCRIBED, act: ({ id }) => ({ route: 'remove', id }) }),
  handle('POST /api/jobs/{id}/pause', { ...DESCRIBED, act: ({ id }) => ({ route: 'pause', id }) }),
  handle('GET /api/instances/{id}/keys/{k}', { ...DESCRIBED, act: ({ id, k }) => ({ route: 'key', id, k }) }),
]);

async function ask(method: string, address: string) {
  const body = ['POST', 'PUT', 'PATCH', 'DELETE'].includes(method) ? '{}' : null;
  const request = new Request(`http://${HOST}${address}`, { method, body });
  Object.defineProperty(request, 'headers', { value: new Headers(OWN) });
  const response = await answerRequest(table, request);
  const text = await response.text();
  return { status: response.status, allow: response.headers.get('allow'), body: text === '' ? null : JSON.parse(text) };
}

it.each([
  ['GET /api/jobs', { route: 'jobs' }],
  ['GET /api/jobs/', { route: 'jobs' }],
  ['GET /api/./jobs', { route: 'jobs' }],
  ['POST /api/jobs', { route: 'add' }],
  ['GET /api/jobs/a', { route: 'job', id: 'a' }],
  ['DELETE /api/jobs/a', { route: 'remove', id: 'a' }],
  // A literal segment comes first,
  ['GET /api/jobs/events', { route: 'events' }],
  // but does not hide the routes below the part in braces, nor is it meant by another spelling.
  ['POST /api/jobs/events/pause', { route: 'pause', id: 'events' }],
  ['GET /api/jobs/%65vents', { route: 'job', id: 'events' }],
  ['GET /api/jobs/__proto__', { route: 'job', id: '__proto__' }],
  ['GET /api/instances/a/keys/b%2Fc', { route: 'key', id: 'a', k: 'b/c' }],
  ['GET /api/instances/a/keys/%C3%A9', { route: 'key', id: 'a', k: 'é' }],
  ['GET /api/instances/a/keys/%252F', { route: 'key', id: 'a', k: '%2F' }],
  ['GET /api/instances/a/keys/a+b', { route: 'key', id: 'a', k: 'a+b' }],
])('%s finds its route', async (name, body) => {
  const [method, address] = name.split(' ') as [string, string];
  expect(await ask(method, address)).toEqual({ status: 200, allow: null, body });
});

it.each([
  ...['/api', '/api/nothing', '/api/jobs/a/b', '/api/jobs//pause', '/api//jobs', '/api/Jobs', '/%61pi/jobs'],
  ...['/api/jobs%2Fa', '/api/jobs/a%2Fpause', '/api/jobs/%E0%A4%A', '/api/jobs/%00', '/api/jobs/{id}'],
  ...['/api/constructor', '/api/__proto__', '/api/jobs/x/toString', `/api${'/x'.repeat(20_000)}`],
])('%.40s is no address', async (address) => {
  for (const method of ['GET', 'HEAD']) {
    const { status, allow, body } = await ask(method, address);
    expect({ status, allow, code: body.error.code }).toEqual({ status: 404, allow: null, code: 'not_found' });
  }
});

it.each([
  ['PUT', '/api/jobs', 'GET, HEAD, OPTIONS, POST'],
  ['PATCH', '/api/jobs/a', 'DELETE, GET, HEAD, OPTIONS'],
  ['GET', '/api/jobs/a/pause', 'OPTIONS, POST'],
  ['HEAD', '/api/jobs/a/pause', 'OPTIONS, POST'],
  ['POST', '/api/jobs/events', 'GET, HEAD, OPTIONS'],
])('%s %s is no method of it, and the answer says which are', async (method, address, allow) => {
  const answer = await ask(method, address);
  expect(answer).toMatchObject({ status: 405, allow, body: { error: { code: 'bad_request', details: { method } } } });
  expect(await ask('OPTIONS', address)).toEqual({ status: 204, allow, body: null });
});

it('HEAD is answered by the route of GET', async () => {
  expect((await ask('HEAD', '/api/jobs/events')).status).toBe(200);
});

it('refuses two routes of one name, and a part without a shape', () => {
  const twice = () => handle('GET /api/jobs', { ...DESCRIBED, act: () => ({}) });
  expect(() => buildRouteTable([twice(), twice()])).toThrow('GET /api/jobs is there twice.');
  expect(() => handle('GET /api/jobs/{name}', { ...DESCRIBED, act: () => ({}) })).toThrow('{name}');
});
