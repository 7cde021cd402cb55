import { handle } from '@/lib/http/handle';
import { readRules } from '@/lib/policies/list-rules';

export const GET = handle({}, ({ actor }) => readRules(actor));
