import type { DownloadFile } from '@/lib/model/download-file';
import { AppError } from '@/lib/model/errors';

/** How often a download checks the permission, in ms. A paused download checks when it continues. */
const CHECK_EVERY_MS = 1000;

/**
 * Answers with a file that is generated while it is sent. Characters of the name that are not plain ASCII become
 * dashes. The download aborts when its person has lost the permission, because it may take hours.
 */
export function createDownload(file: DownloadFile, stillSignedIn: () => Promise<boolean>): Response {
  const { stillAllowed } = file;
  const name = file.filename.replace(/[^A-Za-z0-9._-]/g, '-');
  return new Response(
    file.stream.pipeThrough(abortWhenForbidden(async () => (await stillSignedIn()) && (await stillAllowed()))),
    {
      headers: {
        'content-type': file.contentType,
        'content-disposition': `attachment; filename="${name}"`,
        'cache-control': 'no-store, no-transform',
      },
    },
  );
}

function abortWhenForbidden(isAllowed: () => Promise<boolean>): TransformStream {
  let checkedAt = performance.now();
  return new TransformStream({
    async transform(chunk, controller) {
      if (performance.now() - checkedAt >= CHECK_EVERY_MS) {
        if (!(await isAllowed()))
          throw new AppError('sign_in_needed', 'The session or token that started this no longer has the permission.');
        checkedAt = performance.now();
      }
      controller.enqueue(chunk);
    },
  });
}
