/** As which files tables are handed out. Without the shapes that check it (file-query.ts): pages need no more. */
export const FILE_FORMATS = ['csv', 'jsonl', 'parquet'] as const;
export type FileFormat = (typeof FILE_FORMATS)[number];

/** What verbs that hand out a file take beside their question. `signal`: of a reader that may leave. */
export interface FileShape {
  format: FileFormat;
  signal?: AbortSignal | undefined;
}

/** The content type of each. */
export const FILE_TYPES: Readonly<Record<FileFormat, string>> = {
  csv: 'text/csv; charset=utf-8',
  jsonl: 'application/x-ndjson; charset=utf-8',
  parquet: 'application/vnd.apache.parquet',
};
