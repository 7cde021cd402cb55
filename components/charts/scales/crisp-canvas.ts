/** Sizes a canvas to device pixels and returns a context that draws in CSS pixels. */
export function prepareCrispContext(canvas: HTMLCanvasElement, width: number, height: number) {
  const ratio = window.devicePixelRatio || 1;
  canvas.width = Math.round(width * ratio);
  canvas.height = Math.round(height * ratio);
  canvas.style.width = `${width}px`;
  canvas.style.height = `${height}px`;
  const context = canvas.getContext('2d');
  context?.setTransform(ratio, 0, 0, ratio, 0, 0);
  return context;
}

/** Returns the font families of the page; a canvas needs the resolved list. */
export function readPageFonts(): { sans: string; mono: string } {
  const root = getComputedStyle(document.documentElement);
  const sans = getComputedStyle(document.body).fontFamily || 'system-ui, sans-serif';
  return { sans, mono: root.getPropertyValue('--font-mono').trim() || 'ui-monospace, monospace' };
}
