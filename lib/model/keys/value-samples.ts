/** Kinds of sensitive data that a value may contain, in the order in which pages show them. */
export const SENSITIVE_KINDS = ['password', 'privateKey', 'token', 'idCard', 'bankCard', 'mobile', 'email'] as const;
export type SensitiveKind = (typeof SENSITIVE_KINDS)[number];

/**
 * The result of sampling small strings in a scan: names, and the kinds of data that their values looked like; never the
 * values. A string that could not be read is not included.
 */
export interface ValueSamples {
  /** Strings chosen; those not in `looked` had vanished, changed their type, moved, or could not be read. */
  chosen: number;
  /** The server does not permit this user to read values (NOPERM on GETRANGE). */
  denied: boolean;
  looked: SampledValue[];
}

export interface SampledValue {
  /** A display form that is exact (lib/model/display-name). */
  name: string;
  /** MEMORY USAGE in bytes, null = unknown. */
  bytes: number | null;
  /** Empty = nothing of these kinds was found. */
  kinds: SensitiveKind[];
}
