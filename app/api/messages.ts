import { z } from 'zod';
import { handle } from '@/lib/http/handle';
import { messageFile } from '@/messages/message-file';

export const messageRoutes = [
  handle('GET /api/messages/{language}', {
    summary: 'The messages of the pages in one language. An answer to the current version (v) may be cached forever.',
    answer: 'The compiled messages by namespace.',
    open: true,
    query: z.object({ v: z.string().max(64).optional() }),
    act: ({ language, query: { v } }) => {
      // Another version is requested while two versions of Colonnade run at once.
      const { text, version } = messageFile(language);
      const cache = v === version ? 'public, max-age=31536000, immutable' : 'no-store';
      return new Response(text, {
        headers: { 'content-type': 'application/json; charset=utf-8', 'cache-control': cache },
      });
    },
  }),
];
