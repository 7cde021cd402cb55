import { handle } from '@/lib/http/handle';
import { openApiDocument } from '@/lib/http/openapi-document';

export const GET = handle({}, () => openApiDocument());
