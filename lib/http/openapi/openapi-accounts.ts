import {
  Credentials,
  LinkCheck,
  LinkUse,
  PasswordAgain,
  PasswordChange,
  UserInput,
  UserUpdate,
} from '@/lib/model/accounts/accounts';
import { ApiTokenInput } from '@/lib/model/accounts/api-tokens';
import { BeginProviderSignIn, CallbackQuery } from '@/lib/model/accounts/oidc';
import { TeamInput, TeamUpdate } from '@/lib/model/accounts/teams';
import { FileQuery, TeamsQuery, UsersQuery } from '@/lib/model/reports/file-query';
import type { Operation } from './openapi-operation';

/** Who may come in: signing in and out, one's own account, the accounts of others. */
export const ACCOUNT_ROUTES: Operation[] = [
  {
    method: 'get',
    path: '/api/session',
    summary: 'Who is signed in, with role and grants.',
    answer: 'user, singleUser, storeReadOnly',
  },
  {
    method: 'post',
    path: '/api/session',
    summary:
      'Sign in. The answer sets the cookie of the session; ten failed tries in a quarter of an hour are the limit.',
    answer: 'Nothing but the cookie.',
    status: 201,
    body: Credentials,
  },
  {
    method: 'delete',
    path: '/api/session',
    summary: 'Sign out.',
    answer:
      'location: where the browser goes to sign out at the identity provider too; null: nowhere. The cookie ends.',
  },
  {
    method: 'get',
    path: '/api/oidc',
    summary: 'Identity providers with which people may sign in; a file only for whoever is signed in.',
    answer: 'providers: id and label of each, or the file.',
    query: FileQuery,
  },
  {
    method: 'post',
    path: '/api/oidc/{id}',
    summary:
      'Begin to sign in at an identity provider; purpose confirm: show once more who you are, before acts on production.',
    answer: 'location: where the browser goes. A cookie binds the answer to this browser.',
    body: BeginProviderSignIn,
  },
  {
    method: 'get',
    path: '/api/oidc/{id}/callback',
    summary: 'Where an identity provider sends the browser back to, with state and code.',
    answer: 'A page that leads on, with the cookie of the session.',
    contentType: 'text/html',
    query: CallbackQuery,
  },
  {
    method: 'post',
    path: '/api/session/confirm',
    summary: 'Enter the password again: for five minutes changes to production instances are not refused.',
    answer: 'Nothing.',
    body: PasswordAgain,
  },
  {
    method: 'post',
    path: '/api/welcome/check',
    summary: 'Whom a one-time link is for.',
    answer: 'name; null: it makes the first administrator.',
    body: LinkCheck,
  },
  {
    method: 'post',
    path: '/api/welcome',
    summary: 'Set a password by a one-time link, and sign in.',
    answer: 'Nothing but the cookie.',
    status: 201,
    body: LinkUse,
  },
  {
    method: 'put',
    path: '/api/account/password',
    summary: 'Change your password. Every other session of yours ends.',
    answer: 'Nothing but a new cookie.',
    body: PasswordChange,
  },
  {
    method: 'get',
    path: '/api/account/sessions',
    summary: 'Your sessions, last used first.',
    answer: 'sessions, or the file.',
    query: FileQuery,
  },
  { method: 'delete', path: '/api/account/sessions/{id}', summary: 'End one of your sessions.', answer: 'id' },
  {
    method: 'get',
    path: '/api/tokens',
    summary: 'Your API tokens, last used when and from where; for administrators everybody’s. Not with a token.',
    answer: 'tokens, or the file.',
    query: FileQuery,
  },
  {
    method: 'post',
    path: '/api/tokens',
    summary: 'A new API token of yours, which never does more than you may. Not with a token.',
    answer: 'The token, and secret: its text, which is shown only here.',
    status: 201,
    body: ApiTokenInput,
  },
  {
    method: 'delete',
    path: '/api/tokens/{id}',
    summary: 'Revoke an API token of yours; as an administrator anybody’s. Not with a token.',
    answer: 'id',
  },
  {
    method: 'get',
    path: '/api/teams',
    summary: 'Teams by name, and which are yours; members and grants for administrators.',
    answer: 'teams, or the file.',
    query: TeamsQuery,
  },
  {
    method: 'post',
    path: '/api/teams',
    summary: 'A new team (administrators). It owns the prefixes whose owner is called like it.',
    answer: 'team',
    status: 201,
    body: TeamInput,
  },
  {
    method: 'patch',
    path: '/api/teams/{id}',
    summary: 'Members or grants of a team. Whose rights change signs in anew.',
    answer: 'team',
    body: TeamUpdate,
  },
  {
    method: 'delete',
    path: '/api/teams/{id}',
    summary: 'Remove a team. Its prefixes stay owned by its name.',
    answer: 'id',
  },
  {
    method: 'get',
    path: '/api/users',
    summary: 'Everybody with an account (administrators).',
    answer: 'users, or the file.',
    query: UsersQuery,
  },
  {
    method: 'post',
    path: '/api/users',
    summary: 'A new account (administrators).',
    answer: 'The user, and the one-time link by which the password is set.',
    status: 201,
    body: UserInput,
  },
  {
    method: 'patch',
    path: '/api/users/{id}',
    summary: 'Role, grants, or whether the account may be used. That person signs in anew.',
    answer: 'The user.',
    body: UserUpdate,
  },
  {
    method: 'post',
    path: '/api/users/{id}/reset',
    summary: 'For a lost password: the old one and all sessions end.',
    answer: 'The one-time link by which a new one is set.',
  },
  {
    method: 'delete',
    path: '/api/users/{id}/sessions',
    summary: 'Sign a person out everywhere.',
    answer: 'ended: how many sessions.',
  },
];
