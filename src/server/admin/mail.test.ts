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

/** Runs the command with a DNS server that serves this zone. */
async function run(args: string[], zone: Zone = RIGHT): Promise<{ code: number; output: string }> {
  await using dns = await startDnsServer(zone)
  const { config, database } = app()
  const lines: string[] = []
  const dkim = {
    domain: 'example.org',
    selector: 'site',
    privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }),
  }
  const code = await mail(args, {
    config: { ...config, dnsServer: dns.address, mail: { ...config.mail, dkim } },
    database,
    clock: { now: app().now, close() {} },
    say: (line) => void lines.push(line),
  })
  return { code, output: lines.join('\n') }
}

test('mail test reports that all is well, and sends a signed email', async () => {
  const { code, output } = await run(['test', 'webmaster@example.com'])
  expect(output).not.toMatch(/^(WRONG|look)/m)
  expect(code).toBe(0)
  expect(output).toContain('DKIM: The key at site._domainkey.example.org is the one')
  expect(output).toContain('accepted by mx.example.org')
  const email = app().standins.mails('webmaster@example.com')[0]
  expect(email?.subject).toBe('Test email from the website')
})

test('mail test prints the exact records to publish when there are none', async () => {
  const { code, output } = await run(['test'], {})
  expect(code).toBe(1)
  expect(output).toContain('example.org  TXT  "v=spf1 a:127.0.0.1 ~all"')
  expect(output).toContain(`site._domainkey.example.org  TXT  "v=DKIM1; k=rsa; p=${publicKey}"`)
  expect(output).toContain('_dmarc.example.org  TXT  "v=DMARC1; p=none; rua=mailto:office@example.org"')
  expect(output).toContain('No server accepts email for example.org')
})

test('mail test counts the DNS lookups of an SPF record, included records too', async () => {
  const many = Array.from({ length: 8 }, (_, index) => `a:host${index}.example.net`).join(' ')
  const zone = { ...RIGHT, '_spf.example.net': { txt: [`v=spf1 ${many} include:_spf.example.net -all`] } }
  expect((await run(['test'], zone)).output).toMatch(/requires \d+ DNS lookups/)
})

test('mail test reports an unreachable mail server', async () => {
  const { config } = app()
  const lines: string[] = []
  const code = await mail(['test'], {
    config: { ...config, dnsServer: '127.0.0.1:9', mail: { ...config.mail, smtpUrl: 'smtp://127.0.0.1:9' } },
    database: app().database,
    clock: { now: app().now, close() {} },
    say: (line) => void lines.push(line),
  })
  expect(code).toBe(1)
  expect(lines.join('\n')).toContain('WRONG Server: 127.0.0.1:9 does not respond')
  expect(lines.join('\n')).toContain('The DNS lookup of example.org failed')
})

test('mail resend: a failed or sent email is sent once more, and only once', async () => {
  const email = 'again@example.com'
  const received = () => app().standins.mails(email).length
  await app().standins.control({ mail: 'permanent', times: 1 })
  await app().browser().register({ email })
  await app().drain()
  expect(received()).toBe(0)
  expect((await run(['resend', email])).output).toBe('1 failed email requeued. The running site sends it.')
  await app().drain()
  expect(received()).toBe(1)

  const { output } = await run(['resend', email])
  const id = /^(\S+) {2}\S+ {2}email\.verification {2}done$/m.exec(output)?.[1] ?? ''
  expect((await run(['resend', id])).code).toBe(0)
  await app().drain()
  expect(received()).toBe(2)
  await app().drain()
  expect(received()).toBe(2)
  expect((await run(['resend', 'nobody@example.com'])).code).toBe(1)
  expect((await run(['resend', 'no-such-id'])).code).toBe(1)
})
