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
