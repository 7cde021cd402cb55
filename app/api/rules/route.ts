import { handle } from '@/lib/http/handle';
import { readRules } from '@/lib/policies/list-rules';

export const GET = handle(
  {
    summary:
      'What the standards say: every rule with its sources, numbers and both languages, and where they contradict.',
    answer: 'rules, standards, contradictions',
  },
  ({ actor }) => readRules(actor),
);
