import { handle, WithId as params } from '@/lib/http/handle';
import { AssignmentInput } from '@/lib/model/rules/policy';
import { getAssignment, setAssignment } from '@/lib/policies/assignment';

const ANSWER =
  'assignment: the chosen profiles. updatedAt: when it was saved (epoch ms, null = nobody has chosen). effective: the profiles that apply, and the hash of the resulting policy.';

export const GET = handle(
  { summary: 'The profiles an instance is checked against.', answer: ANSWER, params },
  ({ actor, params: { id } }) => getAssignment(actor, id),
);
export const PUT = handle(
  {
    summary: 'Choose the profile of an instance, and others for some prefixes.',
    answer: ANSWER,
    params,
    body: AssignmentInput,
  },
  ({ actor, params: { id }, body: { updatedAt, ...body } }) => setAssignment(actor, id, body, updatedAt),
);
