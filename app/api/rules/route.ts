import { handle } from '@/lib/http/handle';
import { readRules } from '@/lib/policies/list-rules';

export const GET = handle(
  {
    summary:
      'What the standards say, in both languages: every rule with its sources and numbers, and where they contradict.',
    answer: 'rules: all of them. standards: where they come from. contradictions: where these differ.',
  },
  ({ actor }) => readRules(actor),
);
