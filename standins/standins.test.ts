import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createTransport } from 'nodemailer'
import { expect, test } from 'vitest'
import type { Mail } from './mail-store.ts'
import type { Standins } from './standins.ts'
import { startStandins } from './standins.ts'
import { DAY_MS, openBench, temporaryFolder } from './testing.ts'

const EMAIL = {
  from: '"The Association" <office@example.org>',
  to: 'Ana <Ana@example.org>',
  subject: 'Verify your address – now',
  text: 'Open https://site.example/verify?token=t1 please.',
  html: '<p>Open <a href="https://site.example/verify?token=t1">this</a>.</p>',
  headers: { 'X-Kind': ['one', 'two'] },
}

function sender({ smtpPort }: Standins) {
  return createTransport({ host: '127.0.0.1', port: smtpPort, secure: false, ignoreTLS: true })
}

test('an email can be read as JSON, as a page and as raw source', async () => {
  await using bench = await openBench()
  const { standins } = bench
  await sender(standins).sendMail(EMAIL)
  await sender(standins).sendMail({ ...EMAIL, to: 'bela@example.org', subject: 'Second' })
  const get = async (query: string) =>
    (await (await fetch(`${standins.url}/mail/messages.json${query}`)).json()) as Mail[]
  expect((await get('')).map(({ subject }) => subject)).toEqual(['Second', EMAIL.subject])
  expect(await get('?limit=1')).toHaveLength(1)
  const [mail] = await get('?to=ana@EXAMPLE.org')
  expect(mail).toMatchObject({ id: '1', from: 'office@example.org', to: ['Ana@example.org'], subject: EMAIL.subject })
  expect(mail!.text.trim()).toBe(EMAIL.text)
  expect(mail!.html).toBe(`${EMAIL.html}\n`)
  expect(mail!.headers['x-kind']).toEqual(['one', 'two'])
  expect(standins.mails('ANA@example.org')).toEqual([mail])
  const page = await (await fetch(`${standins.url}/mail/messages/1`)).text()
  expect(page).toContain('sandbox=')
  expect(page).toContain('<a href="https://site.example/verify?token=t1">')
  expect(await (await fetch(`${standins.url}/mail/messages/1/html`)).text()).toContain('<base target="_top">')
  expect(await (await fetch(`${standins.url}/mail/messages/1/raw`)).text()).toMatch(/^From: The Association <office/m)
})

test.each([
  ['permanent', 550, 0],
  ['temporary', 451, 0],
  ['error', 554, 0],
  ['lostReply', undefined, 1],
  ['refuse', undefined, 0],
  ['reset', undefined, 0],
] as const)('mail %s is reported to the sender and then over', async (mail, responseCode, kept) => {
  await using bench = await openBench()
  const { standins } = bench
  await standins.control({ mail, times: 1 })
  await expect(sender(standins).sendMail(EMAIL)).rejects.toMatchObject(responseCode ? { responseCode } : {})
  expect(standins.mails()).toHaveLength(kept)
  await sender(standins).sendMail(EMAIL)
  expect(standins.mails()).toHaveLength(kept + 1)
})

test('a bot-check token is valid once, within two minutes, with the score at its creation', async () => {
  await using bench = await openBench({ siteUrl: 'http://localhost:1' })
  const { standins } = bench
  const tokenFor = async (query: string) =>
    ((await (await fetch(`${standins.url}/recaptcha/token?${query}`)).json()) as { token: string }).token
  const verify = async (response: string, secret = 'standin-secret') => {
    const body = new URLSearchParams({ secret, response })
    return (await fetch(`${standins.url}/recaptcha/api/siteverify`, { method: 'POST', body })).json()
  }
  const token = await tokenFor('action=login')
  expect(await verify(token, 'other')).toEqual({ success: false, 'error-codes': ['invalid-input-secret'] })
  expect(await verify(token)).toMatchObject({ success: true, action: 'login', score: 0.9, hostname: 'localhost' })
  expect(await verify(token)).toEqual({ success: false, 'error-codes': ['timeout-or-duplicate'] })
  expect(await verify('none')).toEqual({ success: false, 'error-codes': ['invalid-input-response'] })
  await standins.control({ botScore: 0.4 })
  expect(await verify(await tokenFor('action=login'))).toMatchObject({ score: 0.4 })
  expect(await verify(await tokenFor('action=login&score=0.7'))).toMatchObject({ score: 0.7 })
  const old = await tokenFor('action=login')
  await standins.control({ advanceMs: 120_000 })
  expect(await verify(old)).toEqual({ success: false, 'error-codes': ['timeout-or-duplicate'] })
  await standins.control({ reset: true, bot: 'error', times: 1 })
  await expect(verify(old)).resolves.toEqual({ error: 'Internal error.' })
})

test('objects are stored, listed in pages, read in ranges and deleted', async () => {
  await using bench = await openBench()
  const at = `${bench.standins.url}/s3/home`
  for (const name of ['hero/a b.jpg', 'hero/b.jpg', 'gallery/c.jpg']) {
    const body = `picture ${name}`
    await fetch(`${at}/${encodeURI(name)}`, { method: 'PUT', body, headers: { 'content-type': 'image/jpeg' } })
  }
  const list = async (query: string) => (await fetch(`${at}?list-type=2&${query}`)).text()
  const first = await list('prefix=hero/&max-keys=1')
  expect(first).toContain('<Key>hero/a b.jpg</Key>')
  expect(first).toContain('<IsTruncated>true</IsTruncated>')
  const token = /<NextContinuationToken>(.*?)</.exec(first)![1]!
  const second = await list(`prefix=hero/&max-keys=1&continuation-token=${token}`)
  expect(second).toContain('<Key>hero/b.jpg</Key>')
  expect(second).toContain('<IsTruncated>false</IsTruncated>')
  expect(await list('delimiter=/')).toContain('<CommonPrefixes><Prefix>gallery/</Prefix></CommonPrefixes>')
  const got = await fetch(`${at}/hero/a%20b.jpg`)
  expect([got.headers.get('content-type'), await got.text()]).toEqual(['image/jpeg', 'picture hero/a b.jpg'])
  const head = await fetch(`${at}/hero/b.jpg`, { method: 'HEAD' })
  expect(head.headers.get('content-length')).toBe('18')
  const part = await fetch(`${at}/hero/b.jpg`, { headers: { range: 'bytes=0-6' } })
  expect([part.status, await part.text()]).toEqual([206, 'picture'])
  expect((await fetch(`${at}/hero/b.jpg`, { method: 'DELETE' })).status).toBe(204)
  const gone = await fetch(`${at}/hero/b.jpg`)
  expect([gone.status, await gone.text()]).toEqual([404, expect.stringContaining('<Code>NoSuchKey</Code>')])
})

test('advancing the clock writes the file and waits until the site has read it', async () => {
  using folder = temporaryFolder()
  const clockFile = join(folder.path, 'clock.json')
  await using bench = await openBench({ clockFile })
  const seen = join(folder.path, `clock.seen.${process.pid}.json`)
  writeFileSync(seen, '{"offsetMs":0}')
  let answered = false
  const advanced = bench.standins.control({ advanceMs: DAY_MS }).then(() => (answered = true))
  await expect.poll(() => readFileSync(clockFile, 'utf8')).toBe(`{"offsetMs":${DAY_MS}}`)
  expect(answered).toBe(false)
  writeFileSync(seen, `{"offsetMs":${DAY_MS}}`)
  await advanced
  rmSync(seen)
  await bench.standins.control({ reset: true })
  expect(readFileSync(clockFile, 'utf8')).toBe('{"offsetMs":0}')
})

test('all state survives a restart', async () => {
  using folder = temporaryFolder()
  const options = { directory: folder.path, persist: true }
  let session: { id: string } = { id: '' }
  let token = ''
  {
    await using bench = await openBench(options)
    session = await bench.paymentSession(5000)
    await bench.stripe.customers.create({ email: 'ana@example.org' }, { idempotencyKey: 'k1' })
    await sender(bench.standins).sendMail(EMAIL)
    await fetch(`${bench.standins.url}/s3/home/a.txt`, { method: 'PUT', body: 'kept' })
    token = ((await (await fetch(`${bench.standins.url}/recaptcha/token?action=login`)).json()) as { token: string })
      .token
    await bench.pay(session)
  }
  await using bench = await openBench({ ...options, parseMailsAtOnce: false })
  const paid = await bench.stripe.checkout.sessions.retrieve(session.id, { expand: ['line_items'] })
  expect(paid).toMatchObject({ status: 'complete', line_items: { data: [{ amount_total: 5000 }] } })
  await bench.stripe.customers.create({ email: 'ana@example.org' }, { idempotencyKey: 'k1' })
  expect(bench.standins.stripe.customers()).toHaveLength(1)
  const mails = await (await fetch(`${bench.standins.url}/mail/messages.json?to=ana@example.org`)).json()
  expect(mails).toMatchObject([{ id: '1', subject: EMAIL.subject }])
  expect(await (await fetch(`${bench.standins.url}/s3/home/a.txt`)).text()).toBe('kept')
  const body = new URLSearchParams({ secret: 'standin-secret', response: token })
  const verified = await fetch(`${bench.standins.url}/recaptcha/api/siteverify`, { method: 'POST', body })
  expect(await verified.json()).toMatchObject({ success: true })
})

test('a taken port is reported', async () => {
  await using bench = await openBench()
  const { port } = bench.standins
  const second = startStandins({ directory: '', port, smtpPort: 0, persist: false })
  await expect(second).rejects.toMatchObject({ code: 'EADDRINUSE', port })
})
