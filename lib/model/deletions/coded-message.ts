/** A code below `deletion.reasons.*` in the messages, with the parameters of its sentence. */
export interface CodedMessage {
  code: string;
  params: Record<string, string | number>;
}
