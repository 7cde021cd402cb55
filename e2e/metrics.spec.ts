import { readdirSync } from 'node:fs';
import { expect, test } from './fixtures';

test('the production build brings all that its metrics need', async ({ shared }) => {
  const answer = await fetch(`${shared.stage.origin}/metrics`);
  expect(answer.status).toBe(200);
  expect(await answer.text()).toMatch(/^colonnade_instances [1-9]/m);
});

test('the production build holds neither our sources nor the data of whoever built it', () => {
  const held = readdirSync('.next/standalone');
  expect(held).toContain('server.js');
  for (const name of ['app', 'components', 'data', 'lib', 'test']) expect(held).not.toContain(name);
});
