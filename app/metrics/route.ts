import { monitoringRoutes } from '@/app/api/monitoring';
import { answerRequest } from '@/lib/http/answer-request';
import { buildRouteTable } from '@/lib/http/route-table';

const table = buildRouteTable(monitoringRoutes);
/** Prometheus expects this address, which is outside /api. */
const answer = (request: Request): Promise<Response> => answerRequest(table, request);

export {
  answer as DELETE,
  answer as GET,
  answer as HEAD,
  answer as OPTIONS,
  answer as PATCH,
  answer as POST,
  answer as PUT,
};
