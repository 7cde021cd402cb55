import { download } from '@/lib/http/download';
import type { DownloadFile } from '@/lib/model/download-file';
import type { FileFormat } from '@/lib/model/reports/file-formats';

interface Asked {
  request: Request;
  stillSignedIn: () => Promise<boolean>;
}

/** What a route answers in JSON, or the file of it where one is asked for. */
export async function inFormat(
  { request: { signal }, stillSignedIn }: Asked,
  format: FileFormat | 'json',
  answer: () => Promise<object>,
  file: (shape: { format: FileFormat; signal: AbortSignal }) => Promise<DownloadFile>,
): Promise<Response | object> {
  return format === 'json' ? answer() : download(await file({ format, signal }), stillSignedIn);
}
