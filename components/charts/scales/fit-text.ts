/**
 * Returns the longest beginning of `text` that fits, with an ellipsis if it was cut; '' if not even three characters
 * fit.
 */
export function fitText(text: string, maxWidth: number, measure: (text: string) => number): string {
  if (measure(text) <= maxWidth) return text;
  const characters = [...text];
  let low = 0;
  let high = characters.length;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (measure(`${characters.slice(0, middle).join('')}…`) <= maxWidth) low = middle;
    else high = middle - 1;
  }
  return low < 3 ? '' : `${characters.slice(0, low).join('')}…`;
}
