/** The formats of downloaded tables. Separate from the schemas of file-query.ts, which pages do not need. */
export const FILE_FORMATS = ['csv', 'jsonl', 'parquet'] as const;
export type FileFormat = (typeof FILE_FORMATS)[number];

/** Options of a verb that returns a file, in addition to its query. `signal` aborts when the reader disconnects. */
export interface FileShape {
  format: FileFormat;
  signal?: AbortSignal | undefined;
}

/** The content type of each format. */
export const FILE_TYPES: Readonly<Record<FileFormat, string>> = {
  csv: 'text/csv; charset=utf-8',
  jsonl: 'application/x-ndjson; charset=utf-8',
  parquet: 'application/vnd.apache.parquet',
};
