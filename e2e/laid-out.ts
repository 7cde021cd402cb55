interface Box {
  left: number;
  right: number;
  top: number;
  height: number;
}

/** Runs in the page. Returns the positions of its regions, and layout defects that a user would notice. */
export function laidOut(): {
  regions: Record<'header' | 'main' | 'h1', Box>;
  overlapping: string[];
  unreadable: string[];
  beyond: string[];
} {
  const measureBox = (selector: string): Box => {
    const { left, right, top, height } = document.querySelector(selector)!.getBoundingClientRect();
    return { left: Math.round(left), right: Math.round(right), top: Math.round(top), height: Math.round(height) };
  };
  const main = document.querySelector('main')!;
  const hidden = (element: Element) => {
    // Content below the viewport may not be laid out yet.
    if (!element.checkVisibility({ contentVisibilityAuto: true })) return true;
    const style = getComputedStyle(element);
    return style.visibility === 'hidden' || style.opacity === '0' || element.closest('.sr-only, svg, canvas') !== null;
  };
  // Content that scrolls in its own box, or is clipped by it, does not count with its full width.
  type Clip = { left: number; right: number; top: number; bottom: number };
  const whole = { left: Number.NEGATIVE_INFINITY, right: Infinity, top: Number.NEGATIVE_INFINITY, bottom: Infinity };
  const clips = new Map<Element, Clip>();
  const measureClip = (element: Element | null): Clip => {
    if (!element || element === document.body) return whole;
    const known = clips.get(element);
    if (known) return known;
    const clip = { ...measureClip(element.parentElement) };
    const { overflowX, overflowY } = getComputedStyle(element);
    if (overflowX !== 'visible' || overflowY !== 'visible') {
      const box = element.getBoundingClientRect();
      if (overflowX !== 'visible')
        Object.assign(clip, { left: Math.max(clip.left, box.left), right: Math.min(clip.right, box.right) });
      if (overflowY !== 'visible')
        Object.assign(clip, { top: Math.max(clip.top, box.top), bottom: Math.min(clip.bottom, box.bottom) });
    }
    clips.set(element, clip);
    return clip;
  };
  interface Text {
    text: string;
    element: Element;
    left: number;
    right: number;
    top: number;
    bottom: number;
  }
  const texts: Text[] = [];
  const walker = document.createTreeWalker(main, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const text = node.textContent?.trim() ?? '';
    const element = node.parentElement!;
    if (text === '' || hidden(element)) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const clip = measureClip(element);
    for (const rect of range.getClientRects()) {
      const left = Math.max(rect.left, clip.left);
      const right = Math.min(rect.right, clip.right);
      const top = Math.max(rect.top, clip.top);
      const bottom = Math.min(rect.bottom, clip.bottom);
      if (right - left > 1 && bottom - top > 1)
        texts.push({ text: text.slice(0, 40), element, left, right, top, bottom });
    }
  }
  texts.sort((a, b) => a.top - b.top);
  const overlapping: string[] = [];
  for (let i = 0; i < texts.length; i++)
    for (let j = i + 1; j < texts.length && texts[j]!.top < texts[i]!.bottom; j++) {
      const [a, b] = [texts[i]!, texts[j]!];
      const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
      // Lines of one paragraph are closer than the height of their boxes, Chinese ones most of all.
      const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
      const lower = Math.min(a.bottom - a.top, b.bottom - b.top);
      // These are the two halves of one long name.
      if (a.text === b.text) continue;
      const pinned = [a, b].some(({ element }) => element.closest('thead, .sticky, [role="tooltip"]') !== null);
      if (wide > 2 && high > 0.6 * lower && !pinned) overlapping.push(`${a.text} / ${b.text}`);
    }
  const unreadable = [...main.querySelectorAll<HTMLElement>('.truncate')]
    .filter((element) => !hidden(element) && element.scrollWidth > element.clientWidth + 1)
    .filter((element) => element.closest('[title], [aria-label]') === null && !element.querySelector('[title]'))
    .map((element) => (element.textContent ?? '').slice(0, 40));
  const beyond =
    document.documentElement.scrollWidth > window.innerWidth
      ? [...document.querySelectorAll('body *')]
          .filter((element) => element.getBoundingClientRect().right > window.innerWidth + 1)
          .slice(0, 5)
          .map((element) => `${element.tagName} ${element.className.toString().slice(0, 60)}`)
      : [];
  return {
    regions: { header: measureBox('header'), main: measureBox('main'), h1: measureBox('main h1') },
    overlapping: [...new Set(overlapping)],
    unreadable: [...new Set(unreadable)],
    beyond,
  };
}
