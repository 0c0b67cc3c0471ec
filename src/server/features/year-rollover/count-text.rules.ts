const NUMBERS = (
  'zero one two three four five six seven eight nine ten ' +
  'eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty'
).split(' ')

/** Updates a number that counts the members of a body: 'Six volunteers' becomes 'Five volunteers' if five are left. */
export function updateCount(text: string, from: number, to: number): string {
  const word = NUMBERS[from]
  if (from === to || from < 2 || to < 2 || word === undefined) return text
  const counted = new RegExp(String.raw`(?<![\w-])(${word}|${from})(?= [a-z])`, 'i')
  return text.replace(counted, (found) => {
    const next = /^\d/.test(found) ? String(to) : (NUMBERS[to] ?? String(to))
    return /^[A-Z]/.test(found) ? next.charAt(0).toUpperCase() + next.slice(1) : next
  })
}
