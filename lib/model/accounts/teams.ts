import { z } from 'zod';
import type { Grant } from '@/lib/model/access';
import { GrantShape } from '@/lib/model/access-shapes';
import { refuseUnseen } from '@/lib/model/text/refuse-unseen';

/** The name of a team, by which prefixes refer to it as owner; compared without regard to case. */
export const TeamName = z.string().trim().min(1).max(80).superRefine(refuseUnseen);

const UserId = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/);
export const TeamInput = z.object({
  name: TeamName,
  /** Ids of users. */
  members: z.array(UserId).max(500).default([]),
  /** Grants that every member has. */
  grants: z.array(GrantShape).max(100).default([]),
});
export type TeamInput = z.infer<typeof TeamInput>;
/** The name cannot be changed, because prefixes refer to it as owner. */
export const TeamUpdate = z.object({
  members: z.array(UserId).max(500).optional(),
  grants: z.array(GrantShape).max(100).optional(),
});
export type TeamUpdate = z.infer<typeof TeamUpdate>;

export interface TeamMember {
  id: string;
  name: string;
  /** Added because of a group of the identity provider, which also removes the member again. */
  byProvider: boolean;
}
/** A team owns the prefixes whose owner has its name. */
export interface Team {
  id: string;
  name: string;
  /** Whether the person who requests it is a member. */
  mine: boolean;
  /** null = that person may not see them. */
  members: TeamMember[] | null;
  grants: Grant[] | null;
}
