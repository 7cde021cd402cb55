import { z } from 'zod';

export const Endpoint = z.object({
  host: z
    .string()
    .trim()
    .min(1)
    .max(253)
    .regex(/^[A-Za-z0-9._:[\]-]+$/, 'host'),
  port: z.number().int().min(1).max(65535),
});
export type Endpoint = z.infer<typeof Endpoint>;
