import { z } from 'zod';
import { handle, Id } from '@/lib/http/handle';
import { AssignmentInput } from '@/lib/model/rules/policy';
import { getAssignment, setAssignment } from '@/lib/policies/assignment';

const params = z.object({ id: Id });

export const GET = handle({ params }, ({ actor, params: { id } }) => getAssignment(actor, id));
export const PUT = handle(
  { params, body: AssignmentInput },
  ({ actor, params: { id }, body: { updatedAt, ...body } }) => setAssignment(actor, id, body, updatedAt),
);
