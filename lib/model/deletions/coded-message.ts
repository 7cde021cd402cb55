/** A code below `deletion.reasons.*` in messages, with what its sentence needs. */
export interface CodedMessage {
  code: string;
  params: Record<string, string | number>;
}
