import type { User } from './accounts';

export type UserState = 'active' | 'invited' | 'disabled';

/** `invited` = the one-time link has not been used yet. A user who signs in with an identity provider needs none. */
export const getUserState = ({ disabled, hasPassword, provider }: User): UserState =>
  disabled ? 'disabled' : hasPassword || provider !== null ? 'active' : 'invited';
