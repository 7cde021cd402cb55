/** A file that is made while it is sent. The name is ASCII by the time it comes here; anything else becomes a dash. */
export function download(file: { stream: ReadableStream; filename: string; contentType: string }): Response {
  const name = file.filename.replace(/[^A-Za-z0-9._-]/g, '-');
  return new Response(file.stream, {
    headers: {
      'content-type': file.contentType,
      'content-disposition': `attachment; filename="${name}"`,
      'cache-control': 'no-store, no-transform',
    },
  });
}
