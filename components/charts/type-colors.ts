/** One design token per Redis type, the same on every page. Module types share one; null (unknown) is grey. */
const TOKENS: Record<string, string> = {
  string: '--chart-1',
  hash: '--chart-2',
  list: '--chart-3',
  set: '--chart-4',
  zset: '--chart-5',
  stream: '--chart-6',
};
export const typeColor = (type: string | null): string =>
  type === null || type === 'unknown' ? '--muted-foreground' : (TOKENS[type] ?? '--chart-7');
