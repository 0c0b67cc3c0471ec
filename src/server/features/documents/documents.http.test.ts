import { PDFDocument, PDFName, PDFString } from 'pdf-lib'
import { beforeAll, describe, expect, test } from 'vitest'
import { DOCUMENT_MAX_BYTES, type DocumentDetail } from '#contract/console/website/documents.ts'
import { officerWith, recordSecondFactor } from '#tests/support/officers.ts'
import type { TestBrowser } from '#tests/support/browser/test-browser.ts'
import { useTestApp } from '#tests/support/use-test-app.ts'

const app = useTestApp({ environment: { RATE_LIMITS: 'x100' }, samples: true })
let editor: TestBrowser
beforeAll(async () => {
  editor = await officerWith(app(), ['editor'])
})

async function pdf(title: string, change: (document: PDFDocument) => void = () => {}): Promise<Buffer> {
  const document = await PDFDocument.create()
  document.addPage([200, 200])
  document.setTitle(title)
  change(document)
  return Buffer.from(await document.save())
}

async function upload(path: string, bytes: Buffer, by = editor) {
  const headers = { authorization: `Bearer ${by.token}`, 'content-type': 'application/octet-stream' }
  const response = await fetch(`${app().url}/api/console/${path}`, {
    method: 'POST',
    headers,
    body: new Uint8Array(bytes),
  })
  const body = (await response.json()) as DocumentDetail & { code?: string; errors?: Record<string, string> }
  return { status: response.status, body }
}

const add = (filename: string, bytes: Buffer) => upload(`document-files?${new URLSearchParams({ filename })}`, bytes)
const visit = (path: string, init: RequestInit = {}) => fetch(`${app().url}${path}`, init)

describe('a document', () => {
  let bylaws: DocumentDetail
  let first: Buffer

  test('is served at an address made from its title, to be saved, and can do nothing there', async () => {
    first = await pdf('Bylaws')
    const { status, body } = await add('Bylaws_2026.PDF', first)
    expect([status, body.title, body.address, body.pages]).toEqual([
      201,
      'Bylaws 2026',
      '/documents/bylaws-2026.pdf',
      1,
    ])
    bylaws = body
    const answer = await visit(bylaws.address)
    expect([answer.status, Buffer.from(await answer.arrayBuffer()).equals(first)]).toEqual([200, true])
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'application/pdf',
      'content-length': String(first.length),
      'content-disposition': 'attachment; filename="bylaws-2026.pdf"',
      'content-security-policy':
        "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox",
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'cache-control': 'no-cache',
    })
    const again = await visit(bylaws.address, { headers: { 'if-none-match': String(answer.headers.get('etag')) } })
    expect(again.status).toBe(304)
    const head = await visit(bylaws.address, { method: 'HEAD' })
    expect([head.status, head.headers.get('content-length')]).toEqual([200, String(first.length)])
    expect((await visit(bylaws.address, { method: 'DELETE' })).status).toBe(405)
  })

  test('keeps its address when it is replaced; the earlier file can be read by officers and restored', async () => {
    const second = await pdf('Bylaws, amended', (document) => void document.addPage())
    const path = `document-files/${bylaws.id}?filename=new.pdf`
    const stale = await upload(`${path}&version=9`, second)
    expect([stale.status, stale.body.code]).toEqual([409, 'CHANGED_MEANWHILE'])
    const { body } = await upload(`${path}&version=${bylaws.version}`, second)
    expect([body.address, body.pages]).toEqual([bylaws.address, 2])
    expect(body.versions.map(({ number, isCurrent, filename }) => [number, isCurrent, filename])).toEqual([
      [2, true, 'new.pdf'],
      [1, false, 'Bylaws_2026.PDF'],
    ])
    expect(Buffer.from(await (await visit(bylaws.address)).arrayBuffer()).equals(second)).toBe(true)

    const headers = { authorization: `Bearer ${editor.token}` }
    const former = await visit(`/api/console/documents/${bylaws.id}/versions/1`, { headers })
    expect(Buffer.from(await former.arrayBuffer()).equals(first)).toBe(true)
    expect((await visit(`/api/console/documents/${bylaws.id}/versions/1`)).status).toBe(401)

    const restored = await editor.post(`/api/console/documents/${bylaws.id}/restore`, {
      number: 1,
      version: body.version,
    })
    expect(restored.status).toBe(200)
    bylaws = restored.body as DocumentDetail
    expect(bylaws.versions.map(({ number, isCurrent }) => [number, isCurrent])).toEqual([
      [3, true],
      [2, false],
      [1, false],
    ])
    expect(Buffer.from(await (await visit(bylaws.address)).arrayBuffer()).equals(first)).toBe(true)
  })

  test('is renamed without moving, and found by its title', async () => {
    const renamed = await editor.call('PUT', `/api/console/documents/${bylaws.id}`, {
      title: 'The Bylaws',
      version: bylaws.version,
    })
    bylaws = renamed.body as DocumentDetail
    expect([bylaws.title, bylaws.address]).toEqual(['The Bylaws', '/documents/bylaws-2026.pdf'])
    const found = (await editor.get('/api/console/documents?q=the+byLAWS')).body
    expect([found.total, found.documents[0].address]).toEqual([1, bylaws.address])
    expect((await editor.get('/api/console/documents?q=none')).body.total).toBe(0)
  })

  test('is not deleted while a page links to it, and then it is gone', async () => {
    const value = { title: 'Rules', description: 'D', markdown: `Read [them](${bylaws.address}).`, menu: 'none' }
    const at = '/api/console/content/added-pages'
    const page = await editor.call('PUT', `${at}/new`, { value, version: '', action: 'publish' })
    const path = `/api/console/documents/${bylaws.id}`
    expect((await editor.get(path)).body.usedIn).toMatchObject([{ title: 'Rules', what: 'page', how: ['public'] }])
    await recordSecondFactor(app(), editor)
    const refused = await editor.call('DELETE', `${path}?version=${bylaws.version}`)
    expect([refused.status, refused.body.message]).toEqual([
      409,
      'This document is linked from “Rules” (page). Remove the links first.',
    ])
    await editor.call('DELETE', `${at}/rules?version=${page.body.version}`)
    expect((await editor.call('DELETE', `${path}?version=${bylaws.version - 1}`)).status).toBe(409)
    expect((await editor.call('DELETE', `${path}?version=${bylaws.version}`)).status).toBe(204)
    expect((await visit(bylaws.address)).status).toBe(404)
    expect((await editor.get(path)).status).toBe(404)
  })

  test('gets an address of its own if another has the title', async () => {
    const addresses = [await add('minutes.pdf', first), await add('Minutes.pdf', first)].map(({ body }) => body.address)
    expect(addresses).toEqual(['/documents/minutes.pdf', '/documents/minutes-2.pdf'])
  })
})

describe('an upload is checked by its content:', () => {
  const withEntry = (name: string) => (document: PDFDocument) =>
    document.catalog.set(
      PDFName.of('OpenAction'),
      document.context.obj({ S: PDFName.of(name), [name]: PDFString.of('app.alert(1)') }),
    )
  test.each<[string, () => Promise<Buffer>, RegExp]>([
    ['a page of the web', async () => Buffer.from('<html><script>alert(1)</script></html>'), /not a PDF/],
    ['a picture', async () => Buffer.from([0x89, 0x50, 0x4e, 0x47]), /not a PDF/],
    ['half a document', async () => (await pdf('Half')).subarray(0, 120), /damaged/],
    ['nothing', async () => Buffer.alloc(0), /empty/],
    ['a script', async () => pdf('Script', withEntry('JavaScript')), /scripts/],
    ['a program', async () => pdf('Launch', withEntry('Launch')), /scripts/],
    [
      'an attachment',
      async () => pdf('Files', (document) => void document.attach(Buffer.from('x'), 'x.exe')),
      /attachments/,
    ],
  ])('%s', async (what, make, sentence) => {
    const { status, body } = await add(`${what}.pdf`, await make())
    expect([status, body.errors?.['file']]).toEqual([400, expect.stringMatching(sentence)])
  })

  test('too large a one is refused while it arrives', async () => {
    const { status, body } = await add('large.pdf', Buffer.alloc(DOCUMENT_MAX_BYTES + 1))
    expect([status, body.code]).toEqual([413, 'TOO_LARGE'])
  })
})
