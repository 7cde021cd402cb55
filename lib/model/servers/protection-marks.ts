import type { Instance } from './instance';

/** What protects the keys of an instance; each only ever forbids. */
export type ProtectionMarks = NonNullable<Instance['marks']>;

/** What was set for it, unless other instances say more. This file holds no schemas, for pages. */
export const marksOf = (instance: Instance): ProtectionMarks => instance.marks ?? instance;

export const strictest = (...all: ProtectionMarks[]): ProtectionMarks => ({
  readOnly: all.some(({ readOnly }) => readOnly),
  production: all.some(({ production }) => production),
  secondPerson: all.some(({ secondPerson }) => secondPerson),
  valuesForbidden: all.some(({ valuesForbidden }) => valuesForbidden),
});
