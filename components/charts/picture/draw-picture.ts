import { domToBlob, domToForeignObjectSvg } from 'modern-screenshot';

/** Texts around a chart in its picture. */
interface Caption {
  title: string;
  /** Where the figures come from and which part of them is shown; drawn below the chart. */
  source: readonly string[];
}
export type PictureFormat = 'png' | 'svg';

const PAD = 16;
/** Pixels per CSS pixel: twice as many as on the page, because pictures are viewed larger. */
const SHARP = 2;
const TITLE = 'font-size: 14px; font-weight: 600; padding-bottom: 8px';
const SOURCE = 'font-size: 11px; padding-top: 8px; overflow-wrap: anywhere; -webkit-text-fill-color: currentcolor';
/** Elements that a picture must not have: the pointer that chose the picture may still be on the chart. */
const FLOATING = '[data-floating], .recharts-tooltip-wrapper, .recharts-tooltip-cursor';

/**
 * Returns the content of `place` as a picture in the theme of the page, with a title above and the source below.
 * Nothing is sent to a server. An SVG contains the HTML of the page, which browsers can show and drawing programs
 * cannot.
 */
export async function drawPicture(place: HTMLElement, caption: Caption, format: PictureFormat): Promise<Blob> {
  // A picture of a chart that has not been drawn yet would be blank.
  if (place.querySelector('[aria-busy="true"]') !== null) throw new Error('The chart is still being loaded.');
  const { width, height } = place.getBoundingClientRect();
  const style = getComputedStyle(document.body);
  const title = createLine(caption.title, TITLE);
  const source = createLine(
    caption.source.join(' · '),
    `${SOURCE}; color: ${style.getPropertyValue('--muted-foreground')}`,
  );
  const options = {
    width: width + 2 * PAD,
    height: height + measureHeight([title, source], width) + 2 * PAD,
    scale: SHARP,
    backgroundColor: style.getPropertyValue('--surface').trim(),
    style: { display: 'block', padding: `${PAD}px`, boxSizing: 'border-box' as const },
    filter: (node: Node) => !(node instanceof Element && node.matches(FLOATING)),
    // The page uses system fonts, so none is embedded.
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

function createLine(text: string, style: string): HTMLElement {
  const line = document.createElement('div');
  line.textContent = text;
  line.style.cssText = style;
  return line;
}

/** Returns the height of these lines at this width, in px. */
function measureHeight(lines: readonly HTMLElement[], width: number): number {
  const sheet = createLine('', `position: fixed; visibility: hidden; width: ${width}px`);
  sheet.append(...lines);
  document.body.append(sheet);
  const { height } = sheet.getBoundingClientRect();
  sheet.remove();
  return height;
}
