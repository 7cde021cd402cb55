import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openApiDocument } from './openapi-document';
import { ROUTES } from './openapi-routes';

const app = new URL('../../../app', import.meta.url).pathname;

it('names exactly the routes and methods that exist', () => {
  const files = readdirSync(app, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('route.ts'));
  const served = files.flatMap((file) => {
    const path = `/${file.replace(/\/route\.ts$/, '').replace(/\[(\w+)\]/g, '{$1}')}`;
    const methods = readFileSync(join(app, file), 'utf8').matchAll(/export const (GET|POST|PATCH|PUT|DELETE) /g);
    return [...methods].map(([, method]) => `${method?.toLowerCase()} ${path}`);
  });
  expect(served.length).toBeGreaterThan(20);
  expect(ROUTES.map((route) => `${route.method} ${route.path}`).sort()).toEqual(served.sort());
});

it('is whole: every reference leads somewhere, and it is plain JSON', () => {
  const document = openApiDocument() as { components: { schemas: Record<string, unknown> } };
  const text = JSON.stringify(document);
  expect(JSON.parse(text)).toEqual(document);
  const references = [...text.matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(([, name]) => name as string);
  expect(references.length).toBeGreaterThan(10);
  for (const name of references) expect(document.components.schemas).toHaveProperty(name);
});

it('never describes a secret as something that comes back', () => {
  const { components } = openApiDocument() as { components: { schemas: Record<string, { properties: object }> } };
  expect(Object.keys(components.schemas.Instance!.properties)).not.toContain('secrets');
});
