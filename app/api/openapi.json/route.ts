import { handle } from '@/lib/http/handle';
import { openApiDocument } from '@/lib/http/openapi/openapi-document';

export const GET = handle({}, () => openApiDocument());
