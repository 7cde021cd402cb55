import { domToBlob, domToForeignObjectSvg } from 'modern-screenshot';

/** What stands around a chart in its picture. */
interface Caption {
  title: string;
  /** Where it comes from and what is shown of it. */
  source: readonly string[];
}
export type PictureFormat = 'png' | 'svg';

const PAD = 16;
/** Twice as many pixels as on the page, because pictures are looked at larger. */
const SHARP = 2;
const TITLE = 'font-size: 14px; font-weight: 600; padding-bottom: 8px';
const SOURCE = 'font-size: 11px; padding-top: 8px; overflow-wrap: anywhere; -webkit-text-fill-color: currentcolor';
/** The pointer that chose the picture may stand on the chart. */
const FLOATING = '[data-floating], .recharts-tooltip-wrapper, .recharts-tooltip-cursor';

/**
 * What is shown in `place` as a file of its own, in the theme of the page, with a title above and where it comes from
 * below. Nothing is sent anywhere. An SVG holds the HTML of the page, which browsers show and drawing programs do not.
 */
export async function pictureOf(place: HTMLElement, caption: Caption, format: PictureFormat): Promise<Blob> {
  const { width, height } = place.getBoundingClientRect();
  const style = getComputedStyle(document.body);
  const title = lineOf(caption.title, TITLE);
  const source = lineOf(
    caption.source.join(' · '),
    `${SOURCE}; color: ${style.getPropertyValue('--muted-foreground')}`,
  );
  const options = {
    width: width + 2 * PAD,
    height: height + heightOf([title, source], width) + 2 * PAD,
    scale: SHARP,
    backgroundColor: style.getPropertyValue('--surface').trim(),
    style: { display: 'block', padding: `${PAD}px`, boxSizing: 'border-box' as const },
    filter: (node: Node) => !(node instanceof Element && node.matches(FLOATING)),
    // The fonts of the page are those of the system.
    font: false as const,
    onCloneNode: (copy: Node) => {
      (copy as HTMLElement).prepend(title);
      (copy as HTMLElement).append(source);
    },
  };
  if (format === 'png') return domToBlob(place, options);
  const svg = await domToForeignObjectSvg(place, options);
  return new Blob([new XMLSerializer().serializeToString(svg)], { type: 'image/svg+xml' });
}

function lineOf(text: string, style: string): HTMLElement {
  const line = document.createElement('div');
  line.textContent = text;
  line.style.cssText = style;
  return line;
}

/** How much of the picture these lines take at this width. */
function heightOf(lines: readonly HTMLElement[], width: number): number {
  const sheet = lineOf('', `position: fixed; visibility: hidden; width: ${width}px`);
  sheet.append(...lines);
  document.body.append(sheet);
  const { height } = sheet.getBoundingClientRect();
  sheet.remove();
  return height;
}
