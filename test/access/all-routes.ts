import * as openapi from '@/app/api/openapi.json/route';
import { ROUTES } from '@/app/api/routes';
import type { RouteHandler } from '@/lib/http/handle';

/** The exports of every route file, by its path such as `/api/jobs/{id}`. */
export const ALL_ROUTES: Record<string, Record<string, RouteHandler>> = { ...ROUTES, '/api/openapi.json': openapi };
