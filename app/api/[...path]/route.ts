import { ROUTE_TABLE } from '@/app/api/routes';
import { answerRequest } from '@/lib/http/answer-request';

/** Answers every address below /api; app/api/routes.ts lists which ones there are. */
const answer = (request: Request): Promise<Response> => answerRequest(ROUTE_TABLE, request);

export {
  answer as DELETE,
  answer as GET,
  answer as HEAD,
  answer as OPTIONS,
  answer as PATCH,
  answer as POST,
  answer as PUT,
};
