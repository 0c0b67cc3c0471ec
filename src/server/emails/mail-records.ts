import { createPrivateKey, createPublicKey } from 'node:crypto'
import { Resolver } from 'node:dns/promises'
import type { Config } from '../config/config.ts'
import { judgeDmarc, registeredDomain } from './dmarc.rules.ts'
import { domainOf } from './mailer.ts'
import {
  asksNameServer,
  judgeDkim,
  judgeSpf,
  parseSpf,
  spfRecords,
  type DkimKey,
  type MailFinding,
  type SpfTerm,
  type Texts,
} from './mail-records.rules.ts'

const NOT_THERE = new Set(['ENOTFOUND', 'ENODATA'])
const TIMEOUT_MS = 2_000
/** Records that include each other must end ours. */
const DEEPEST = 10
/** Of an Ed25519 key the last 32 bytes of its form are what is published (RFC 8463). */
const ED25519_BYTES = 32

/** What the world is told about the domain letters come from, and whether it fits what the site does. */
export async function checkMailRecords({ mail, officersEmail, dnsServer }: Config): Promise<MailFinding[]> {
  const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: 2 })
  if (dnsServer) resolver.setServers([dnsServer])
  const { domain } = domainOf(mail.from)
  const returnedTo = mail.bounceAddress ? domainOf(mail.bounceAddress).domain : domain
  const mailServer = new URL(mail.smtpUrl).hostname
  const key = readKey(mail.dkim)

  const spf = await textsOf(resolver, returnedTo)
  const dkim = isKey(key) ? await textsOf(resolver, `${key.selector}._domainkey.${key.domain}`) : null
  return [
    ...judgeSpf({ domain: returnedTo, texts: spf, lookups: spf && (await countLookups(resolver, spf)), mailServer }),
    ...judgeDkim(key, dkim),
    ...judgeDmarc({
      domain,
      texts: await dmarcOf(resolver, domain),
      signedBy: isKey(key) ? key.domain : null,
      returnedTo,
      officersEmail,
    }),
    await judgeReturn(resolver, returnedTo),
  ]
}

function isKey(key: ReturnType<typeof readKey>): key is DkimKey {
  return key !== null && key !== 'unreadable'
}

/** The public half of the key that letters are signed with. */
function readKey(dkim: Config['mail']['dkim']): DkimKey | null | 'unreadable' {
  if (!dkim) return null
  try {
    const privateKey = createPrivateKey(dkim.privateKey)
    const bytes = createPublicKey(privateKey).export({ type: 'spki', format: 'der' })
    const isEd25519 = privateKey.asymmetricKeyType === 'ed25519'
    return {
      domain: dkim.domain,
      selector: dkim.selector,
      type: isEd25519 ? 'ed25519' : privateKey.asymmetricKeyType === 'rsa' ? 'rsa' : 'other',
      bits: privateKey.asymmetricKeyDetails?.modulusLength ?? 0,
      publicKey: (isEd25519 ? bytes.subarray(-ED25519_BYTES) : bytes).toString('base64'),
    }
  } catch {
    return 'unreadable'
  }
}

async function textsOf(resolver: Resolver, name: string): Promise<Texts> {
  try {
    return (await resolver.resolveTxt(name)).map((pieces) => pieces.join(''))
  } catch (error) {
    return NOT_THERE.has((error as NodeJS.ErrnoException).code ?? '') ? [] : null
  }
}

/** Of the domain, or of the registered one above it (RFC 7489, 6.6.3). */
async function dmarcOf(resolver: Resolver, domain: string): Promise<Texts> {
  const own = await textsOf(resolver, `_dmarc.${domain}`)
  const above = registeredDomain(domain)
  return own?.length === 0 && above !== domain ? textsOf(resolver, `_dmarc.${above}`) : own
}

async function countLookups(resolver: Resolver, texts: readonly string[], depth = 0): Promise<number> {
  const [record] = spfRecords(texts)
  if (record === undefined || depth > DEEPEST) return 0
  const asking = parseSpf(record).filter(asksNameServer)
  let count = asking.length
  for (const { value } of asking.filter(isReference)) {
    count += await countLookups(resolver, (await textsOf(resolver, value)) ?? [], depth + 1)
  }
  return count
}

function isReference({ mechanism }: SpfTerm): boolean {
  return mechanism === 'include' || mechanism === 'redirect'
}

/** Letters that come back must arrive somewhere. */
async function judgeReturn(resolver: Resolver, domain: string): Promise<MailFinding> {
  try {
    const servers = await resolver.resolveMx(domain)
    const names = servers.map(({ exchange }) => exchange).join(', ')
    return { about: 'MX', verdict: 'ok', text: `Letters that come back to ${domain} are taken by ${names}.` }
  } catch (error) {
    if (!NOT_THERE.has((error as NodeJS.ErrnoException).code ?? '')) {
      return { about: 'MX', verdict: 'look', text: `No name server answered about ${domain}.` }
    }
    const text = `No server takes mail for ${domain}, so letters that come back, and answers, are lost. Set its MX record, or BOUNCE_ADDRESS to an address that receives mail.`
    return { about: 'MX', verdict: 'wrong', text }
  }
}
