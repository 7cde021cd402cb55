import { sessionInfo } from '@/lib/http/access/session-info';
import { handle } from '@/lib/http/handle';
import { sessionAnswer } from '@/lib/http/session-answer';
import { Credentials } from '@/lib/model/accounts/accounts';
import { leaveProvider } from '@/lib/users/providers/leave-provider';
import { signIn } from '@/lib/users/sign-in';
import { signOut } from '@/lib/users/sign-out';

export const GET = handle({ open: true }, ({ actor }) => sessionInfo(actor));
export const POST = handle({ open: true, body: Credentials }, async ({ actor, body, from, request }) =>
  sessionAnswer(request, await signIn(body, from, actor), { status: 201 }),
);
export const DELETE = handle({}, async ({ actor, request }) =>
  sessionAnswer(request, null, { body: { location: await leaveProvider(await signOut(actor)) } }),
);
