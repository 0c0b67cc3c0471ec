const MARKS = /\p{M}+/gu
const APOSTROPHES = /[\u2018\u2019\u02bc`´]/gu
/** Characters that Unicode normalization does not decompose. */
const REPLACEMENTS: Record<string, string> = {
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ð: 'd',
  þ: 'th',
  ı: 'i',
}
const REPLACEABLE = new RegExp(`[${Object.keys(REPLACEMENTS).join('')}]`, 'gu')

/** Lowercases and removes accents, for comparing names the same way on both engines. */
export function foldText(text: string): string {
  return text
    .replace(APOSTROPHES, "'")
    .normalize('NFKD')
    .replace(MARKS, '')
    .toLowerCase()
    .replace(REPLACEABLE, (character) => REPLACEMENTS[character] ?? character)
}
