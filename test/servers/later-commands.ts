/** Commands that came after those which the product lists; a server that has them tells so. */
const LATER: readonly [since: number, valkey: boolean, names: readonly string[]][] = [
  [801, true, ['commandlog']],
  [900, true, ['clusterscan', 'delifeq', 'msetex']],
];
/** Vector sets, from the first finished 8.0 on: its first milestone has the same number and lacks them. */
const VECTOR_SETS = ['vadd', 'vcard', 'vdim', 'vemb', 'vgetattr', 'vinfo', 'vismember', 'vlinks', 'vrandmember'].concat(
  ['vrem', 'vsetattr', 'vsim'],
);

export function laterCommands({ number, valkey, version }: { number: number; valkey: boolean; version: string }) {
  const isFinished = !/-m\d+$/i.test(version);
  const later = LATER.filter((one) => one[1] === valkey && one[0] <= number).flatMap(([, , names]) => names);
  return !valkey && number >= 800 && isFinished ? VECTOR_SETS : later.toSorted();
}
