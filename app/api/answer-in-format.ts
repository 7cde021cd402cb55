import { createDownload } from '@/lib/http/download';
import type { DownloadFile } from '@/lib/model/download-file';
import { AppError } from '@/lib/model/errors';
import type { FileFormat, FileShape } from '@/lib/model/reports/file-formats';

interface Asked {
  request: Request;
  stillSignedIn: () => Promise<boolean>;
}

/** Answers a route in JSON, or with the file when the request asks for a file format. */
export async function answerInFormat<Answer extends object>(
  { request: { signal }, stillSignedIn }: Asked,
  format: FileFormat | 'json',
  answer: () => Promise<Answer>,
  file: (shape: FileShape) => Promise<DownloadFile>,
): Promise<Response | Answer> {
  return format === 'json' ? answer() : createDownload(await file({ format, signal }), stillSignedIn);
}

/**
 * Refuses parameters that choose or sort the rows of a file when JSON is requested: the JSON answer always has all
 * rows.
 */
export function refuseFieldsOfFiles(format: FileFormat | 'json', ofFile: Record<string, string | undefined>): void {
  const [field] = Object.keys(ofFile).filter((name) => ofFile[name] !== undefined);
  if (format !== 'json' || field === undefined) return;
  throw new AppError('bad_request', `"${field}" belongs to a file. Add format=csv, jsonl or parquet.`, { field });
}
