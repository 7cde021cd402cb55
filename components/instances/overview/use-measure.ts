import { parseAsStringLiteral, useQueryState } from 'nuqs';

export const MEASURES = ['memory', 'keys'] as const;

/** What the overview weighs by; one choice for its prefixes and its types. */
export function useMeasure() {
  const [by, set] = useQueryState('by', parseAsStringLiteral(MEASURES).withDefault('memory'));
  return { by, setBy: (next: (typeof MEASURES)[number]) => void set(next) };
}
