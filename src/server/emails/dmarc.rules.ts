import { readTags, unanswered, type MailFinding, type Texts } from './mail-records.rules.ts'

/**
 * @param texts at `_dmarc.` of the sender's domain, or of the domain above it when there are none
 * @param signedBy the domain that DKIM signs for; null when the site does not sign
 * @param returnedTo the domain that returned mail goes to: what SPF is looked up for
 */
export function judgeDmarc({
  domain,
  texts,
  signedBy,
  returnedTo,
  officersEmail,
}: {
  domain: string
  texts: Texts
  signedBy: string | null
  returnedTo: string
  officersEmail: string
}): MailFinding[] {
  const about = 'DMARC'
  const name = `_dmarc.${domain}`
  if (texts === null) return [unanswered(about, name)]
  const publish = { name, type: 'TXT', value: `v=DMARC1; p=none; rua=mailto:${officersEmail}` } as const
  const records = texts.filter((text) => /^v=DMARC1\s*(;|$)/i.test(text.trim()))
  const [record] = records
  if (record === undefined) {
    return [
      {
        about,
        verdict: 'wrong',
        text: `${domain} does not say what receivers should do with letters that only claim to be yours; large providers want it said. Begin with:`,
        publish,
      },
    ]
  }
  if (records.length > 1) {
    return [
      {
        about,
        verdict: 'wrong',
        text: `${name} has ${records.length} DMARC records, and receivers then heed none. Keep one.`,
      },
    ]
  }
  const tags = readTags(record)
  const policy = tags.get('p')?.toLowerCase() ?? ''
  const findings: MailFinding[] = []
  if (!['none', 'quarantine', 'reject'].includes(policy)) {
    findings.push({
      about,
      verdict: 'wrong',
      text: `The record has no policy (p=none, quarantine or reject), so it is void. Publish:`,
      publish,
    })
  } else if (policy === 'none') {
    findings.push({
      about,
      verdict: 'look',
      text: 'The policy is p=none: receivers tell you of forged letters and deliver them all the same. That is right for the first weeks; then p=quarantine.',
    })
  }
  if (!tags.has('rua')) {
    findings.push({
      about,
      verdict: 'look',
      text: `Nobody is told who sends in your name: add "rua=mailto:${officersEmail}".`,
    })
  }
  const share = Number(tags.get('pct') ?? 100)
  if (share < 100)
    findings.push({ about, verdict: 'look', text: `The policy holds for ${share} of 100 letters only (pct).` })
  findings.push(judgeAlignment({ domain, signedBy, returnedTo, tags }))
  return findings
}

/** DMARC wants one of them: a signature for the sender's own domain, or returned mail that goes there. */
function judgeAlignment({
  domain,
  signedBy,
  returnedTo,
  tags,
}: {
  domain: string
  signedBy: string | null
  returnedTo: string
  tags: ReadonlyMap<string, string>
}): MailFinding {
  const about = 'DMARC'
  const isSigned = signedBy !== null && isAligned(signedBy, domain, tags.get('adkim') === 's')
  const isReturned = isAligned(returnedTo, domain, tags.get('aspf') === 's')
  if (isSigned) return { about, verdict: 'ok', text: `Letters from ${domain} are signed for ${signedBy}, which fits.` }
  if (signedBy !== null && !isReturned) {
    return {
      about,
      verdict: 'wrong',
      text: `Letters come from ${domain}, are signed for ${signedBy} and return to ${returnedTo}: neither fits, so every letter fails DMARC. Set DKIM_DOMAIN=${domain}.`,
    }
  }
  if (!isReturned) {
    return {
      about,
      verdict: 'wrong',
      text: `Letters come from ${domain}, are not signed by the site and return to ${returnedTo}, which does not fit: unless the mail server signs them for ${domain}, they fail DMARC. Set BOUNCE_ADDRESS to one of ${domain}, or DKIM_DOMAIN=${domain}.`,
    }
  }
  if (signedBy !== null) {
    return {
      about,
      verdict: 'look',
      text: `DKIM_DOMAIN is ${signedBy}, letters come from ${domain}: they pass by SPF alone, and a forwarded letter fails. Set DKIM_DOMAIN=${domain}.`,
    }
  }
  return {
    about,
    verdict: 'look',
    text: `Letters from ${domain} pass by SPF alone unless the mail server signs them, and a forwarded letter then fails.`,
  }
}

/** Relaxed: both belong to one registered domain. */
export function isAligned(one: string, other: string, isStrict: boolean): boolean {
  const [left, right] = [one.toLowerCase(), other.toLowerCase()]
  return left === right || (!isStrict && registeredDomain(left) === registeredDomain(right))
}

const SECOND_LEVEL = /^(ac|co|com|edu|gov|net|org)\.[a-z]{2}$/

/** The two last names, or three below such as org.uk. The full list of such endings is long; this covers an association's. */
export function registeredDomain(domain: string): string {
  const names = domain.split('.')
  return names.slice(SECOND_LEVEL.test(names.slice(-2).join('.')) ? -3 : -2).join('.')
}
