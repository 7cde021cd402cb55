import { handle } from '@/lib/http/handle';
import { listRules } from '@/lib/policies/list-rules';

export const GET = handle({}, () => listRules());
