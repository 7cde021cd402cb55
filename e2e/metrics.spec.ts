import { readdirSync } from 'node:fs';
import { expect, test } from './fixtures';
import { Stage } from './stage';

test('the production build brings all that its metrics need', async () => {
  const stage = await Stage.open();
  try {
    const answer = await fetch(`${stage.origin}/metrics`);
    expect(answer.status).toBe(200);
    expect(await answer.text()).toContain('colonnade_instances 0');
  } finally {
    await stage.close();
  }
});

test('the production build holds neither our sources nor the data of whoever built it', () => {
  const held = readdirSync('.next/standalone');
  expect(held).toContain('server.js');
  for (const name of ['app', 'components', 'data', 'lib', 'test']) expect(held).not.toContain(name);
});
