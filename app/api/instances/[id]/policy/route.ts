import { z } from 'zod';
import { handle, Id } from '@/lib/http/handle';
import { AssignmentInput } from '@/lib/model/rules/policy';
import { getAssignment, setAssignment } from '@/lib/policies/assignment';

const params = z.object({ id: Id });

export const GET = handle(
  { summary: 'The profiles an instance is checked against.', answer: 'assignment, updatedAt, effective', params },
  ({ actor, params: { id } }) => getAssignment(actor, id),
);
export const PUT = handle(
  {
    summary: 'Choose the profile of an instance, and others for some prefixes.',
    answer: 'assignment, updatedAt, effective',
    params,
    body: AssignmentInput,
  },
  ({ actor, params: { id }, body: { updatedAt, ...body } }) => setAssignment(actor, id, body, updatedAt),
);
