import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { buildOpenApiDocument } from '@/lib/http/openapi-document';
import { ALL_ROUTES } from '@/test/access/all-routes';

const app = join(import.meta.dirname, '..');
type Document = {
  paths: Record<string, Record<string, { summary: string; requestBody?: object; parameters: { name: string }[] }>>;
  components: { schemas: Record<string, { properties: object }> };
};
const document = buildOpenApiDocument(ALL_ROUTES) as Document;

it('names exactly the routes that the folders have', () => {
  const files = readdirSync(app, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('route.ts'));
  const paths = files.map((file) => `/${file.replace(/\/route\.ts$/, '').replace(/\[(\w+)\]/g, '{$1}')}`);
  expect(paths.length).toBeGreaterThan(70);
  expect(Object.keys(document.paths).sort()).toEqual(paths.sort());
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
