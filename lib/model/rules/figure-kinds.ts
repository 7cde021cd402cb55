const SHARES: ReadonlySet<string> = new Set([
  'share',
  'shareKeys',
  'shareBytes',
  'sharePrefix',
  'expiryShare',
  'hitRatio',
]);
const BYTES: ReadonlySet<string> = new Set(['savedBytes']);
const MOMENTS: ReadonlySet<string> = new Set(['second']);

/** Returns the kind of a figure of the evidence by its name, for pages and files. Moments are epoch ms. */
export function getFigureKind(name: string): 'share' | 'bytes' | 'moment' | 'number' {
  if (SHARES.has(name)) return 'share';
  if (BYTES.has(name)) return 'bytes';
  return MOMENTS.has(name) ? 'moment' : 'number';
}
