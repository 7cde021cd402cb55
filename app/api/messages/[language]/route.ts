import { z } from 'zod';
import { handle } from '@/lib/http/handle';
import { LOCALES } from '@/messages/locales';
import { messageFile } from '@/messages/message-file';

const params = z.object({ language: z.enum(LOCALES) });
const query = z.object({ v: z.string().max(64).optional() });

/**
 * The answer for one version never changes. Another version is requested while two versions of Colonnade run at once.
 */
export const GET = handle(
  {
    summary: 'The messages of the pages in one language. An answer to the current version (v) may be cached forever.',
    answer: 'The compiled messages by namespace.',
    open: true,
    params,
    query,
  },
  ({ params: { language }, query: { v } }) => {
    const { text, version } = messageFile(language);
    const cache = v === version ? 'public, max-age=31536000, immutable' : 'no-store';
    return new Response(text, {
      headers: { 'content-type': 'application/json; charset=utf-8', 'cache-control': cache },
    });
  },
);
