import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { askApi } from '@/test/access/ask-api';
import { type Schema, withTypo } from '@/test/sample-json';
import { ROUTES } from './routes';

/** A typing error must not widen a request: no route acts or answers if it gets a field name that it does not know. */
const TYPO = 'prefxi';

const routes = ROUTES.map((route) => ({ ...route, name: `${route.method} ${route.path}` }));

/** Values that are valid for the parts of the paths. */
const parts: Record<string, string> = { id: 'x', k: 'YQ', report: 'overview', rule: 'N1', language: 'en' };
async function send(name: string, body: unknown, query = '') {
  const response = await askApi(name.replace(/\{(\w+)\}/g, (_, part) => parts[part]!) + query, { body });
  return { status: response.status, error: (await response.json()).error };
}
const refused = (field: string) => ({ status: 400, error: { code: 'bad_request', details: { field } } });
const toSchema = (shape: z.ZodType) => z.toJSONSchema(shape, { io: 'input', unrepresentable: 'any' }) as Schema;

/** Identity providers may add parameters, which the browser passes on to this route. */
const OF_OTHERS = 'GET /api/oidc/{id}/callback';
const ours = routes.filter(({ name }) => name !== OF_OTHERS);
describe.each(ours.map((one) => [one.name, one] as const))('%s', (name, { takes }) => {
  it('refuses an unknown parameter, alone and among known ones', async () => {
    expect(await send(name, {}, `?${TYPO}=tmp:`)).toMatchObject(refused(TYPO));
    const known = Object.keys(toSchema(takes.query).properties ?? {});
    const all = new URLSearchParams([...known.map((name) => [name, '1']), [TYPO, '1']]);
    expect(await send(name, {}, `?${all}`)).toMatchObject(refused(TYPO));
  });
});

const acting = routes.filter(({ method }) => method !== 'GET');
describe.each(acting.map((one) => [one.name, one] as const))('%s', (name, { takes }) => {
  it('refuses an unknown field in every object of its body', async () => {
    const bodies = withTypo(toSchema(takes.body), TYPO);
    expect(bodies.length).toBeGreaterThan(0);
    for (const { at, value } of bodies) {
      const { status, error } = await send(name, value);
      expect({ at, status, error }).toMatchObject({ at, ...refused(at) });
    }
  });
});

it('are told with the name that was probably meant, and without what was sent', async () => {
  const ask = (name: string, body: unknown, query = '') => send(name, body, query).then(({ error }) => error);
  const plan = {
    task: 'delete',
    instanceId: 'x',
    selection: { by: 'filter', snapshotId: 'x', filter: { prefxi: 'hunter2' } },
  };
  const meant = await ask('POST /api/deletions/plans', plan);
  expect(meant.message).toBe(
    'The body is not valid. selection.filter.prefxi: There is no such field. Did you mean prefix?',
  );
  expect(JSON.stringify(meant)).not.toContain('hunter2');
  expect(await ask('DELETE /api/panic', {}, '?instance=x')).toMatchObject({
    details: { field: 'instance', nearest: 'instanceId' },
  });
  expect(await ask('DELETE /api/panic', { instanceId: 'x' })).toMatchObject({ details: { field: 'instanceId' } });
  expect(await ask('POST /api/instances', { prodution: true })).toMatchObject({
    details: { field: 'prodution', nearest: 'production' },
  });
  expect(await ask('POST /api/jobs/{id}/pause', { speed: 'fast' })).toMatchObject({
    message: expect.stringContaining('None is expected here.'),
  });
});

it('what chooses the rows of a file is refused where the answer is none', async () => {
  const fields = ['table', 'only', 'area', 'sort', 'group'];
  for (const [path, query] of [
    ['/snapshots/{id}/reports/{report}', 'table=sizes'],
    ['/snapshots/{id}/reports/findings', 'only=mandatory'],
    ['/instances/{id}/audit', 'table=settings'],
    ['/instances/{id}/snapshots', 'sort=-keys'],
    ['/fleet', 'group=owner'],
    ['/jobs', 'sort=state'],
    ['/deletions', 'sort=-when'],
    ['/users', 'sort=last'],
    ['/teams', 'sort=-name'],
    ['/profiles', 'sort=usedBy'],
    ['/instances/{id}/leftovers', 'sort=-bytes'],
    ['/deletions/plans/{id}', 'sort=time'],
    ['/jobs/{id}', 'sort=-latency'],
  ] as const) {
    expect({ path, ...(await send(`GET /api${path}`, null, `?${query}`)) }).toMatchObject({
      path,
      status: 400,
      error: { code: 'bad_request', details: { field: fields.find((field) => query.startsWith(field)) } },
    });
  }
});
