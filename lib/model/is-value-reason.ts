export const MIN_REASON_LENGTH = 3;
export const MAX_REASON_LENGTH = 500;

/** Whether the server would accept it (`ValueReason`), for a form that loads no schemas. */
export function isValueReason(text: string): boolean {
  const { length } = text.trim();
  return length >= MIN_REASON_LENGTH && length <= MAX_REASON_LENGTH;
}
