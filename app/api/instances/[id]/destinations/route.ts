import { inFormat } from '@/app/api/in-format';
import { handle, WithId as params } from '@/lib/http/handle';
import { changeDestinations, getDestinations } from '@/lib/instances/destinations';
import { exportDestinations } from '@/lib/instances/export/export-destinations';
import { FileQuery as query } from '@/lib/model/reports/file-query';
import { DestinationChange } from '@/lib/model/servers/destination';

export const GET = handle({ params, query }, ({ actor, params: { id }, query: { format }, ...asked }) => {
  const list = async () => ({ destinations: await getDestinations(actor, id) });
  return inFormat(asked, format, list, (shape) => exportDestinations(actor, id, shape));
});
export const POST = handle({ params, body: DestinationChange }, async ({ actor, params, body }) => ({
  destinations: await changeDestinations(actor, params.id, body),
}));
