/**
 * Runs in the page. Returns the names of charts in which nothing is drawn. Reference pictures cannot show that, because
 * they mask charts. An element of less than 60 px is a bar within a line of text and is skipped.
 */
export function undrawn(): string[] {
  const isDrawn = (canvas: HTMLCanvasElement) => {
    const data = canvas.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height).data ?? [];
    return data.some((value, at) => at >= 4 && value !== data[at % 4]);
  };
  return [...document.querySelectorAll('main canvas, main [role="img"]')]
    .filter((chart) => chart.checkVisibility() && chart.getBoundingClientRect().height >= 60)
    .filter((chart) =>
      chart instanceof HTMLCanvasElement ? !isDrawn(chart) : chart.querySelector('path, rect, line') === null,
    )
    .map((chart) => chart.getAttribute('aria-label') ?? chart.tagName);
}
