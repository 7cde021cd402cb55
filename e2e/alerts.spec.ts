import { SECRET, startReceivers } from '../test/servers/alert-receivers';
import { startRedis } from '../test/servers/redis';
import { seedMixed } from '../test/servers/seed';
import { expect, registerAndScan, test } from './fixtures';
import { isAccessible } from './is-accessible';
import { judgeOpened } from './opened';
import { settled } from './settled';
import { Stage } from './stage';

test('a channel is added and tested, a threshold fires, is acknowledged and silenced', async ({ page }) => {
  const redis = await startRedis();
  await seedMixed(redis.client(), 50);
  const receivers = await startReceivers();
  const stage = await Stage.open({ COLONNADE_NOTIFY: '127.0.0.1' });
  try {
    await page.goto(`${stage.origin}/channels`);
    await settled(page);
    await page.getByRole('button', { name: 'Add channel' }).click();
    const adding = page.getByRole('dialog', { name: 'Add channel' });
    await adding.getByLabel('Name').fill('on call');
    await adding.getByLabel('Address').fill(`${receivers.origin}/dingtalk/robot/send?access_token=token`);
    await adding.getByLabel('Secret').fill('wrong');
    await expect(page.getByRole('dialog')).toBeVisible();
    await judgeOpened(page, { name: 'adding a channel', of: 'channels/channel-dialog' });
    await adding.getByRole('button', { name: 'Save' }).click();
    const channel = page.getByRole('row', { name: /on call/ });
    await expect(channel).toContainText('…oken');
    await channel.getByRole('button', { name: 'Send a test message to on call' }).click();
    // The robot answers HTTP 200 and refuses.
    await expect(page.getByRole('row', { name: /Test message/ })).toContainText('310000: sign not match');
    await channel.getByRole('button', { name: 'Edit the channel on call' }).click();
    await page.getByRole('dialog').getByLabel('Secret').fill(SECRET);
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await channel.getByRole('button', { name: 'Send a test message to on call' }).click();
    await expect(page.getByRole('row', { name: /Test message/ }).first()).toContainText('Sent');
    expect(receivers.accepted.length).toBe(1);
    await settled(page);
    await isAccessible(page, 'channels');

    await page.goto(`${stage.origin}/alerts?show=rules`);
    await settled(page);
    await page.getByRole('button', { name: 'Add rule' }).click();
    const rule = page.getByRole('dialog', { name: 'Add rule' });
    await rule.getByLabel('Name').fill('many bigkeys');
    await rule.getByLabel('Measure').click();
    await page.getByRole('option', { name: 'Keys', exact: true }).click();
    await rule.getByLabel('Limit').fill('10');
    await expect(page.getByRole('dialog')).toBeVisible();
    await judgeOpened(page, { name: 'adding a rule of alerts', of: 'alerts/rule-dialog' });
    await rule.getByRole('button', { name: 'Save' }).click();
    await expect(page.getByRole('row', { name: /many bigkeys/ })).toContainText('Keys: more than 10');
    const endpoints = [{ host: '127.0.0.1', port: redis.port }];
    await registerAndScan(stage, { name: 'mall', topology: 'standalone', endpoints });
    await page.getByRole('radio', { name: 'Firing' }).click();
    const alert = page.getByRole('row', { name: /The number of keys is/ });
    await expect(alert).toContainText('mall');
    await settled(page);
    await isAccessible(page, 'an alert');
    await alert.getByRole('button', { name: /^Acknowledge/ }).click();
    await expect(alert).toContainText('Acknowledged by');
    await alert.getByRole('button', { name: /^Silence/ }).click();
    await expect(page.getByRole('dialog')).toBeVisible();
    await judgeOpened(page, { name: 'silencing an alert', of: 'alerts/silence-dialog' });
    await page.getByRole('dialog').getByLabel('Reason').fill('known');
    await page.getByRole('dialog').getByRole('button', { name: 'Silence' }).click();
    await expect(alert).toContainText('Silenced');
    // The instance was registered after the page had read the names of instances.
    await page.reload();
    await settled(page);
    await page.getByRole('radio', { name: 'Silences' }).click();
    await expect(page.getByRole('row', { name: /many bigkeys · mall/ })).toContainText('known');
    await page.getByRole('button', { name: 'End now' }).click();
    await expect(page.getByText('Nothing is silenced')).toBeVisible();
    await page.getByRole('radio', { name: 'Rules' }).click();
    await page.getByRole('button', { name: 'Remove the rule many bigkeys' }).click();
    await expect(page.getByRole('dialog')).toBeVisible();
    await judgeOpened(page, { name: 'removal of a rule of alerts', of: 'alerts/rule-list' });
    await page.getByRole('dialog').getByRole('button', { name: 'Remove rule' }).click();
    await page.getByRole('radio', { name: 'History' }).click();
    await expect(page.getByRole('row', { name: /The number of keys is/ })).toBeVisible();

    await page.goto(`${stage.origin}/channels`);
    await page.getByRole('button', { name: 'Remove the channel on call' }).click();
    await expect(page.getByRole('dialog')).toBeVisible();
    await judgeOpened(page, { name: 'removal of a channel', of: 'channels/channel-table' });
    await page.getByRole('dialog').getByRole('button', { name: 'Remove channel' }).click();
    await expect(page.getByText('No channels yet')).toBeVisible();
  } finally {
    await stage.close();
    await receivers.close();
    await redis.stop();
  }
});
