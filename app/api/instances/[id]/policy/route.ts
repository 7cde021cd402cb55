import { handle, WithId as params } from '@/lib/http/handle';
import { AssignmentInput } from '@/lib/model/rules/policy';
import { getAssignment, setAssignment } from '@/lib/policies/assignment';

export const GET = handle(
  {
    summary: 'The profiles that an instance is checked against.',
    answer:
      'assignment: the chosen profiles. updatedAt: when they were chosen. effective: the profiles that count now.',
    params,
  },
  ({ actor, params: { id } }) => getAssignment(actor, id),
);
export const PUT = handle(
  {
    summary: 'Choose the profile of an instance, and other profiles for some of its prefixes.',
    answer:
      'assignment: the chosen profiles. updatedAt: when they were chosen. effective: the profiles that count now.',
    params,
    body: AssignmentInput,
  },
  ({ actor, params: { id }, body: { updatedAt, ...body } }) => setAssignment(actor, id, body, updatedAt),
);
