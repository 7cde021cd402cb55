/** Returns how many letters differ: added, left out, replaced, or swapped with their neighbour. */
function countDifferences(a: string, b: string): number {
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, j) => j)];
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      row[j] = Math.min(rows[i - 1]![j]! + 1, row[j - 1]! + 1, rows[i - 1]![j - 1]! + same);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        row[j] = Math.min(row[j]!, rows[i - 2]![j - 2]! + 1);
    }
    rows.push(row);
  }
  return rows[a.length]![b.length]!;
}

/** Comparing takes length times length steps, so longer texts are not compared. */
const MAX_LENGTH = 64;

/** Returns which of the known names was probably meant, or null. */
export function findNearestName(given: string, known: readonly string[]): string | null {
  if (given.length > MAX_LENGTH) return null;
  const word = given.toLowerCase();
  const close = known
    .map((name) => {
      const other = name.toLowerCase();
      const isBeginning = word.length >= 3 && other.length >= 3 && (other.startsWith(word) || word.startsWith(other));
      return { name, distance: isBeginning ? 1 : countDifferences(word, other) };
    })
    .filter(({ name, distance }) => distance <= Math.max(2, Math.floor(Math.min(name.length, given.length) / 3)))
    .sort((a, b) => a.distance - b.distance);
  const [best] = close;
  return best && best.distance < Math.min(given.length, best.name.length) ? best.name : null;
}
