import { expect, it } from 'vitest';
import { captionLines, pictureSheet } from './picture-sheet';

const widthOf = (text: string) => text.length * 10;

it('puts parts on one line while they fit, and cuts only what is wider than a line', () => {
  expect(captionLines(['Colonnade', 'mall', 'Prefix mall:'], 310, widthOf)).toEqual([
    'Colonnade · mall · Prefix mall:',
  ]);
  expect(captionLines(['Colonnade', 'mall', 'Prefix mall:'], 160, widthOf)).toEqual([
    'Colonnade · mall',
    'Prefix mall:',
  ]);
  expect(captionLines(['Prefix mall:cart:'], 100, widthOf)).toEqual(['Prefix ma…']);
  expect(captionLines([], 100, widthOf)).toEqual([]);
});

it('leaves room for what stands around the chart', () => {
  const chart = { width: 200, height: 100 };
  const caption = { title: 'Load', source: ['Colonnade', 'a name of twelve', 'Size ≥ 64 B'] };
  const plain = pictureSheet(chart, { ...caption, source: ['Colonnade'] }, [], widthOf);
  const full = pictureSheet(
    chart,
    caption,
    [
      { name: 'Commands', color: 'blue' },
      { name: 'Latency', color: 'red' },
    ],
    widthOf,
  );
  expect(full.marks.map(({ color }) => color)).toEqual(['blue', 'red']);
  expect(full.top).toBeGreaterThan(plain.top);
  // A legend above, two more lines below.
  expect(full.height - plain.height).toBe(full.top - plain.top + 2 * 15);
  const at = (text: string) => full.words.find((word) => word.text === text)!;
  expect(at('Latency').x).toBeGreaterThan(at('Commands').x + widthOf('Commands'));
  expect(full.words.filter(({ role }) => role === 'source').map(({ y }) => y > full.top + chart.height)).toEqual([
    true,
    true,
    true,
  ]);
});
