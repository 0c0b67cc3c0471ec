import { createPrivateKey, createPublicKey } from 'node:crypto'
import { Resolver } from 'node:dns/promises'
import type { Config } from '#server/config/config.ts'
import { checkDmarc, organizationalDomain } from './dmarc.rules.ts'
import { parseSender } from './mailer.ts'
import {
  needsDnsLookup,
  checkDkim,
  checkSpf,
  parseSpf,
  spfRecords,
  type DkimKey,
  type MailFinding,
  type SpfTerm,
  type TxtRecords,
} from './mail-records.rules.ts'

const NOT_FOUND_CODES = new Set(['ENOTFOUND', 'ENODATA'])
const TIMEOUT_MS = 2_000
/** Limits recursion of records that include each other. */
const MAX_DEPTH = 10
/** The last 32 bytes of an Ed25519 SPKI key are what is published (RFC 8463). */
const ED25519_BYTES = 32

/** Checks the published DNS records of the sender's domain against the site's configuration. */
export async function checkMailRecords({ mail, officersEmail, dnsServer }: Config): Promise<MailFinding[]> {
  const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: 2 })
  if (dnsServer) resolver.setServers([dnsServer])
  const { domain } = parseSender(mail.from)
  const returnedTo = mail.bounceAddress ? parseSender(mail.bounceAddress).domain : domain
  const mailServer = new URL(mail.smtpUrl).hostname
  const key = readKey(mail.dkim)

  const spf = await lookUpTxt(resolver, returnedTo)
  const dkim = isKey(key) ? await lookUpTxt(resolver, `${key.selector}._domainkey.${key.domain}`) : null
  return [
    ...checkSpf({ domain: returnedTo, texts: spf, lookups: spf && (await countLookups(resolver, spf)), mailServer }),
    ...checkDkim(key, dkim),
    ...checkDmarc({
      domain,
      texts: await lookUpDmarc(resolver, domain),
      signedBy: isKey(key) ? key.domain : null,
      returnedTo,
      officersEmail,
    }),
    await judgeBounceDomain(resolver, returnedTo),
  ]
}

function isKey(key: ReturnType<typeof readKey>): key is DkimKey {
  return key !== null && key !== 'unreadable'
}

/** The public half of the DKIM key. */
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

async function lookUpTxt(resolver: Resolver, name: string): Promise<TxtRecords> {
  try {
    return (await resolver.resolveTxt(name)).map((pieces) => pieces.join(''))
  } catch (error) {
    return NOT_FOUND_CODES.has((error as NodeJS.ErrnoException).code ?? '') ? [] : null
  }
}

/** The records of the domain, or of its organizational domain (RFC 7489, 6.6.3). */
async function lookUpDmarc(resolver: Resolver, domain: string): Promise<TxtRecords> {
  const own = await lookUpTxt(resolver, `_dmarc.${domain}`)
  const parent = organizationalDomain(domain)
  return own?.length === 0 && parent !== domain ? lookUpTxt(resolver, `_dmarc.${parent}`) : own
}

async function countLookups(resolver: Resolver, texts: readonly string[], depth = 0): Promise<number> {
  const [record] = spfRecords(texts)
  if (record === undefined || depth > MAX_DEPTH) return 0
  const lookups = parseSpf(record).filter(needsDnsLookup)
  let count = lookups.length
  for (const { value } of lookups.filter(isReference)) {
    count += await countLookups(resolver, (await lookUpTxt(resolver, value)) ?? [], depth + 1)
  }
  return count
}

function isReference({ mechanism }: SpfTerm): boolean {
  return mechanism === 'include' || mechanism === 'redirect'
}

/** Bounces must be deliverable. */
async function judgeBounceDomain(resolver: Resolver, domain: string): Promise<MailFinding> {
  try {
    const servers = await resolver.resolveMx(domain)
    const names = servers.map(({ exchange }) => exchange).join(', ')
    return { about: 'MX', verdict: 'ok', text: `Bounces to ${domain} are accepted by ${names}.` }
  } catch (error) {
    if (!NOT_FOUND_CODES.has((error as NodeJS.ErrnoException).code ?? '')) {
      return { about: 'MX', verdict: 'look', text: `The DNS lookup of ${domain} failed.` }
    }
    const text = `No server accepts email for ${domain}, so bounces and replies are lost. Set its MX record, or set BOUNCE_ADDRESS to an address that receives email.`
    return { about: 'MX', verdict: 'wrong', text }
  }
}
