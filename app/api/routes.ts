import { accountRoutes } from '@/app/api/account';
import { alertRoutes } from '@/app/api/alerts/alert-routes';
import { auditLogRoutes } from '@/app/api/audit-log';
import { compareRoutes } from '@/app/api/compare';
import { deletionRoutes } from '@/app/api/deletions';
import { emergencyStopRoutes } from '@/app/api/emergency-stop';
import { instanceRoutes } from '@/app/api/instances';
import { jobRoutes } from '@/app/api/jobs';
import { messageRoutes } from '@/app/api/messages';
import { monitoringRoutes } from '@/app/api/monitoring';
import { policyRoutes } from '@/app/api/policies';
import { scheduleRoutes } from '@/app/api/schedules';
import { sessionRoutes } from '@/app/api/session';
import { snapshotRoutes } from '@/app/api/snapshots';
import { teamRoutes } from '@/app/api/teams';
import { trendRoutes } from '@/app/api/trends';
import { userRoutes } from '@/app/api/users';
import { viewRoutes } from '@/app/api/views';
import { handle } from '@/lib/http/handle';
import { buildOpenApiDocument } from '@/lib/http/openapi-document';
import { buildRouteTable } from '@/lib/http/route-table';

/**
 * All routes. Each says by itself its method and path, what it takes and answers, who may call it without signing in,
 * and which limit of requests it counts for; the server, its API document and the tests read that here.
 */
export const ROUTES = [
  ...accountRoutes,
  ...alertRoutes,
  ...auditLogRoutes,
  ...compareRoutes,
  ...deletionRoutes,
  ...emergencyStopRoutes,
  ...instanceRoutes,
  ...jobRoutes,
  ...messageRoutes,
  ...monitoringRoutes,
  ...policyRoutes,
  ...scheduleRoutes,
  ...sessionRoutes,
  ...snapshotRoutes,
  ...teamRoutes,
  ...trendRoutes,
  ...userRoutes,
  ...viewRoutes,
  handle('GET /api/openapi.json', {
    summary: 'This API document.',
    answer: 'The document, in the format of OpenAPI 3.1.',
    act: (): object => buildOpenApiDocument(ROUTES),
  }),
];

export const ROUTE_TABLE = buildRouteTable(ROUTES);

/** The types of all routes by their names, such as `GET /api/jobs/{id}`. Clients import these types and no code. */
type Types = { [T in NonNullable<(typeof ROUTES)[number]['types']> as T['name']]: T };
export type RouteName = keyof Types;
export type SentTo<Name extends RouteName> = Types[Name]['sent'];
export type AnswerOf<Name extends RouteName> = Types[Name]['answer'];
