/** What a value may look like that nobody should be able to read in passing. The order in which pages tell them. */
export const SENSITIVE_KINDS = ['password', 'privateKey', 'token', 'idCard', 'bankCard', 'mobile', 'email'] as const;
export type SensitiveKind = (typeof SENSITIVE_KINDS)[number];

/**
 * Small strings that a scan was asked to look into. Which names, and what their values looked like; never the values.
 * A string that could not be read is not among them.
 */
export interface ValueSamples {
  /** Strings chosen; the difference to `looked` vanished meanwhile, changed their type, moved, or could not be read. */
  chosen: number;
  /** The server refused to let this user read values (NOPERM on GETRANGE). */
  denied: boolean;
  looked: SampledValue[];
}

export interface SampledValue {
  /** Display form that is exact (lib/model/display-name). */
  name: string;
  /** MEMORY USAGE, null = unknown. */
  bytes: number | null;
  /** Empty: nothing of the kind. */
  kinds: SensitiveKind[];
}
