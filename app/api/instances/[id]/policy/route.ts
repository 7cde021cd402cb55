import { z } from 'zod';
import { handle, Id } from '@/lib/http/handle';
import { Assignment } from '@/lib/model/policy';
import { getAssignment, setAssignment } from '@/lib/policies/assignment';

const params = z.object({ id: Id });

export const GET = handle({ params }, ({ actor, params: { id } }) => getAssignment(actor, id));
export const PUT = handle({ params, body: Assignment }, ({ actor, params: { id }, body }) =>
  setAssignment(actor, id, body),
);
