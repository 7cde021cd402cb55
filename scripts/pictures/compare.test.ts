import { expect, it } from 'vitest';
import { compareBlocks, looksAlike } from './compare.mjs';

/** A page of 1280 by 960 pixels: a menu on the left, and two cards with lines of text. */
const [COLUMNS, ROWS] = [80, 60];
interface Look {
  background: number;
  /** How far the content is moved to the right and down, in blocks. */
  shift?: [number, number];
  /** How much longer the lines are. */
  stretch?: number;
  without?: 'menu' | 'card';
}
function page({ background, shift: [dx, dy] = [0, 0], stretch = 1, without }: Look) {
  const colours: number[] = [];
  const ink: number[] = [];
  for (let row = 0; row < ROWS; row++)
    for (let column = 0; column < COLUMNS; column++) {
      const [x, y] = [column - dx, row - dy];
      const menu = x >= 1 && x < 10 && y > 3 && y < 40 && y % 2 === 0;
      const card = (top: number) => x >= 18 && x < 18 + 30 * stretch && y >= top && y < top + 16 && y % 2 === 0;
      const text = (menu && without !== 'menu') || card(6) || (card(30) && without !== 'card');
      for (let channel = 0; channel < 3; channel++) colours.push(text ? 0.8 * background + 25 : background);
      ink.push(text ? 45 : 0);
    }
  return { columns: COLUMNS, rows: ROWS, colours, ink };
}
const reference = page({ background: 250 });
const alike = (look: Look) => looksAlike(compareBlocks(reference, page(look)));

it('a page looks like itself, also where it stands a block aside and its lines are longer or shorter', () => {
  expect(compareBlocks(reference, reference)).toEqual({ share: 0, crowd: 0 });
  for (const shift of [
    [1, 0],
    [0, 1],
    [-1, -1],
  ] as [number, number][])
    expect(alike({ background: 250, shift })).toBe(true);
  for (const stretch of [0.9, 1.1]) expect(alike({ background: 250, stretch })).toBe(true);
  // The letters are grey instead of black.
  const grey = page({ background: 250 });
  grey.ink = grey.ink.map((ink) => ink / 2);
  expect(looksAlike(compareBlocks(reference, grey))).toBe(true);
});

it('what is missing, or too much, or of another theme or size, is found', () => {
  expect(alike({ background: 250, without: 'card' })).toBe(false);
  expect(alike({ background: 250, without: 'menu' })).toBe(false);
  expect(alike({ background: 20 })).toBe(false);
  expect(alike({ background: 250, shift: [14, 0] })).toBe(false);
  expect(looksAlike(compareBlocks(page({ background: 250, without: 'card' }), reference))).toBe(false);
  expect(looksAlike(compareBlocks({ ...reference, rows: ROWS - 1 }, reference))).toBe(false);
});

it('one card is found on a page of many', () => {
  const many = page({ background: 250 });
  many.ink = many.ink.map((ink, at) => (at >= 46 * COLUMNS ? 45 : ink));
  const blank = { ...many, ink: many.ink.map((ink, at) => (at >= 28 * COLUMNS && at < 46 * COLUMNS ? 0 : ink)) };
  expect(looksAlike(compareBlocks(many, blank))).toBe(false);
});
