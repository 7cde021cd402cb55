import { fitText } from '@/components/charts/scales/fit-text';

/** What stands around a chart in its picture. */
export interface Caption {
  title: string;
  /** Where it comes from and what is shown of it: one after the other, on as many lines as they need. */
  source: readonly string[];
}
/** A name beside its colour, as the page has it around the chart. */
export interface LegendEntry {
  name: string;
  color: string;
}
interface SheetWords {
  x: number;
  y: number;
  text: string;
  role: 'title' | 'legend' | 'source';
}
export interface PictureSheet {
  width: number;
  height: number;
  /** Where the chart begins. */
  left: number;
  top: number;
  words: readonly SheetWords[];
  marks: readonly { x: number; y: number; color: string }[];
}

const PAD = 16;
const HEAD = 34;
const LEGEND = 20;
const FOOT_GAP = 17;
const LINE = 15;
const FOOT_END = 9;
export const MARK = { width: 14, height: 3 };
const MARK_GAP = 6;
const ENTRY_GAP = 16;

/** Where everything of a picture stands: title, legend, the chart, where it comes from. */
export function pictureSheet(
  chart: { width: number; height: number },
  caption: Caption,
  legend: readonly LegendEntry[],
  widthOf: (text: string) => number,
): PictureSheet {
  const words: SheetWords[] = [{ x: PAD, y: 22, text: caption.title, role: 'title' }];
  const marks: PictureSheet['marks'][number][] = [];
  let x = PAD;
  for (const { name, color } of legend) {
    marks.push({ x, y: HEAD + 4, color });
    x += MARK.width + MARK_GAP;
    words.push({ x, y: HEAD + 9, text: name, role: 'legend' });
    x += widthOf(name) + ENTRY_GAP;
  }
  const top = HEAD + (legend.length > 0 ? LEGEND : 0);
  const below = top + chart.height + FOOT_GAP;
  const lines = captionLines(caption.source, chart.width, widthOf);
  lines.forEach((text, line) => {
    words.push({ x: PAD, y: below + line * LINE, text, role: 'source' });
  });
  return {
    width: chart.width + 2 * PAD,
    height: below + Math.max(0, lines.length - 1) * LINE + FOOT_END,
    left: PAD,
    top,
    words,
    marks,
  };
}

/** A part stays on one line; what is wider than a line is cut. */
export function captionLines(
  parts: readonly string[],
  width: number,
  widthOf: (text: string) => number,
): readonly string[] {
  const lines: string[] = [];
  for (const part of parts) {
    const joined = lines.length > 0 ? `${lines.at(-1)} · ${part}` : part;
    if (lines.length > 0 && widthOf(joined) <= width) lines[lines.length - 1] = joined;
    else lines.push(fitText(part, width, widthOf));
  }
  return lines;
}
