import { z } from 'zod';

/** As which files tables are handed out. */
export const FILE_FORMATS = ['csv', 'jsonl', 'parquet'] as const;
export type FileFormat = (typeof FILE_FORMATS)[number];

/** Of a route that answers in JSON unless a file is asked for. */
export const AnswerFormat = z.enum(['json', ...FILE_FORMATS]).default('json');
