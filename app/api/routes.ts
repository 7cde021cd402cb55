import { accountRoutes } from '@/app/api/account';
import { auditLogRoutes } from '@/app/api/audit-log';
import { deletionRoutes } from '@/app/api/deletions';
import { emergencyStopRoutes } from '@/app/api/emergency-stop';
import { instanceRoutes } from '@/app/api/instances';
import { jobRoutes } from '@/app/api/jobs';
import { messageRoutes } from '@/app/api/messages';
import { monitoringRoutes } from '@/app/api/monitoring';
import { policyRoutes } from '@/app/api/policies';
import { sessionRoutes } from '@/app/api/session';
import { snapshotRoutes } from '@/app/api/snapshots';
import { teamRoutes } from '@/app/api/teams';
import { userRoutes } from '@/app/api/users';
import { viewRoutes } from '@/app/api/views';
import { handle, type Route } from '@/lib/http/handle';
import { buildOpenApiDocument } from '@/lib/http/openapi-document';
import { buildRouteTable } from '@/lib/http/route-table';

/**
 * All routes. Each says by itself its method and path, what it takes and answers, who may call it without signing in,
 * and which limit of requests it counts for; the server, its API document and the tests read that here.
 */
export const ROUTES: readonly Route[] = [
  ...accountRoutes,
  ...auditLogRoutes,
  ...deletionRoutes,
  ...emergencyStopRoutes,
  ...instanceRoutes,
  ...jobRoutes,
  ...messageRoutes,
  ...monitoringRoutes,
  ...policyRoutes,
  ...sessionRoutes,
  ...snapshotRoutes,
  ...teamRoutes,
  ...userRoutes,
  ...viewRoutes,
  handle('GET /api/openapi.json', {
    summary: 'This API document.',
    answer: 'The document, in the format of OpenAPI 3.1.',
    act: () => buildOpenApiDocument(ROUTES),
  }),
];

export const ROUTE_TABLE = buildRouteTable(ROUTES);
