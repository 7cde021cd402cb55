/**
 * What is shown in place of something that failed while it was drawn. A part of a page that is loaded on demand is not
 * there any more after an upgrade, and React keeps it as failed: only the page as it is now has it.
 */
export function drawingFailure(error: Error & { digest?: string }, redraw: () => void) {
  if (error.name === 'ChunkLoadError')
    return { error: { code: 'part_missing', message: error.message }, onRetry: () => window.location.reload() };
  return { error: { code: 'internal', message: error.digest ? `#${error.digest}` : error.message }, onRetry: redraw };
}
