/**
 * Days in the format of `<input type="date">`, in the reader's time zone. An exemption until a day includes that whole
 * day.
 */
export function dayOf(ms: number): string {
  const date = new Date(ms);
  const two = (value: number) => String(value).padStart(2, '0');
  return `${String(date.getFullYear()).padStart(4, '0')}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

/** The last millisecond of the day, epoch ms. */
export function endOfDay(day: string): number {
  return new Date(`${day}T23:59:59.999`).getTime();
}
