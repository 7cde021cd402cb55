import { expect, it } from 'vitest';
import { buildOpenApiDocument } from '@/lib/http/openapi-document';
import { ROUTES } from './routes';

type Document = {
  paths: Record<string, Record<string, { summary: string; requestBody?: object; parameters: { name: string }[] }>>;
  components: { schemas: Record<string, { properties: object }> };
};
const document = buildOpenApiDocument(ROUTES) as Document;

it('names every route by path and method, itself too', () => {
  const named = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
  expect(named.toSorted()).toEqual(ROUTES.map(({ method, path }) => `${method} ${path}`).toSorted());
  expect(named).toContain('GET /api/openapi.json');
});

it('says which values a part of a path may have', () => {
  const [id, report] = document.paths['/api/snapshots/{id}/reports/{report}']!.get!.parameters;
  expect(id).toMatchObject({ name: 'id', in: 'path', schema: { type: 'string' } });
  expect(report).toMatchObject({ name: 'report', schema: { enum: expect.arrayContaining(['overview']) } });
});

it('says of every method what it does and takes', () => {
  const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
  expect(operations.length).toBeGreaterThan(100);
  expect(operations.filter(({ summary }) => !/^\S.*\.$/.test(summary))).toEqual([]);
  const { get, post } = document.paths['/api/instances']!;
  expect(get).not.toHaveProperty('requestBody');
  expect(post!.requestBody).toMatchObject({
    content: { 'application/json': { schema: { $ref: '#/components/schemas/InstanceInput' } } },
  });
  const names = document.paths['/api/snapshots/{id}/keys']!.get!.parameters.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(['id', 'prefix', 'format']));
});

it('is whole: every reference leads somewhere, and it is plain JSON', () => {
  const text = JSON.stringify(document);
  expect(JSON.parse(text)).toEqual(document);
  const references = [...text.matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(([, name]) => name as string);
  expect(references.length).toBeGreaterThan(10);
  for (const name of references) expect(document.components.schemas).toHaveProperty(name);
});

it('never describes a secret as something that comes back', () => {
  expect(Object.keys(document.components.schemas.Instance!.properties)).not.toContain('secrets');
});
