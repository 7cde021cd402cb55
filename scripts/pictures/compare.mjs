/**
 * Decides whether a page looks like its reference, by blocks (picture-reader.mjs). Fonts, antialiasing and figures may
 * differ: a block counts as different only if nothing similar is near its place in the other picture. Something that is
 * missing, wrongly coloured or misplaced leaves many such blocks in one spot.
 */

/** Greatest difference of two similar colours, in each channel. The two themes are 200 apart. */
const COLOUR = 48;
/** Ink from which something is certainly drawn (DRAWN) or may be drawn (FAINT). Text has 30 to 60, a thin line 6. */
const DRAWN = 20;
const FAINT = 12;
/**
 * How far away a similar block may be, in blocks. Lines that break differently shift everything below them, so the
 * vertical distance grows with the row.
 */
const MAX_COLUMNS = 4;
const maxRows = (row) => 1 + Math.floor(row / 24);
/** Greatest share of the drawn blocks that may differ. */
const MAX_SHARE = 0.1;
/** In any square of WINDOW blocks to each side, at most MAX_CROWD blocks may differ. A card is larger than that. */
const WINDOW = 10;
const MAX_CROWD = 14;

/** Returns the share of drawn blocks that differ (0 to 1), and their number in the square with the most of them. */
export function compareBlocks(reference, picture) {
  const { columns, rows } = reference;
  if (columns !== picture.columns || rows !== picture.rows) return { share: 1, crowd: WINDOW * WINDOW };
  const differs = [];
  let drawn = 0;
  for (let row = 0; row < rows; row++)
    for (let column = 0; column < columns; column++) {
      const at = row * columns + column;
      const differing =
        hasNothingSimilar(reference, picture, row, column) || hasNothingSimilar(picture, reference, row, column);
      differs.push(differing);
      if (differing || reference.ink[at] >= FAINT || picture.ink[at] >= FAINT) drawn++;
    }
  const share = differs.filter(Boolean).length / Math.max(1, drawn);
  return { share: Math.round(share * 1000) / 1000, crowd: countInWorstWindow(differs, columns, rows) };
}

export const looksAlike = ({ share, crowd }) => share <= MAX_SHARE && crowd <= MAX_CROWD;

/** Whether `other` has nothing similar to this block of `one` near its place. */
function hasNothingSimilar(one, other, row, column) {
  const { columns, rows } = one;
  const at = row * columns + column;
  let drawn = one.ink[at] < DRAWN;
  let coloured = false;
  for (let y = Math.max(0, row - maxRows(row)); y <= Math.min(rows - 1, row + maxRows(row)); y++)
    for (let x = Math.max(0, column - MAX_COLUMNS); x <= Math.min(columns - 1, column + MAX_COLUMNS); x++) {
      const near = y * columns + x;
      drawn ||= other.ink[near] >= FAINT;
      coloured ||= [0, 1, 2].every((i) => Math.abs(one.colours[3 * at + i] - other.colours[3 * near + i]) <= COLOUR);
      if (drawn && coloured) return false;
    }
  return true;
}

/** The number of different blocks in the square with the most of them. */
function countInWorstWindow(differs, columns, rows) {
  let worst = 0;
  for (let top = 0; top < rows; top += WINDOW / 2)
    for (let left = 0; left < columns; left += WINDOW / 2) {
      let count = 0;
      for (let y = top; y < Math.min(rows, top + WINDOW); y++)
        for (let x = left; x < Math.min(columns, left + WINDOW); x++) if (differs[y * columns + x]) count++;
      worst = Math.max(worst, count);
    }
  return worst;
}
