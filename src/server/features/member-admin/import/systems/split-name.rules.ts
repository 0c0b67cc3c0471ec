const TITLES = /^(?:dr|prof|mr|mrs|ms|miss|mx|rev|sir)\.?\s+/i
/** Generations after a name, whatever their capitals. */
const GENERATIONS = new Set(['JR', 'SR', 'II', 'III', 'IV', 'ESQ'])
/** Degrees and fellowships after a name, without periods. Last names such as Do, Franks or Ma differ from them by their capitals. */
const DEGREES = new Set(
  (
    'MD DO PhD PharmD PsyD EdD ScD DrPH DNP MPH MSc MS MA MBA MHA MPA MEd MSN MBBS MBChB MBBCh MRCP MRCS FRCP FRCS FRCPC FRCSC ' +
    'DDS DMD DPM DVM OD DC DPT JD BA BS BSc BSN RN NP PA PE PAC FNP APRN CRNA RPh ' +
    'FACP FACS FACC FACOG FACG FACEP FACR FACE FACS FAAP FAAFP FAAN FAAD FAAOS FAHA FASN FASA FASCO FCCP FCCM FCAP FAPA FHM SFHM FIDSA FSCAI FHRS FACHE FACMG FRCA FAOA'
  ).split(' '),
)
const CAPITAL_DEGREES = new Set([...DEGREES].map((degree) => degree.toUpperCase()))
/** Degrees that are last names as well: in a name of capitals only, they are degrees after a comma. */
const ALSO_NAMES = new Set(['DO', 'MA', 'BA', 'PA', 'PE', 'MS'])
/** Small words that begin a last name, as in "van der Berg". */
const PARTICLES = /^(?:van|von|der|den|de|del|della|di|da|dos|la|le|al|el|bin|ben|ibn|st\.?|ter)$/i

/** More characters than a name may have, so that a cut one is still refused. */
const LONGEST = 1_000

/**
 * Splits a name in one column: "Dr. Nila Rao, MD" and "Rao, Nila" are Nila and Rao. Titles and degrees are left out. A name of one word is a first name,
 * and the row waits for the officer.
 */
export function splitName(text: string): { firstName: string; lastName: string } {
  const spaced = text.slice(0, LONGEST).trim().replaceAll(/\s+/g, ' ').replaceAll(/ ?, ?/g, ', ')
  const plain = withoutSuffixes(spaced.trim().replace(TITLES, ''))
  const [before = '', after] = plain.split(', ', 2)
  if (after !== undefined && after !== '')
    return { firstName: withoutSuffixes(after.replace(TITLES, '')), lastName: before }
  const words = before.split(' ').filter(Boolean)
  const particle = words.findIndex((word, index) => index > 0 && index < words.length - 1 && PARTICLES.test(word))
  const from = particle > 0 ? particle : Math.max(words.length - 1, 1)
  return { firstName: words.slice(0, from).join(' '), lastName: words.slice(from).join(' ') }
}

/** Without the degrees and generations at the end. The first word stays: it is a name. */
function withoutSuffixes(text: string): string {
  const words = text.split(' ')
  const isCapitals = text === text.toUpperCase()
  let count = words.length
  while (count > 1 && isSuffix(words[count - 1]!, words[count - 2]!, isCapitals)) count--
  return words.slice(0, count).join(' ').replace(/,$/, '')
}

function isSuffix(word: string, before: string, isCapitals: boolean): boolean {
  const plain = word.replaceAll(/[.,]/g, '')
  const capitals = plain.toUpperCase()
  if (plain === '' || GENERATIONS.has(capitals)) return true
  if (!CAPITAL_DEGREES.has(capitals)) return false
  if (before.endsWith(',')) return plain === capitals || plain === plain.toLowerCase() || DEGREES.has(plain)
  if (isCapitals && ALSO_NAMES.has(plain)) return false
  return plain === capitals || DEGREES.has(plain)
}
