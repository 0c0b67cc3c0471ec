import { decodePDFRawStream, PDFDocument, PDFRawStream } from 'pdf-lib'
import sharp from 'sharp'
import { describe, expect, test, vi } from 'vitest'
import { brandCss } from '#contract/brand/brand-css.ts'
import { SHIPPED_BRAND } from '#contract/brand/brand.ts'
import { checkPrimary } from '#contract/brand/color-checks.ts'
import { paletteOf } from '#contract/brand/palette.ts'
import type { ContentRecord } from '#contract/console/content.ts'
import { createPageServer } from '#server/pages/page-server.ts'
import type { TestBrowser } from '#tests/support/browser/test-browser.ts'
import { membershipLife } from '#tests/support/membership-life.ts'
import { officerWith } from '#tests/support/officers.ts'
import { useTestApp } from '#tests/support/use-test-app.ts'

const AT = '/api/console/content/brand/all'
const PURPLE = { ...SHIPPED_BRAND, primary: '#5b21b6', accent: '#0a7d5c' }
const RED_SHAPE =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10"><circle cx="5" cy="5" r="5" fill="#ff0000"/></svg>'

/** Pictures are drawn one at a time, each in its own process. */
vi.setConfig({ testTimeout: 90_000 })

let isFailing = false
const app = useTestApp({
  environment: { RATE_LIMITS: 'x100' },
  // A page that only has the head which the frame writes; `tests/e2e/changed-pages.test.ts` has the real ones.
  makePages: async (tools) =>
    createPageServer({
      ...tools,
      siteUrl: 'http://localhost:3000',
      clock: { now: Date.now },
      imageOrigins: [],
      maximumBytes: 1_000_000,
      renderTimeoutMs: 5_000,
      onError() {},
      files: new Map(),
      pages: [
        { metadata: { path: '/', indexed: true }, routeId: 'home' },
        { metadata: { path: '/contact', indexed: true }, routeId: 'contact' },
      ],
      async render() {
        if (isFailing) throw new Error('The test asked for it')
        const { brand } = (await tools.services.rootData()).association
        return {
          status: 200,
          contentType: 'text/html; charset=utf-8',
          frameworkHeaders: [],
          body: Buffer.from(`<!doctype html>${brand ? `<style>${brandCss(brand)}</style>` : ''}`),
          rootData: null,
          servicesFailed: false,
          reads: null,
        }
      },
    }),
})
const { join } = membershipLife(app)

async function read(browser: TestBrowser): Promise<ContentRecord> {
  return (await browser.get(AT)).body as ContentRecord
}

async function save(browser: TestBrowser, value: object, action = 'publish') {
  return browser.call('PUT', AT, { value, action, version: (await read(browser)).version })
}

async function file(path: string): Promise<{ type: string | null; bytes: Buffer; policy: string }> {
  const response = await fetch(app().url + path)
  expect([path, response.status]).toEqual([path, 200])
  return {
    type: response.headers.get('content-type'),
    policy: response.headers.get('content-security-policy') ?? '',
    bytes: Buffer.from(await response.arrayBuffer()),
  }
}

/** The color of a pixel, `#rrggbb`. */
async function pixelOf(picture: Buffer, { left, top }: { left: number; top: number }): Promise<string> {
  const part = sharp(picture).extract({ left, top, width: 1, height: 1 }).removeAlpha()
  return `#${(await part.raw().toBuffer()).toString('hex')}`
}

async function pdfContent(bytes: Uint8Array): Promise<string> {
  const pdf = await PDFDocument.load(bytes)
  const streams = pdf.context
    .enumerateIndirectObjects()
    .flatMap(([, one]) => (one instanceof PDFRawStream ? [one] : []))
  return streams.map((one) => Buffer.from(decodePDFRawStream(one).decode()).toString('latin1')).join('\n')
}

/** The operator that sets the color of what is filled. */
function pdfColor(hex: string): string {
  return `${[1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255).join(' ')} rg`
}

async function upload(editor: TestBrowser, filename: string, body: Uint8Array<ArrayBuffer>): Promise<string> {
  const response = await fetch(`${app().url}/api/console/media/home/articles?filename=${filename}&alt=Mark`, {
    method: 'POST',
    headers: { authorization: `Bearer ${editor.token}`, 'content-type': 'application/octet-stream' },
    body,
  })
  expect(response.status).toBe(201)
  return ((await response.json()) as { address: string }).address
}

describe('a color', () => {
  test('without enough contrast is refused with the nearest one that passes, also as a draft', async () => {
    const editor = await officerWith(app(), ['editor'])
    const { nearest } = checkPrimary('#1a73e8')
    for (const action of ['publish', 'draft']) {
      const refused = await save(editor, { ...SHIPPED_BRAND, primary: '#1a73e8' }, action)
      expect([refused.status, Object.keys(refused.body.errors)]).toEqual([400, ['primary']])
      expect(refused.body.errors.primary).toContain(
        `3.6 : 1, and text needs 4.5 : 1. The nearest color that passes is ${nearest}`,
      )
    }
    expect((await save(editor, { ...SHIPPED_BRAND, primary: nearest }, 'draft')).status).toBe(200)
    expect((await save(editor, SHIPPED_BRAND, 'draft')).status).toBe(200)
  })

  test.each([
    ['red', 'primary'],
    ['#12345', 'primary'],
    ['url(https://elsewhere.example)', 'accent'],
    ['#808080', 'accent'],
    ['#0f4147;}body{display:none', 'primary'],
  ])('%s is refused as %s', async (color, name) => {
    const editor = await officerWith(app(), ['editor'])
    const refused = await save(editor, { ...SHIPPED_BRAND, [name]: color })
    expect([refused.status, Object.keys(refused.body.errors)]).toEqual([400, [name]])
  })

  test('in capitals is the same color', async () => {
    const editor = await officerWith(app(), ['editor'])
    const saved = await save(editor, { ...SHIPPED_BRAND, primary: '#0F4147' })
    expect([saved.status, saved.body.value.primary]).toEqual([200, '#0f4147'])
  })
})

test('a mark is an .svg or .png picture; an officer without the permission changes nothing', async () => {
  const editor = await officerWith(app(), ['editor'])
  for (const mark of ['/media/home/articles/a.jpg', 'hero-gala', 'javascript:alert(1)']) {
    const refused = await save(editor, { ...SHIPPED_BRAND, mark })
    expect([refused.status, Object.keys(refused.body.errors)]).toEqual([400, ['mark']])
  }
  const treasurer = await officerWith(app(), ['treasurer'])
  expect((await treasurer.call('PUT', AT, { value: PURPLE, action: 'publish', version: '' })).status).toBe(403)
  expect((await app().browser().get(AT)).status).toBe(401)
})

test('after new colors are published, page, failure page, manifest, icons, share card, email and receipt agree; undo brings the old ones back', async () => {
  const editor = await officerWith(app(), ['editor'])
  expect((await file('/')).bytes.toString()).not.toContain('<style>')
  const published = await save(editor, PURPLE)
  expect(published.status).toBe(200)
  const { light, dark } = paletteOf(PURPLE)

  const page = await file('/')
  const css = page.bytes.toString()
  expect(css).toContain(`--deep:${PURPLE.primary};`)
  expect(css).toContain(`--saffron:${PURPLE.accent};`)
  expect(css).toContain(`{--paper:${dark.paper};`)
  expect(page.policy).toMatch(/style-src 'self' 'sha256-/)

  isFailing = true
  const failure = await fetch(`${app().url}/contact`)
  isFailing = false
  const text = await failure.text()
  expect(failure.status).toBe(503)
  for (const color of [light.ground, light.action, light['action-edge'], dark.paper]) expect(text).toContain(color)

  const manifest = JSON.parse((await file('/site.webmanifest')).bytes.toString()) as Record<string, string>
  expect(manifest).toMatchObject({ name: 'Georgia Physicians of Indian Origin', theme_color: PURPLE.primary })
  expect((await file('/favicon.svg')).bytes.toString()).toContain(`path{fill:${PURPLE.primary}}`)
  const icon = await file('/icon-192.png')
  expect([
    icon.type,
    await pixelOf(icon.bytes, { left: 1, top: 1 }),
    await pixelOf(icon.bytes, { left: 96, top: 50 }),
  ]).toEqual(['image/png', light.ground, PURPLE.primary])
  const share = await file('/share.png')
  expect(await sharp(share.bytes).metadata()).toMatchObject({ width: 1_200, height: 630 })
  expect(await pixelOf(share.bytes, { left: 20, top: 600 })).toBe(light.ground)
  expect((await file('/art/border-hem.svg')).bytes.toString()).toContain(light.clay)

  const { browser, email } = await join()
  const messages = (await (
    await fetch(`${app().standins.url}/mail/messages.json?${new URLSearchParams({ to: email })}`)
  ).json()) as { html: string }[]
  expect(messages.length).toBeGreaterThan(0)
  for (const { html } of messages) {
    expect(html).toContain(`background:${PURPLE.primary}`)
    expect(html).toContain(`color:${light.heading}`)
    expect(html).not.toMatch(/#0f4147|#e1831b/)
  }
  const [payment] = (await browser.get('/api/billing/payments')).body.payments as { receiptNumber: string }[]
  const receipt = await fetch(`${app().url}/api/billing/receipts/${payment?.receiptNumber}`, {
    headers: { authorization: `Bearer ${browser.token}` },
  })
  const content = await pdfContent(new Uint8Array(await receipt.arrayBuffer()))
  expect(content.includes(pdfColor(PURPLE.primary))).toBe(true)
  expect(content.includes(pdfColor(PURPLE.accent))).toBe(true)

  const { revisions, version } = await read(editor)
  const first = revisions.findLast(({ action }) => action === 'found' || action === 'published')
  expect((await editor.post(`${AT}/restore`, { number: first?.number, version })).status).toBe(200)
  expect((await file('/')).bytes.toString()).not.toContain('<style>')
  expect((await fetch(`${app().url}/icon-192.png`)).status).toBe(404)
})

test('an uploaded mark is the icon in its own colors, or a shape in those of the site; one that was deleted is replaced', async () => {
  const editor = await officerWith(app(), ['editor'])
  const mark = await upload(editor, 'mark.svg', new TextEncoder().encode(RED_SHAPE))
  expect((await save(editor, { ...SHIPPED_BRAND, mark })).status).toBe(200)
  const own = await file('/favicon.svg')
  expect([own.bytes.toString(), own.policy]).toEqual([
    RED_SHAPE,
    expect.stringContaining("default-src 'none'") as string,
  ])
  expect((await file('/')).bytes.toString()).toContain('--mark-paint:url(/favicon.svg?v=')
  const icon = await file('/icon-192.png')
  expect(await pixelOf(icon.bytes, { left: 96, top: 96 })).toBe('#ff0000')

  expect((await save(editor, { ...SHIPPED_BRAND, mark, isMarkInOneColor: true })).status).toBe(200)
  expect(await pixelOf((await file('/icon-192.png')).bytes, { left: 96, top: 96 })).toBe('#0f4147')
  expect((await file('/favicon.svg')).bytes.toString()).toContain('feFlood{flood-color:#0f4147}')

  const { bucket, folder, filename } = { bucket: 'home', folder: 'articles', filename: 'mark.svg' }
  await save(editor, { ...SHIPPED_BRAND, prints: 'none' })
  expect((await file('/')).bytes.toString()).toContain('--toran:none')
  await save(editor, { ...SHIPPED_BRAND, mark: `/media/${bucket}/${folder}/never-${filename}` })
  expect(await pixelOf((await file('/icon-192.png')).bytes, { left: 96, top: 50 })).toBe('#0f4147')
})

test('a large photograph as a mark is sent as a small picture', async () => {
  const editor = await officerWith(app(), ['editor'])
  const noise = await sharp({
    create: {
      width: 600,
      height: 600,
      channels: 3,
      background: '#346',
      noise: { type: 'gaussian', mean: 120, sigma: 60 },
    },
  })
    .png()
    .toBuffer()
  const mark = await upload(editor, 'photo.png', new Uint8Array(noise))
  expect((await save(editor, { ...SHIPPED_BRAND, mark })).status).toBe(200)
  const { bytes } = await file('/favicon.svg')
  expect(bytes.toString()).toContain('data:image/png;base64,')
  expect(bytes.length).toBeLessThan(100_000)
})
