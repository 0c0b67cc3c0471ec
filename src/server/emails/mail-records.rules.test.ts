import { describe, expect, test } from 'vitest'
import { isAligned, judgeDmarc } from './dmarc.rules.ts'
import { judgeDkim, judgeSpf, type DkimKey, type MailFinding, type Texts } from './mail-records.rules.ts'

type Expected = [verdict: MailFinding['verdict'], says: RegExp][]

function expectFindings(findings: readonly MailFinding[], expected: Expected): void {
  expect(findings.map(({ verdict }) => verdict)).toEqual(expected.map(([verdict]) => verdict))
  for (const [index, [, says]] of expected.entries()) expect(findings[index]?.text).toMatch(says)
}

describe('SPF', () => {
  test.each<[string, Texts, number | null, Expected]>([
    ['nobody answers', null, null, [['look', /No name server answered/]]],
    ['none among other texts', ['google-site-verification=x', 'v=spf10 all'], 0, [['wrong', /says nothing/]]],
    ['one that is right', ['v=spf1 include:_spf.example.net ~all'], 2, [['ok', /names its servers/]]],
    ['one that redirects', ['V=SPF1 redirect=_spf.example.net'], 2, [['ok', /names its servers/]]],
    ['two', ['v=spf1 a ~all', 'v=spf1 mx -all'], 1, [['wrong', /has 2 SPF records/]]],
    ['everybody may', ['v=spf1 mx +all'], 1, [['wrong', /whole world/]]],
    ['everybody may, without the sign', ['v=spf1 mx all'], 1, [['wrong', /whole world/]]],
    ['nothing is said of others', ['v=spf1 mx ?all'], 1, [['look', /\?all/]]],
    ['no end', ['v=spf1 mx'], 1, [['look', /end it in "~all"/]]],
    ['ten lookups', ['v=spf1 include:a -all'], 10, [['ok', /names/]]],
    ['eleven lookups', ['v=spf1 include:a -all'], 11, [['wrong', /ask name servers 11 times/]]],
    ['a word it does not know', ['v=spf1 ipv4:192.0.2.1 -all'], 0, [['wrong', /ipv4/]]],
    ['ptr', ['v=spf1 ptr -all'], 1, [['look', /"ptr" is given up/]]],
  ])('%s', (_name, texts, lookups, expected) => {
    expectFindings(judgeSpf({ domain: 'example.org', texts, lookups, mailServer: 'smtp.example.net' }), expected)
  })

  test('what is missing is given as the record to publish', () => {
    const [finding] = judgeSpf({ domain: 'example.org', texts: [], lookups: null, mailServer: 'smtp.example.net' })
    expect(finding?.publish).toEqual({ name: 'example.org', type: 'TXT', value: 'v=spf1 a:smtp.example.net ~all' })
  })
})

describe('DKIM', () => {
  const key: DkimKey = { domain: 'example.org', selector: 'site', type: 'rsa', bits: 2_048, publicKey: 'MIIBOUR' }
  test.each<[string, DkimKey | null | 'unreadable', Texts, Expected]>([
    ['the site does not sign', null, null, [['look', /does not sign/]]],
    ['a key that is none', 'unreadable', null, [['wrong', /no private key/]]],
    ['nobody answers', key, null, [['look', /No name server/]]],
    ['no record', key, [], [['wrong', /nobody can look up at site._domainkey.example.org/]]],
    ['our key', key, ['v=DKIM1; k=rsa; p=MIIBOUR'], [['ok', /is the one/]]],
    ['our key, cut into pieces', key, ['v=DKIM1;p=MIIB OUR'], [['ok', /is the one/]]],
    ['another key', key, ['v=DKIM1; p=MIIBOTHER'], [['wrong', /not the one/]]],
    ['withdrawn', key, ['v=DKIM1; p='], [['wrong', /withdrawn/]]],
    ['two', key, ['p=MIIBOUR', 'p=OLD'], [['wrong', /has 2 keys/]]],
    ['only testing', key, ['v=DKIM1; t=y:s; p=MIIBOUR'], [['look', /t=y/]]],
    ['SHA-1 alone', key, ['v=DKIM1; h=sha1; p=MIIBOUR'], [['wrong', /forbids SHA-256/]]],
    ['another kind', key, ['k=ed25519; p=MIIBOUR'], [['wrong', /another kind/]]],
    ['1,024 bits', { ...key, bits: 1_024 }, ['p=MIIBOUR'], [['look', /1024 bits/]]],
    ['512 bits', { ...key, bits: 512 }, ['p=MIIBOUR'], [['wrong', /512 bits/]]],
    ['ed25519', { ...key, type: 'ed25519', bits: 256 }, ['k=ed25519; p=MIIBOUR'], [['ok', /is the one/]]],
  ])('%s', (_name, ours, texts, expected) => expectFindings(judgeDkim(ours, texts), expected))

  test('the record to publish holds the public half of our key', () => {
    expect(judgeDkim(key, [])[0]?.publish).toEqual({
      name: 'site._domainkey.example.org',
      type: 'TXT',
      value: 'v=DKIM1; k=rsa; p=MIIBOUR',
    })
  })
})

describe('DMARC', () => {
  const GOOD = 'v=DMARC1; p=quarantine; rua=mailto:x@example.org'
  test.each<[string, Texts, string | null, string, Expected]>([
    ['nobody answers', null, null, 'example.org', [['look', /No name server/]]],
    ['none', [], 'example.org', 'example.org', [['wrong', /Begin with/]]],
    ['two', [GOOD, GOOD], 'example.org', 'example.org', [['wrong', /2 DMARC records/]]],
    ['one that is right', [GOOD], 'example.org', 'example.org', [['ok', /which fits/]]],
    [
      'no policy',
      ['v=DMARC1; rua=mailto:x@y.z'],
      'example.org',
      'a.b',
      [
        ['wrong', /no policy/],
        ['ok', /fits/],
      ],
    ],
    [
      'p=none',
      ['v=DMARC1; p=none; rua=mailto:x@y.z'],
      'example.org',
      'a.b',
      [
        ['look', /p=none/],
        ['ok', /fits/],
      ],
    ],
    [
      'nobody is told',
      ['v=DMARC1; p=reject'],
      'example.org',
      'a.b',
      [
        ['look', /rua/],
        ['ok', /fits/],
      ],
    ],
    [
      'half of it',
      [`${GOOD}; pct=50`],
      'example.org',
      'a.b',
      [
        ['look', /50 of 100/],
        ['ok', /fits/],
      ],
    ],
    ['signed for a name below', [GOOD], 'mail.example.org', 'example.net', [['ok', /fits/]]],
    ['the same, strictly', [`${GOOD}; adkim=s`], 'mail.example.org', 'example.net', [['wrong', /neither fits/]]],
    ['signed for somebody else, returned to us', [GOOD], 'example.net', 'bounces.example.org', [['look', /SPF alone/]]],
    [
      'signed for somebody else, returned there',
      [GOOD],
      'example.net',
      'example.net',
      [['wrong', /DKIM_DOMAIN=example.org/]],
    ],
    ['not signed, returned to us', [GOOD], null, 'example.org', [['look', /SPF alone/]]],
    ['not signed, returned elsewhere', [GOOD], null, 'example.net', [['wrong', /BOUNCE_ADDRESS/]]],
  ])('%s', (_name, texts, signedBy, returnedTo, expected) => {
    const asked = { domain: 'example.org', texts, signedBy, returnedTo, officersEmail: 'office@example.org' }
    expectFindings(judgeDmarc(asked), expected)
  })
})

test.each([
  ['example.org', 'EXAMPLE.org', true, true],
  ['mail.example.org', 'example.org', false, true],
  ['mail.example.org', 'example.org', true, false],
  ['a.org', 'b.org', false, false],
  ['mail.gapi.org.uk', 'gapi.org.uk', false, true],
  ['one.org.uk', 'other.org.uk', false, false],
])('%s and %s, strictly %s: %s', (one, other, isStrict, expected) => {
  expect(isAligned(one, other, isStrict)).toBe(expected)
})
