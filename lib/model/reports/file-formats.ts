/** As which files tables are handed out. Without the shapes that check it (file-query.ts): pages need no more. */
export const FILE_FORMATS = ['csv', 'jsonl', 'parquet'] as const;
export type FileFormat = (typeof FILE_FORMATS)[number];
