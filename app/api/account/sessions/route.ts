import { inFormat } from '@/app/api/in-format';
import { exportOwnSessions } from '@/lib/access/users/export/export-sessions';
import { listOwnSessions } from '@/lib/access/users/own-sessions';
import { handle } from '@/lib/http/handle';
import { FileQuery } from '@/lib/model/reports/file-query';

export const GET = handle(
  { summary: 'Your sessions, last used first.', answer: 'sessions, or the file.', query: FileQuery },
  ({ actor, query: { format }, ...asked }) => {
    const list = async () => ({ sessions: await listOwnSessions(actor) });
    return inFormat(asked, format, list, (shape) => exportOwnSessions(actor, shape));
  },
);
