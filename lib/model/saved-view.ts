import { z } from 'zod';
import { refuseUnseen } from './text/refuse-unseen';

/** The columns that a person has chosen: table → column → whether it is shown. */
const Columns = z
  .record(z.string().min(1).max(40), z.record(z.string().min(1).max(40), z.boolean()))
  .refine((tables) => Object.keys(tables).length <= 20, 'At most 20 tables.')
  .refine(
    (tables) => Object.values(tables).every((one) => Object.keys(one).length <= 60),
    'At most 60 columns a table.',
  );

/** A named view of a page of an instance: page, filter, order and columns. */
export const SavedViewInput = z.object({
  name: z.string().trim().min(1).max(80).superRefine(refuseUnseen),
  /** Path below /instances/:id, e.g. `/tree`; '' is the overview. */
  page: z
    .string()
    .max(200)
    .regex(/^(\/[A-Za-z0-9_-]+){0,3}$/),
  /** Query text of the page without `?`: filter, order, `snapshot=latest` or the id of a snapshot. */
  search: z
    .string()
    .max(8000)
    .regex(/^(?![?#])[^#\s]*$/),
  columns: Columns.default({}),
  /** Visible to everyone who may see the instance. */
  shared: z.boolean().default(false),
});
export type SavedViewInput = z.infer<typeof SavedViewInput>;

/** These fields may be changed later; page, search and columns set what the view shows from then on. */
export const SavedViewUpdate = SavedViewInput.pick({ name: true, page: true, search: true })
  .extend({ shared: z.boolean(), columns: Columns })
  .partial()
  .refine((change) => Object.keys(change).length > 0, 'Give what to change: name, shared, page, search or columns.');
export type SavedViewUpdate = z.infer<typeof SavedViewUpdate>;

export interface SavedView extends SavedViewInput {
  id: string;
  instanceId: string;
  /** The person who saved it. */
  by: string;
  own: boolean;
  createdAt: number;
}
