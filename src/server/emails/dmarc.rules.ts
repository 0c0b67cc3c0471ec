import { readTags, lookupFailed, type MailFinding, type TxtRecords } from './mail-records.rules.ts'

/**
 * @param texts the records at `_dmarc.` of the sender's domain, or else of its organizational domain
 * @param signedBy the DKIM signing domain; null if the site does not sign
 * @param returnedTo the domain of the bounce address, which SPF is checked for
 */
export function checkDmarc({
  domain,
  texts,
  signedBy,
  returnedTo,
  officersEmail,
}: {
  domain: string
  texts: TxtRecords
  signedBy: string | null
  returnedTo: string
  officersEmail: string
}): MailFinding[] {
  const about = 'DMARC'
  const name = `_dmarc.${domain}`
  if (texts === null) return [lookupFailed(about, name)]
  const publish = { name, type: 'TXT', value: `v=DMARC1; p=none; rua=mailto:${officersEmail}` } as const
  const records = texts.filter((text) => /^v=DMARC1\s*(;|$)/i.test(text.trim()))
  const [record] = records
  if (record === undefined) {
    return [
      {
        about,
        verdict: 'wrong',
        text: `${domain} has no DMARC record, which tells receivers how to handle forged emails; large providers require one. Start with:`,
        publish,
      },
    ]
  }
  if (records.length > 1) {
    return [
      {
        about,
        verdict: 'wrong',
        text: `${name} has ${records.length} DMARC records, so receivers ignore all of them. Keep one.`,
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
      text: `The record has no policy (p=none, quarantine or reject), so it is invalid. Publish:`,
      publish,
    })
  } else if (policy === 'none') {
    findings.push({
      about,
      verdict: 'look',
      text: 'The policy is p=none: receivers report forged emails but still deliver them. That is fine for the first weeks; then switch to p=quarantine.',
    })
  }
  if (!tags.has('rua')) {
    findings.push({
      about,
      verdict: 'look',
      text: `You receive no reports about who sends in your name: add "rua=mailto:${officersEmail}".`,
    })
  }
  const share = Number(tags.get('pct') ?? 100)
  if (share < 100)
    findings.push({ about, verdict: 'look', text: `The policy applies to only ${share}% of emails (pct).` })
  findings.push(judgeAlignment({ domain, signedBy, returnedTo, tags }))
  return findings
}

/** DMARC requires at least one of them to match the sender's domain: the DKIM signature or the bounce address. */
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
  if (isSigned)
    return { about, verdict: 'ok', text: `Emails from ${domain} are signed for ${signedBy}, which matches.` }
  if (signedBy !== null && !isReturned) {
    return {
      about,
      verdict: 'wrong',
      text: `Emails are from ${domain}, signed for ${signedBy}, and bounce to ${returnedTo}: neither matches, so every email fails DMARC. Set DKIM_DOMAIN=${domain}.`,
    }
  }
  if (!isReturned) {
    return {
      about,
      verdict: 'wrong',
      text: `Emails are from ${domain}, not signed by the site, and bounce to ${returnedTo}, which does not match: unless the mail server signs them for ${domain}, they fail DMARC. Set BOUNCE_ADDRESS to an address of ${domain}, or DKIM_DOMAIN=${domain}.`,
    }
  }
  if (signedBy !== null) {
    return {
      about,
      verdict: 'look',
      text: `DKIM_DOMAIN is ${signedBy}, but emails are from ${domain}: they pass by SPF alone, and forwarded emails fail. Set DKIM_DOMAIN=${domain}.`,
    }
  }
  return {
    about,
    verdict: 'look',
    text: `Emails from ${domain} pass by SPF alone unless the mail server signs them, so forwarded emails fail.`,
  }
}

/** Relaxed alignment: both have the same organizational domain. */
export function isAligned(one: string, other: string, isStrict: boolean): boolean {
  const [left, right] = [one.toLowerCase(), other.toLowerCase()]
  return left === right || (!isStrict && organizationalDomain(left) === organizationalDomain(right))
}

const SECOND_LEVEL = /^(ac|co|com|edu|gov|net|org)\.[a-z]{2}$/

/** The last two labels, or three under suffixes such as org.uk. A heuristic instead of the full public suffix list. */
export function organizationalDomain(domain: string): string {
  const labels = domain.split('.')
  return labels.slice(SECOND_LEVEL.test(labels.slice(-2).join('.')) ? -3 : -2).join('.')
}
