/**
 * What is shown in place of a part that failed while it was rendered. After an upgrade, a part that is loaded on demand
 * does not exist any more, and React caches it as failed, so the whole page is reloaded.
 */
export function toDrawingFailure(error: Error & { digest?: string }, redraw: () => void) {
  if (error.name === 'ChunkLoadError')
    return { error: { code: 'part_missing', message: error.message }, onRetry: () => window.location.reload() };
  return { error: { code: 'internal', message: error.digest ? `#${error.digest}` : error.message }, onRetry: redraw };
}
