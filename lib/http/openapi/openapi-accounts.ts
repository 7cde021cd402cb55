import {
  Credentials,
  LinkCheck,
  LinkUse,
  PasswordAgain,
  PasswordChange,
  UserInput,
  UserUpdate,
} from '@/lib/model/accounts';
import { ApiTokenInput } from '@/lib/model/api-tokens';
import type { Operation } from './openapi-operation';

/** Who may come in: signing in and out, one's own account, the accounts of others. */
export const ACCOUNT_ROUTES: Operation[] = [
  {
    method: 'get',
    path: '/api/session',
    summary: 'Who is signed in, with role and grants.',
    answer: 'user, singleUser',
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
  { method: 'delete', path: '/api/session', summary: 'Sign out.', answer: 'Nothing; the cookie ends.' },
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
  { method: 'get', path: '/api/account/sessions', summary: 'Your sessions, last used first.', answer: 'sessions' },
  { method: 'delete', path: '/api/account/sessions/{id}', summary: 'End one of your sessions.', answer: 'id' },
  {
    method: 'get',
    path: '/api/tokens',
    summary: 'Your API tokens, last used when and from where; for administrators everybody’s. Not with a token.',
    answer: 'tokens',
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
  { method: 'get', path: '/api/users', summary: 'Everybody with an account (administrators).', answer: 'users' },
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
