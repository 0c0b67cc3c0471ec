const MARKS = /\p{M}+/gu
const APOSTROPHES = /[\u2018\u2019\u02bc`´]/gu
/** Letters that no accent tells from their plain ones. */
const PLAIN: Record<string, string> = { ø: 'o', ł: 'l', đ: 'd', ß: 'ss', æ: 'ae', œ: 'oe', ð: 'd', þ: 'th', ı: 'i' }
const UNPLAIN = new RegExp(`[${Object.keys(PLAIN).join('')}]`, 'gu')

/** Small letters without accents, other signs as they are: how names are compared, so that both engines find the same. */
export function foldText(text: string): string {
  return text
    .replace(APOSTROPHES, "'")
    .normalize('NFKD')
    .replace(MARKS, '')
    .toLowerCase()
    .replace(UNPLAIN, (letter) => PLAIN[letter] ?? letter)
}
