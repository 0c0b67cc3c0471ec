/** What was found about one thing, in plain words, with the record to publish when one is missing or wrong. */
export interface MailFinding {
  about: 'SPF' | 'DKIM' | 'DMARC' | 'MX' | 'Server'
  verdict: 'ok' | 'look' | 'wrong'
  text: string
  publish?: { name: string; type: 'TXT'; value: string }
}

/** Texts published under a name; null when no name server answered. */
export type Texts = readonly string[] | null

export interface SpfTerm {
  qualifier: '+' | '-' | '~' | '?'
  mechanism: string
  value: string
}

/** RFC 7208, 4.6.4. */
const MOST_LOOKUPS = 10
const ASKING = new Set(['include', 'a', 'mx', 'ptr', 'exists', 'redirect'])
const KNOWN = new Set([...ASKING, 'all', 'ip4', 'ip6', 'exp'])

/** The mechanisms and modifiers of an SPF record, in their order. */
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

/** Whether a term makes the receiver ask a name server: ten of them are allowed (RFC 7208). */
export function asksNameServer({ mechanism }: SpfTerm): boolean {
  return ASKING.has(mechanism)
}

/** @param lookups how many questions the record costs, those of included records counted; null when unknown */
export function judgeSpf({
  domain,
  texts,
  lookups,
  mailServer,
}: {
  domain: string
  texts: Texts
  lookups: number | null
  mailServer: string
}): MailFinding[] {
  const about = 'SPF'
  if (texts === null) return [unanswered(about, domain)]
  const suggested = { name: domain, type: 'TXT', value: `v=spf1 a:${mailServer} ~all` } as const
  const records = spfRecords(texts)
  const [record] = records
  if (record === undefined) {
    const text = `${domain} says nothing about which servers may send its mail, so many receivers take it for spam. Publish this, or what your mail provider names instead:`
    return [{ about, verdict: 'wrong', text, publish: suggested }]
  }
  if (records.length > 1) {
    const text = `${domain} has ${records.length} SPF records, and receivers then heed none. Keep one that names all servers.`
    return [{ about, verdict: 'wrong', text }]
  }
  const findings = judgeSpfTerms(parseSpf(record), suggested)
  if (lookups !== null && lookups > MOST_LOOKUPS) {
    const text = `The record makes a receiver ask name servers ${lookups} times; more than ${MOST_LOOKUPS} make it void. Take out what no longer sends for you, or replace "include" by addresses ("ip4:").`
    findings.push({ about, verdict: 'wrong', text })
  }
  return findings.length > 0 ? findings : [{ about, verdict: 'ok', text: `${domain} names its servers: ${record}` }]
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
      text: `The record holds words SPF does not know (${unknown.join(', ')}), which makes it void. Correct them.`,
    })
  }
  if (all?.qualifier === '+') {
    const text = 'The record ends in "+all": it allows the whole world to send in your name. End it in "~all" instead.'
    findings.push({ about, verdict: 'wrong', text, publish: suggested })
  } else if (all?.qualifier === '?') {
    findings.push({
      about,
      verdict: 'look',
      text: 'The record ends in "?all", which says nothing about other servers. End it in "~all".',
    })
  } else if (!all && !terms.some(({ mechanism }) => mechanism === 'redirect')) {
    findings.push({ about, verdict: 'look', text: 'The record does not say what of other servers: end it in "~all".' })
  }
  if (terms.some(({ mechanism }) => mechanism === 'ptr')) {
    findings.push({
      about,
      verdict: 'look',
      text: '"ptr" is given up and slow: name the servers with "a:" or "ip4:" instead.',
    })
  }
  return findings
}

export interface DkimKey {
  domain: string
  selector: string
  type: 'rsa' | 'ed25519' | 'other'
  bits: number
  /** The public half of our key, base64 as it is published. */
  publicKey: string
}

const WEAK_BITS = 1_024
const GOOD_BITS = 2_048

/** @param key ours; null when the site does not sign, `unreadable` when its key cannot be read */
export function judgeDkim(key: DkimKey | null | 'unreadable', texts: Texts): MailFinding[] {
  const about = 'DKIM'
  if (key === 'unreadable') {
    return [
      {
        about,
        verdict: 'wrong',
        text: 'DKIM_PRIVATE_KEY is no private key in PEM form: no letter can be sent. Copy it again, with \\n for line ends.',
      },
    ]
  }
  if (key === null) {
    return [
      {
        about,
        verdict: 'look',
        text: 'The site does not sign its letters. That is right when your mail server signs them; else set DKIM_DOMAIN, DKIM_SELECTOR and DKIM_PRIVATE_KEY.',
      },
    ]
  }
  const name = `${key.selector}._domainkey.${key.domain}`
  if (texts === null) return [unanswered(about, name)]
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
        text: `Letters are signed with a key that nobody can look up at ${name}. Publish:`,
        publish,
      },
    ]
  }
  if (records.length > 1) {
    return [
      {
        about,
        verdict: 'wrong',
        text: `${name} has ${records.length} keys, and receivers may take the wrong one. Keep this one:`,
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
        text: `The key at ${name} is not the one that letters are signed with, so every signature fails. Publish:`,
        publish,
      },
    ]
  }
  const findings: MailFinding[] = []
  if ((tags.get('k') ?? 'rsa') !== (key.type === 'ed25519' ? 'ed25519' : 'rsa')) {
    findings.push({
      about,
      verdict: 'wrong',
      text: `The record names another kind of key (k=${tags.get('k')}). Publish:`,
      publish,
    })
  }
  if (tags.has('h') && !tags.get('h')?.includes('sha256')) {
    findings.push({
      about,
      verdict: 'wrong',
      text: 'The record forbids SHA-256, with which letters are signed: leave its h= out. Publish:',
      publish,
    })
  }
  if (key.type === 'rsa' && key.bits < WEAK_BITS) {
    findings.push({
      about,
      verdict: 'wrong',
      text: `The key has ${key.bits} bits; receivers ignore less than ${WEAK_BITS}. Make one of ${GOOD_BITS}.`,
    })
  } else if (key.type === 'rsa' && key.bits < GOOD_BITS) {
    findings.push({ about, verdict: 'look', text: `The key has ${key.bits} bits; ${GOOD_BITS} are usual now.` })
  }
  if (tags.get('t')?.split(':').includes('y')) {
    findings.push({
      about,
      verdict: 'look',
      text: 'The record says t=y, "only testing": receivers may treat letters as if they were not signed. Take it out.',
    })
  }
  return findings.length > 0
    ? findings
    : [{ about, verdict: 'ok', text: `The key at ${name} is the one that letters are signed with.` }]
}

/** `v=…; p=…` of DKIM and DMARC. */
export function readTags(record: string): Map<string, string> {
  return new Map(
    record.split(';').flatMap((part) => {
      const at = part.indexOf('=')
      return at < 0 ? [] : [[part.slice(0, at).trim().toLowerCase(), part.slice(at + 1).trim()] as const]
    }),
  )
}

export function unanswered(about: MailFinding['about'], name: string): MailFinding {
  return {
    about,
    verdict: 'look',
    text: `No name server answered about ${name}: try again, or name one with DNS_SERVER.`,
  }
}
