/** Emoji may contain characters that are invisible by themselves: joiners and variation selectors. */
const EMOJI =
  /\p{Extended_Pictographic}\ufe0f?\p{Emoji_Modifier}?(?:\u200d\p{Extended_Pictographic}\ufe0f?\p{Emoji_Modifier}?)*/gu;
/**
 * Control, bidi, zero-width and tag characters, letters without a shape, and code points that are not characters: they
 * move a terminal's cursor, change the direction of text or are invisible.
 */
export const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\u2800]/u;

/**
 * Refuses a name that people enter, in a schema, if it has characters that are invisible or change the text direction:
 * they would make it look like another name. Only input is checked, so names that were stored earlier stay readable.
 */
export function refuseUnseen(
  name: string,
  context: { addIssue(issue: { code: 'custom'; message: string }): void },
): void {
  const [unseen] = UNSEEN.exec(name.replace(EMOJI, '')) ?? [];
  if (unseen === undefined) return;
  const code = unseen.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0');
  context.addIssue({
    code: 'custom',
    message: `It contains the character U+${code}, which cannot be seen or turns text around. Remove it.`,
  });
}

/**
 * Extracts the character from the message of `refuseUnseen`, for a sentence in another language; null = another
 * message.
 */
export const parseUnseenCharacter = (message: unknown): string | null =>
  /the character (U\+[0-9A-F]{4,6}), which/.exec(String(message))?.[1] ?? null;
