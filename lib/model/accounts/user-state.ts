import type { User } from './accounts';

export type UserState = 'active' | 'invited' | 'disabled';

/** Invited: the one-time link has not been used yet. Whoever signs in with an identity provider needs none. */
export const userState = ({ disabled, hasPassword, provider }: User): UserState =>
  disabled ? 'disabled' : hasPassword || provider !== null ? 'active' : 'invited';
