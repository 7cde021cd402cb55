import type { Instance } from './instance';

/** The marks that protect the keys of an instance; each can only forbid. */
type ProtectionMarks = NonNullable<Instance['marks']>;

/**
 * Returns the marks of an instance: its own settings, unless other instances are stricter. This file has no schemas, so
 * pages can load it.
 */
export const getProtectionMarks = (instance: Instance): ProtectionMarks => instance.marks ?? instance;

export const combineMarks = (...all: ProtectionMarks[]): ProtectionMarks => ({
  readOnly: all.some(({ readOnly }) => readOnly),
  production: all.some(({ production }) => production),
  secondPerson: all.some(({ secondPerson }) => secondPerson),
  valuesForbidden: all.some(({ valuesForbidden }) => valuesForbidden),
});
