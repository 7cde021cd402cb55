import type { z } from 'zod';

/** What the document tells of each route. A test holds this table against the folders under app/. */
export interface Operation {
  method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  path: string;
  summary: string;
  /** What comes back, in words. */
  answer: string;
  status?: number;
  query?: z.ZodType;
  body?: z.ZodType;
  contentType?: string;
  /** The one field of the answer, where its shape is known. */
  holds?: [name: string, shape: z.ZodType, many?: 'many'];
}
