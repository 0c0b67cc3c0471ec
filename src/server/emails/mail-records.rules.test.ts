import { describe, expect, test } from 'vitest'
import { isAligned, checkDmarc } from './dmarc.rules.ts'
import { checkDkim, checkSpf, type DkimKey, type MailFinding, type TxtRecords } from './mail-records.rules.ts'

type Expected = [verdict: MailFinding['verdict'], says: RegExp][]

function expectFindings(findings: readonly MailFinding[], expected: Expected): void {
  expect(findings.map(({ verdict }) => verdict)).toEqual(expected.map(([verdict]) => verdict))
  for (const [index, [, says]] of expected.entries()) expect(findings[index]?.text).toMatch(says)
}

describe('SPF', () => {
  test.each<[string, TxtRecords, number | null, Expected]>([
    ['the lookup fails', null, null, [['look', /DNS lookup of .* failed/]]],
    ['none among other texts', ['google-site-verification=x', 'v=spf10 all'], 0, [['wrong', /has no SPF record/]]],
    ['a valid record', ['v=spf1 include:_spf.example.net ~all'], 2, [['ok', /lists its servers/]]],
    ['one that redirects', ['V=SPF1 redirect=_spf.example.net'], 2, [['ok', /lists its servers/]]],
    ['two', ['v=spf1 a ~all', 'v=spf1 mx -all'], 1, [['wrong', /has 2 SPF records/]]],
    ['+all', ['v=spf1 mx +all'], 1, [['wrong', /allows anyone/]]],
    ['all without a qualifier', ['v=spf1 mx all'], 1, [['wrong', /allows anyone/]]],
    ['?all', ['v=spf1 mx ?all'], 1, [['look', /\?all/]]],
    ['no all', ['v=spf1 mx'], 1, [['look', /end it in "~all"/]]],
    ['ten lookups', ['v=spf1 include:a -all'], 10, [['ok', /lists/]]],
    ['eleven lookups', ['v=spf1 include:a -all'], 11, [['wrong', /requires 11 DNS lookups/]]],
    ['an unknown term', ['v=spf1 ipv4:192.0.2.1 -all'], 0, [['wrong', /ipv4/]]],
    ['ptr', ['v=spf1 ptr -all'], 1, [['look', /"ptr" is deprecated/]]],
  ])('%s', (_name, texts, lookups, expected) => {
    expectFindings(checkSpf({ domain: 'example.org', texts, lookups, mailServer: 'smtp.example.net' }), expected)
  })

  test('a missing record is returned as the record to publish', () => {
    const [finding] = checkSpf({ domain: 'example.org', texts: [], lookups: null, mailServer: 'smtp.example.net' })
    expect(finding?.publish).toEqual({ name: 'example.org', type: 'TXT', value: 'v=spf1 a:smtp.example.net ~all' })
  })
})

describe('DKIM', () => {
  const key: DkimKey = { domain: 'example.org', selector: 'site', type: 'rsa', bits: 2_048, publicKey: 'MIIBOUR' }
  test.each<[string, DkimKey | null | 'unreadable', TxtRecords, Expected]>([
    ['the site does not sign', null, null, [['look', /does not sign/]]],
    ['an invalid key', 'unreadable', null, [['wrong', /not a private key/]]],
    ['the lookup fails', key, null, [['look', /DNS lookup/]]],
    ['no record', key, [], [['wrong', /not published at site._domainkey.example.org/]]],
    ['our key', key, ['v=DKIM1; k=rsa; p=MIIBOUR'], [['ok', /is the one/]]],
    ['our key, with spaces', key, ['v=DKIM1;p=MIIB OUR'], [['ok', /is the one/]]],
    ['another key', key, ['v=DKIM1; p=MIIBOTHER'], [['wrong', /not the one/]]],
    ['withdrawn', key, ['v=DKIM1; p='], [['wrong', /withdrawn/]]],
    ['two', key, ['p=MIIBOUR', 'p=OLD'], [['wrong', /has 2 keys/]]],
    ['only testing', key, ['v=DKIM1; t=y:s; p=MIIBOUR'], [['look', /t=y/]]],
    ['SHA-1 alone', key, ['v=DKIM1; h=sha1; p=MIIBOUR'], [['wrong', /forbids SHA-256/]]],
    ['another key type', key, ['k=ed25519; p=MIIBOUR'], [['wrong', /wrong key type/]]],
    ['1,024 bits', { ...key, bits: 1_024 }, ['p=MIIBOUR'], [['look', /1024 bits/]]],
    ['512 bits', { ...key, bits: 512 }, ['p=MIIBOUR'], [['wrong', /512 bits/]]],
    ['ed25519', { ...key, type: 'ed25519', bits: 256 }, ['k=ed25519; p=MIIBOUR'], [['ok', /is the one/]]],
  ])('%s', (_name, ours, texts, expected) => expectFindings(checkDkim(ours, texts), expected))

  test('the record to publish has the public half of our key', () => {
    expect(checkDkim(key, [])[0]?.publish).toEqual({
      name: 'site._domainkey.example.org',
      type: 'TXT',
      value: 'v=DKIM1; k=rsa; p=MIIBOUR',
    })
  })
})

describe('DMARC', () => {
  const GOOD = 'v=DMARC1; p=quarantine; rua=mailto:x@example.org'
  test.each<[string, TxtRecords, string | null, string, Expected]>([
    ['the lookup fails', null, null, 'example.org', [['look', /DNS lookup/]]],
    ['none', [], 'example.org', 'example.org', [['wrong', /Start with/]]],
    ['two', [GOOD, GOOD], 'example.org', 'example.org', [['wrong', /2 DMARC records/]]],
    ['a valid record', [GOOD], 'example.org', 'example.org', [['ok', /which matches/]]],
    [
      'no policy',
      ['v=DMARC1; rua=mailto:x@y.z'],
      'example.org',
      'a.b',
      [
        ['wrong', /no policy/],
        ['ok', /matches/],
      ],
    ],
    [
      'p=none',
      ['v=DMARC1; p=none; rua=mailto:x@y.z'],
      'example.org',
      'a.b',
      [
        ['look', /p=none/],
        ['ok', /matches/],
      ],
    ],
    [
      'no reports',
      ['v=DMARC1; p=reject'],
      'example.org',
      'a.b',
      [
        ['look', /rua/],
        ['ok', /matches/],
      ],
    ],
    [
      'half of it',
      [`${GOOD}; pct=50`],
      'example.org',
      'a.b',
      [
        ['look', /50% of emails/],
        ['ok', /matches/],
      ],
    ],
    ['signed for a subdomain', [GOOD], 'mail.example.org', 'example.net', [['ok', /matches/]]],
    ['the same, strictly', [`${GOOD}; adkim=s`], 'mail.example.org', 'example.net', [['wrong', /neither matches/]]],
    [
      'signed for another domain, bounces to ours',
      [GOOD],
      'example.net',
      'bounces.example.org',
      [['look', /SPF alone/]],
    ],
    [
      'signed for another domain, bounces there',
      [GOOD],
      'example.net',
      'example.net',
      [['wrong', /DKIM_DOMAIN=example.org/]],
    ],
    ['not signed, bounces to our domain', [GOOD], null, 'example.org', [['look', /SPF alone/]]],
    ['not signed, bounces elsewhere', [GOOD], null, 'example.net', [['wrong', /BOUNCE_ADDRESS/]]],
  ])('%s', (_name, texts, signedBy, returnedTo, expected) => {
    const options = { domain: 'example.org', texts, signedBy, returnedTo, officersEmail: 'office@example.org' }
    expectFindings(checkDmarc(options), expected)
  })
})

test.each([
  ['example.org', 'EXAMPLE.org', true, true],
  ['mail.example.org', 'example.org', false, true],
  ['mail.example.org', 'example.org', true, false],
  ['a.org', 'b.org', false, false],
  ['mail.gapi.org.uk', 'gapi.org.uk', false, true],
  ['one.org.uk', 'other.org.uk', false, false],
])('%s and %s, strict %s: %s', (one, other, isStrict, expected) => {
  expect(isAligned(one, other, isStrict)).toBe(expected)
})
