export const MIN_VALUE_REASON = 3;
export const MAX_VALUE_REASON = 500;

/** Whether the server would accept it (`ValueReason`), for a form that loads no schemas. */
export function isValueReason(text: string): boolean {
  const { length } = text.trim();
  return length >= MIN_VALUE_REASON && length <= MAX_VALUE_REASON;
}
