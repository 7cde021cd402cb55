import type { PictureSheet } from './picture-sheet';

/** Colours and fonts of the page as it is shown, which a file of its own does not know. */
type Role = PictureSheet['words'][number]['role'];
const FONTS = {
  title: { size: 14, weight: 600 },
  legend: { size: 11, weight: 400 },
  source: { size: 11, weight: 400 },
};

const styleOfPage = () => getComputedStyle(document.body);
export const colorOf = (token: string) => styleOfPage().getPropertyValue(token).trim();
export const inkOf = (role: Role) => colorOf(role === 'title' ? '--foreground' : '--muted-foreground');
export const fontOf = (role: Role) => ({ ...FONTS[role], family: styleOfPage().fontFamily });

export function canvasFont(role: Role): string {
  const { size, weight, family } = fontOf(role);
  return `${weight} ${size}px ${family}`;
}

/** Of a word below or above a chart. */
export function wordWidth(): (text: string) => number {
  const context = document.createElement('canvas').getContext('2d');
  if (!context) return (text) => text.length * 6;
  context.font = canvasFont('source');
  return (text) => context.measureText(text).width;
}
