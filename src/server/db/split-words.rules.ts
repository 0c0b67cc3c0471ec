const MARKS = /\p{M}+/gu
const NON_WORD = /[^\p{L}\p{N}]+/gu
const MAX_WORD_LENGTH = 60

/** Splits text into lower-case words without accents, for indexing and searching the same way on both engines. */
export function splitWords(text: string): string[] {
  return text
    .normalize('NFKD')
    .replace(MARKS, '')
    .toLowerCase()
    .split(NON_WORD)
    .filter((word) => word !== '')
    .map((word) => word.slice(0, MAX_WORD_LENGTH))
}
