import { createPublicKey, generateKeyPairSync } from 'node:crypto'
import { expect, test } from 'vitest'
import { startDnsServer, type Zone } from '#tests/support/dns-server.ts'
import { useTestApp } from '#tests/support/use-test-app.ts'
import { mail } from './mail.ts'

const app = useTestApp()
const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 })
const publicKey = createPublicKey(privateKey).export({ type: 'spki', format: 'der' }).toString('base64')

const RIGHT: Zone = {
  'example.org': { txt: ['v=spf1 include:_spf.example.net ~all'], mx: 'mx.example.org' },
  '_spf.example.net': { txt: ['v=spf1 ip4:192.0.2.0/24 a mx -all'] },
  'site._domainkey.example.org': { txt: [`v=DKIM1; k=rsa; p=${publicKey}`] },
  '_dmarc.example.org': { txt: ['v=DMARC1; p=reject; rua=mailto:office@example.org'] },
}

/** Runs it as the command would, asking a name server that knows this zone. */
async function run(words: string[], zone: Zone = RIGHT): Promise<{ code: number; said: string }> {
  await using dns = await startDnsServer(zone)
  const { config, database } = app()
  const lines: string[] = []
  const dkim = {
    domain: 'example.org',
    selector: 'site',
    privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }),
  }
  const code = await mail(words, {
    config: { ...config, dnsServer: dns.address, mail: { ...config.mail, dkim } },
    database,
    clock: { now: app().now, close() {} },
    say: (line) => void lines.push(line),
  })
  return { code, said: lines.join('\n') }
}

test('mail test says that all is well, and sends a letter that is signed', async () => {
  const { code, said } = await run(['test', 'webmaster@example.com'])
  expect(said).not.toMatch(/^(WRONG|look)/m)
  expect(code).toBe(0)
  expect(said).toContain('DKIM: The key at site._domainkey.example.org is the one')
  expect(said).toContain('taken by mx.example.org')
  const letter = app().standins.mails('webmaster@example.com')[0]
  expect(letter?.subject).toBe('A test letter from the website')
})

test('mail test gives the exact records to publish when there are none', async () => {
  const { code, said } = await run(['test'], {})
  expect(code).toBe(1)
  expect(said).toContain('example.org  TXT  "v=spf1 a:127.0.0.1 ~all"')
  expect(said).toContain(`site._domainkey.example.org  TXT  "v=DKIM1; k=rsa; p=${publicKey}"`)
  expect(said).toContain('_dmarc.example.org  TXT  "v=DMARC1; p=none; rua=mailto:office@example.org"')
  expect(said).toContain('No server takes mail for example.org')
})

test('mail test counts what an SPF record makes receivers ask, included records too', async () => {
  const many = Array.from({ length: 8 }, (_, index) => `a:host${index}.example.net`).join(' ')
  const zone = { ...RIGHT, '_spf.example.net': { txt: [`v=spf1 ${many} include:_spf.example.net -all`] } }
  expect((await run(['test'], zone)).said).toMatch(/makes a receiver ask name servers \d+ times/)
})

test('mail test says when the mail server is away', async () => {
  const { config } = app()
  const lines: string[] = []
  const code = await mail(['test'], {
    config: { ...config, dnsServer: '127.0.0.1:9', mail: { ...config.mail, smtpUrl: 'smtp://127.0.0.1:9' } },
    database: app().database,
    clock: { now: app().now, close() {} },
    say: (line) => void lines.push(line),
  })
  expect(code).toBe(1)
  expect(lines.join('\n')).toContain('WRONG Server: 127.0.0.1:9 does not answer')
  expect(lines.join('\n')).toContain('No name server answered about example.org')
})

test('mail resend: a given-up letter goes out, a sent one goes out once more, and neither twice', async () => {
  const email = 'again@example.com'
  const received = () => app().standins.mails(email).length
  await app().standins.control({ mail: 'permanent', times: 1 })
  await app().browser().register({ email })
  await app().settle()
  expect(received()).toBe(0)
  expect((await run(['resend', email])).said).toBe('1 given-up letter put back; the running site sends them.')
  await app().settle()
  expect(received()).toBe(1)

  const { said } = await run(['resend', email])
  const id = /^(\S+) {2}\S+ {2}letter\.verification {2}done$/m.exec(said)?.[1] ?? ''
  expect((await run(['resend', id])).code).toBe(0)
  await app().settle()
  expect(received()).toBe(2)
  await app().settle()
  expect(received()).toBe(2)
  expect((await run(['resend', 'nobody@example.com'])).code).toBe(1)
  expect((await run(['resend', 'no-such-id'])).code).toBe(1)
})
