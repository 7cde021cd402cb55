import { join } from 'node:path';
import type { Page } from '@playwright/test';
import Database from 'better-sqlite3';
import { expect, test } from './fixtures';
import { choose, judgeOpen, judgeOpened, press } from './opened';
import { PASSWORD, person, readCookie } from './people';
import { settled } from './settled';
import { Stage } from './stage';

/** Menus and dialogs of accounts, which do not exist without sign-in. */
test.describe
  .serial('axe finds nothing in what opens', () => {
    let stage: Stage;
    let ada: Page;
    const at = (place: string) => stage.origin + place;

    test.describe.configure({ timeout: 240_000 });
    test.beforeAll(async ({ browser }) => {
      stage = await Stage.open({ COLONNADE_SINGLE_USER: '' });
      ada = await person(browser, /http:\S+\/welcome#\S+/.exec(stage.output)?.[0] ?? '', 'ada');
      stage.cookie = await readCookie(ada);
      await stage.ask('POST', '/api/users', { name: 'vera', role: 'viewer' });
      await stage.ask('POST', '/api/teams', { name: 'Carts', members: [], grants: [] });
    });
    test.afterAll(async () => {
      await ada?.context().close();
      await stage.close();
    });

    test('of users and teams', async () => {
      const actions = 'Actions for vera';
      await judgeOpen(ada, at('/users'), { name: 'of a user', of: 'users/user-actions', open: press(actions) });
      for (const opening of [
        { name: 'role of a user', of: 'users/user-dialog', open: choose(actions, 'Role and grants') },
        { name: 'end of sessions', of: 'users/user-actions', open: choose(actions, 'End all sessions') },
        { name: 'new user', of: 'users/user-dialog', open: press('Add user') },
        { name: 'new team', of: 'users/team-dialog', open: press('Add team') },
        { name: 'a team', of: 'users/team-dialog', open: press('Edit the team Carts') },
        { name: 'removal of a team', of: 'users/teams-card', open: press('Remove the team Carts') },
      ])
        await judgeOpen(ada, at('/users'), opening);
    });

    test('of the password asked for again, and of the link that is made then', async () => {
      await ada.goto(at('/users'));
      await settled(ada);
      // Makes the sign-in of ada look too old for a confirmation.
      const file = new Database(join(stage.folder, 'colonnade.db'));
      file.exec('update sessions set confirmed_at = 1');
      file.close();
      await press('Add user')(ada);
      await ada.getByRole('dialog').getByLabel('Name', { exact: true }).fill('otto');
      await press('Create link')(ada);
      const again = ada.getByRole('dialog', { name: 'Password needed' });
      await expect(again).toBeVisible();
      await judgeOpened(ada, { name: 'password again', of: 'layout/fresh-sign-in/fresh-sign-in-dialog' });
      await again.getByLabel('Password').fill(PASSWORD);
      await ada.keyboard.press('Enter');
      await expect(ada.getByRole('dialog', { name: 'One-time link for otto' })).toBeVisible();
      await judgeOpened(ada, { name: 'one-time link', of: 'users/users-page' });
    });

    test('of tokens', async () => {
      await judgeOpen(ada, at('/account'), { name: 'token', of: 'account/token-dialog', open: press('Create token') });
      await ada.getByRole('dialog').getByLabel('Name', { exact: true }).fill('ci');
      await ada.getByRole('dialog').getByRole('button', { name: 'Create token' }).click();
      await expect(ada.getByRole('dialog', { name: 'Token ci' })).toBeVisible();
      await judgeOpened(ada, { name: 'secret of a token', of: 'account/tokens-card' });
      await judgeOpen(ada, at('/account'), {
        name: 'revoking a token',
        of: 'account/tokens-card',
        open: press('Revoke the token ci'),
      });
    });
  });
