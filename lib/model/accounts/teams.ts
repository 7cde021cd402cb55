import { z } from 'zod';
import type { Grant } from '@/lib/model/access';
import { GrantShape } from '@/lib/model/access-shapes';
import { refuseUnseen } from '@/lib/model/text/refuse-unseen';

/** As owners of prefixes are called; distinguished without regard to case. */
export const TeamName = z.string().trim().min(1).max(80).superRefine(refuseUnseen);

const UserId = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/);
export const TeamInput = z.object({
  name: TeamName,
  /** Ids of users. */
  members: z.array(UserId).max(500).default([]),
  /** Every member has them. */
  grants: z.array(GrantShape).max(100).default([]),
});
export type TeamInput = z.infer<typeof TeamInput>;
/** The name stays: prefixes are owned by it. */
export const TeamUpdate = z.object({
  members: z.array(UserId).max(500).optional(),
  grants: z.array(GrantShape).max(100).optional(),
});
export type TeamUpdate = z.infer<typeof TeamUpdate>;

export interface TeamMember {
  id: string;
  name: string;
  /** By a group of the identity provider, which also takes it away. */
  byProvider: boolean;
}
/** Owns the prefixes whose owner is called like it. */
export interface Team {
  id: string;
  name: string;
  /** Whether whoever asks is a member. */
  mine: boolean;
  /** null = not theirs to see. */
  members: TeamMember[] | null;
  grants: Grant[] | null;
}
