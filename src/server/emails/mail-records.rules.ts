/** The result of one check, with the record to publish if one is missing or wrong. */
export interface MailFinding {
  about: 'SPF' | 'DKIM' | 'DMARC' | 'MX' | 'Server'
  verdict: 'ok' | 'look' | 'wrong'
  text: string
  publish?: { name: string; type: 'TXT'; value: string }
}

/** The TXT records of a name; null if the lookup failed. */
export type TxtRecords = readonly string[] | null

export interface SpfTerm {
  qualifier: '+' | '-' | '~' | '?'
  mechanism: string
  value: string
}

/** RFC 7208, 4.6.4. */
const MAX_LOOKUPS = 10
const LOOKUP_TERMS = new Set(['include', 'a', 'mx', 'ptr', 'exists', 'redirect'])
const KNOWN = new Set([...LOOKUP_TERMS, 'all', 'ip4', 'ip6', 'exp'])

/** Parses the mechanisms and modifiers of an SPF record, in order. */
export function parseSpf(record: string): SpfTerm[] {
  return record
    .trim()
    .split(/\s+/)
    .slice(1)
    .map((term) => {
      const [, qualifier = '', mechanism = '', value = ''] = /^([+\-~?]?)([^:/=]*)[:=]?(.*)$/.exec(term) ?? []
      return { qualifier: (qualifier || '+') as SpfTerm['qualifier'], mechanism: mechanism.toLowerCase(), value }
    })
}

export function spfRecords(texts: readonly string[]): string[] {
  return texts.filter((text) => /^v=spf1(\s|$)/i.test(text.trim()))
}

/** Whether a term causes a DNS lookup; ten are allowed (RFC 7208). */
export function needsDnsLookup({ mechanism }: SpfTerm): boolean {
  return LOOKUP_TERMS.has(mechanism)
}

/** @param lookups how many DNS lookups the record needs, including its included records; null if unknown */
export function checkSpf({
  domain,
  texts,
  lookups,
  mailServer,
}: {
  domain: string
  texts: TxtRecords
  lookups: number | null
  mailServer: string
}): MailFinding[] {
  const about = 'SPF'
  if (texts === null) return [lookupFailed(about, domain)]
  const suggested = { name: domain, type: 'TXT', value: `v=spf1 a:${mailServer} ~all` } as const
  const records = spfRecords(texts)
  const [record] = records
  if (record === undefined) {
    const text = `${domain} has no SPF record, so many receivers treat its email as spam. Publish this, or the record that your email provider recommends:`
    return [{ about, verdict: 'wrong', text, publish: suggested }]
  }
  if (records.length > 1) {
    const text = `${domain} has ${records.length} SPF records, so receivers ignore all of them. Keep one that lists all servers.`
    return [{ about, verdict: 'wrong', text }]
  }
  const findings = judgeSpfTerms(parseSpf(record), suggested)
  if (lookups !== null && lookups > MAX_LOOKUPS) {
    const text = `The record requires ${lookups} DNS lookups; with more than ${MAX_LOOKUPS} it is invalid. Remove servers that no longer send for you, or replace "include" with addresses ("ip4:").`
    findings.push({ about, verdict: 'wrong', text })
  }
  return findings.length > 0 ? findings : [{ about, verdict: 'ok', text: `${domain} lists its servers: ${record}` }]
}

function judgeSpfTerms(terms: readonly SpfTerm[], suggested: NonNullable<MailFinding['publish']>): MailFinding[] {
  const about = 'SPF'
  const findings: MailFinding[] = []
  const all = terms.find(({ mechanism }) => mechanism === 'all')
  const unknown = terms.filter(({ mechanism }) => !KNOWN.has(mechanism)).map(({ mechanism }) => mechanism)
  if (unknown.length > 0) {
    findings.push({
      about,
      verdict: 'wrong',
      text: `The record has unknown terms (${unknown.join(', ')}), which makes it invalid. Correct them.`,
    })
  }
  if (all?.qualifier === '+') {
    const text = 'The record ends in "+all", which allows anyone to send in your name. End it in "~all" instead.'
    findings.push({ about, verdict: 'wrong', text, publish: suggested })
  } else if (all?.qualifier === '?') {
    findings.push({
      about,
      verdict: 'look',
      text: 'The record ends in "?all", which leaves other servers undefined. End it in "~all".',
    })
  } else if (!all && !terms.some(({ mechanism }) => mechanism === 'redirect')) {
    findings.push({ about, verdict: 'look', text: 'The record does not cover other servers: end it in "~all".' })
  }
  if (terms.some(({ mechanism }) => mechanism === 'ptr')) {
    findings.push({
      about,
      verdict: 'look',
      text: '"ptr" is deprecated and slow: list the servers with "a:" or "ip4:" instead.',
    })
  }
  return findings
}

export interface DkimKey {
  domain: string
  selector: string
  type: 'rsa' | 'ed25519' | 'other'
  bits: number
  /** The public half of our key, in base64 as published. */
  publicKey: string
}

const WEAK_BITS = 1_024
const GOOD_BITS = 2_048

/** @param key the site's key; null if the site does not sign, `unreadable` if its key is invalid */
export function checkDkim(key: DkimKey | null | 'unreadable', texts: TxtRecords): MailFinding[] {
  const about = 'DKIM'
  if (key === 'unreadable') {
    return [
      {
        about,
        verdict: 'wrong',
        text: 'DKIM_PRIVATE_KEY is not a private key in PEM format, so no email can be sent. Copy it again, with \\n for line breaks.',
      },
    ]
  }
  if (key === null) {
    return [
      {
        about,
        verdict: 'look',
        text: 'The site does not sign its emails. That is fine if your mail server signs them; otherwise set DKIM_DOMAIN, DKIM_SELECTOR and DKIM_PRIVATE_KEY.',
      },
    ]
  }
  const name = `${key.selector}._domainkey.${key.domain}`
  if (texts === null) return [lookupFailed(about, name)]
  const publish = {
    name,
    type: 'TXT',
    value: `v=DKIM1; k=${key.type === 'ed25519' ? 'ed25519' : 'rsa'}; p=${key.publicKey}`,
  } as const
  const records = texts.filter((text) => /(^|;)\s*p\s*=/.test(text))
  const [record] = records
  if (record === undefined) {
    return [
      {
        about,
        verdict: 'wrong',
        text: `Emails are signed with a key that is not published at ${name}. Publish:`,
        publish,
      },
    ]
  }
  if (records.length > 1) {
    return [
      {
        about,
        verdict: 'wrong',
        text: `${name} has ${records.length} keys, and receivers may use the wrong one. Keep this one:`,
        publish,
      },
    ]
  }
  return judgeDkimTags(readTags(record), { key, name, publish })
}

function judgeDkimTags(
  tags: ReadonlyMap<string, string>,
  { key, name, publish }: { key: DkimKey; name: string; publish: NonNullable<MailFinding['publish']> },
): MailFinding[] {
  const about = 'DKIM'
  const published = (tags.get('p') ?? '').replaceAll(/\s/g, '')
  if (published === '')
    return [{ about, verdict: 'wrong', text: `The key at ${name} was withdrawn (its p= is empty). Publish:`, publish }]
  if (published !== key.publicKey) {
    return [
      {
        about,
        verdict: 'wrong',
        text: `The key at ${name} is not the one that signs the emails, so every signature fails. Publish:`,
        publish,
      },
    ]
  }
  const findings: MailFinding[] = []
  if ((tags.get('k') ?? 'rsa') !== (key.type === 'ed25519' ? 'ed25519' : 'rsa')) {
    findings.push({
      about,
      verdict: 'wrong',
      text: `The record has the wrong key type (k=${tags.get('k')}). Publish:`,
      publish,
    })
  }
  if (tags.has('h') && !tags.get('h')?.includes('sha256')) {
    findings.push({
      about,
      verdict: 'wrong',
      text: 'The record forbids SHA-256, which the signatures use: remove h=. Publish:',
      publish,
    })
  }
  if (key.type === 'rsa' && key.bits < WEAK_BITS) {
    findings.push({
      about,
      verdict: 'wrong',
      text: `The key has ${key.bits} bits; receivers ignore keys under ${WEAK_BITS}. Create one with ${GOOD_BITS}.`,
    })
  } else if (key.type === 'rsa' && key.bits < GOOD_BITS) {
    findings.push({
      about,
      verdict: 'look',
      text: `The key has ${key.bits} bits; ${GOOD_BITS} is the current standard.`,
    })
  }
  if (tags.get('t')?.split(':').includes('y')) {
    findings.push({
      about,
      verdict: 'look',
      text: 'The record has t=y (testing): receivers may treat emails as unsigned. Remove it.',
    })
  }
  return findings.length > 0
    ? findings
    : [{ about, verdict: 'ok', text: `The key at ${name} is the one that signs the emails.` }]
}

/** Parses the tags of a DKIM or DMARC record, `v=…; p=…`. */
export function readTags(record: string): Map<string, string> {
  return new Map(
    record.split(';').flatMap((part) => {
      const at = part.indexOf('=')
      return at < 0 ? [] : [[part.slice(0, at).trim().toLowerCase(), part.slice(at + 1).trim()] as const]
    }),
  )
}

export function lookupFailed(about: MailFinding['about'], name: string): MailFinding {
  return {
    about,
    verdict: 'look',
    text: `The DNS lookup of ${name} failed: try again, or set DNS_SERVER.`,
  }
}
