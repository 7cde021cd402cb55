import { ROUTES } from '@/app/api/routes';
import { handle, type RouteHandler } from '@/lib/http/handle';
import { buildOpenApiDocument } from '@/lib/http/openapi-document';

export const GET: RouteHandler = handle(
  { summary: 'This API document.', answer: 'The document, in the format of OpenAPI 3.1.' },
  () => buildOpenApiDocument({ ...ROUTES, '/api/openapi.json': { GET } }),
);
