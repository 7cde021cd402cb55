import { z } from 'zod';

/** `host:port` as servers announce it, or a range of IP addresses such as `10.1.2.0/24:6379`. */
const DestinationEntry = z.string().trim().min(1).max(300);
/** More entries than a cluster can have nodes are a mistake. */
export const DestinationEntries = z.array(DestinationEntry).max(1000);

export const Destination = z.object({
  address: z.string(),
  /** The name of the person. */
  confirmedBy: z.string(),
  confirmedAt: z.number(),
});
export type Destination = z.infer<typeof Destination>;

/** Body of POST /api/instances/:id/destinations. */
export const DestinationChange = z.object({
  confirm: DestinationEntries.default([]),
  withdraw: DestinationEntries.default([]),
});
export type DestinationChange = z.infer<typeof DestinationChange>;
