import { expect, test } from './fixtures';
import { isAccessible } from './is-accessible';
import { judgeOpened } from './opened';
import { settled } from './settled';
import { Stage } from './stage';

test('a schedule is added, says when it is due, is switched off and removed', async ({ page, tolerate }) => {
  // A cron text that is never due is refused.
  tolerate(/status of 400/);
  const stage = await Stage.open();
  try {
    const endpoints = [{ host: '127.0.0.1', port: 1 }];
    await stage.ask('POST', '/api/instances', { name: 'warehouse', topology: 'standalone', endpoints });
    await page.goto(`${stage.origin}/schedules`);
    await settled(page);
    await page.getByRole('button', { name: 'Add schedule' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add schedule' });
    await dialog.getByLabel('Name').fill('weekly');
    await expect(dialog.getByText('Every day at 03:10')).toBeVisible();
    await dialog.getByRole('radio', { name: 'Cron' }).click();
    await dialog.getByLabel('Cron text').fill('0 3 31 2 *');
    await expect(dialog.getByText('This is never due: there is no such day.')).toBeVisible();
    await dialog.getByLabel('Cron text').fill('30 4 * * 1,3');
    await expect(dialog.getByText('Every Monday and Wednesday at 04:30')).toBeVisible();
    await expect(dialog.getByText(/^Next: .+ · .+ · /)).toBeVisible();
    await dialog.getByText('Windows, spread and scan options').click();
    await dialog.getByRole('button', { name: 'Add window' }).click();
    await dialog.getByRole('button', { name: 'Add blackout' }).click();
    await judgeOpened(page, { name: 'adding a schedule', of: 'schedules/schedule-dialog' });
    await dialog.getByLabel('warehouse').check();
    await dialog.getByRole('button', { name: 'Save schedule' }).click();
    const row = page.getByRole('row', { name: /weekly/ });
    await expect(row).toContainText('Every Monday and Wednesday at 04:30');
    await expect(row).toContainText('warehouse');
    await settled(page);
    await isAccessible(page, 'a schedule');
    await row.getByRole('switch', { name: 'Run weekly' }).click();
    await expect(row).toContainText('Off');
    await row.getByRole('button', { name: 'Remove weekly' }).click();
    await judgeOpened(page, { name: 'removal of a schedule', of: 'schedules/schedule-table' });
    await page.getByRole('button', { name: 'Remove schedule' }).click();
    await expect(page.getByText('No schedules yet')).toBeVisible();
  } finally {
    await stage.close();
  }
});
