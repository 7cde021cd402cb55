import { z } from 'zod';
import { handle } from '@/lib/http/handle';
import { importProfile } from '@/lib/policies/profile-yaml';

const body = z.object({ yaml: z.string().max(512 * 1024) });

export const POST = handle(
  {
    summary: 'Read and check a profile file. It stores nothing.',
    answer: 'body: the profile that the file contains. warnings: what to know before it is saved.',
    body,
  },
  ({ actor, body: { yaml } }) => importProfile(actor, yaml),
);
