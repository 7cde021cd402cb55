/**
 * Props of the ErrorState in place of a part that failed while it was rendered. After an upgrade of the server, the
 * former scripts that are loaded on demand do not exist any more, and React caches them as failed, so the whole page is
 * reloaded.
 */
export function toDrawingFailure(error: Error & { digest?: string }, redraw: () => void) {
  if (error.name === 'ChunkLoadError')
    return { error: { code: 'part_missing', message: error.message }, onRetry: () => window.location.reload() };
  return { error: { code: 'internal', message: error.digest ? `#${error.digest}` : error.message }, onRetry: redraw };
}
