const TITLES = /^(?:dr|prof|mr|mrs|ms|miss|mx|rev|sir)\.?\s+/i
/** After a name: degrees and generations, of which a person may have several. */
const SUFFIXES =
  /[\s,]+(?:m\.?d\.?|d\.?o\.?|ph\.?d\.?|m\.?p\.?h\.?|m\.?b\.?b\.?s\.?|d\.?d\.?s\.?|d\.?m\.?d\.?|r\.?n\.?|n\.?p\.?|p\.?e\.?|esq|f[a-z]{2,4}[psc]|jr|sr|i{2,3}|iv)\.?$/i
/** Small words that begin a last name, as in "van der Berg". */
const PARTICLES = /^(?:van|von|der|den|de|del|della|di|da|dos|la|le|al|el|bin|ben|ibn|st\.?|ter)$/i

/**
 * Splits a name in one column: "Dr. Nila Rao, MD" and "Rao, Nila" are Nila and Rao. Titles and degrees are left out. A name of one word is a first name,
 * and the row waits for the officer.
 */
export function splitName(text: string): { firstName: string; lastName: string } {
  const plain = withoutSuffixes(text.trim().replaceAll(/\s+/g, ' ').replace(TITLES, ''))
  const [before = '', after] = plain.split(/,\s*/, 2)
  if (after !== undefined && after !== '')
    return { firstName: withoutSuffixes(after.replace(TITLES, '')), lastName: before }
  const words = before.split(' ').filter(Boolean)
  const particle = words.findIndex((word, index) => index > 0 && index < words.length - 1 && PARTICLES.test(word))
  const from = particle > 0 ? particle : Math.max(words.length - 1, 1)
  return { firstName: words.slice(0, from).join(' '), lastName: words.slice(from).join(' ') }
}

function withoutSuffixes(text: string): string {
  const shorter = text.replace(SUFFIXES, '')
  return shorter === text ? text : withoutSuffixes(shorter)
}
