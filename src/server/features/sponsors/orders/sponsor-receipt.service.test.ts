import { settingsOf } from '#server/features/content-store/kinds/settings.kinds.ts'
import { inflateSync } from 'node:zlib'
import { PDFDocument } from 'pdf-lib'
import { expect, test } from 'vitest'
import { readContentFiles } from '#server/features/seed/content-files.service.ts'
import { SAMPLE_DIRECTORY } from '#server/config/profiles.ts'
import { printSponsorReceipt } from './sponsor-receipt.service.ts'
import type { PaidSponsorship } from '../sponsors.emails.ts'

const { settings } = settingsOf(readContentFiles(SAMPLE_DIRECTORY).records)
const options = { timeZone: 'America/New_York', taxWording: settings.sponsorship?.taxWording ?? '' }
const sponsorship = {
  name: 'Leela Varghese',
  company: 'Kaveri Labs',
  tierName: 'Gold',
  amount: 200_000,
  currency: 'usd',
  paidAt: Date.UTC(2026, 11, 31, 23, 30),
  receiptNumber: 'R-2026-7K3M9Q2X',
  amountRefunded: 0,
  dispute: null,
  manualReference: null,
  voidedAt: null,
} as PaidSponsorship

const print = async (over: Partial<PaidSponsorship> = {}) =>
  (await printSponsorReceipt({ ...sponsorship, ...over }, options, settings.association)).pdf

/** The text of the page, line by line. */
function read(pdf: Uint8Array): string {
  const bytes = Buffer.from(pdf)
  const pages = [...bytes.toString('latin1').matchAll(/stream\r?\n/g)].flatMap(({ index, 0: mark }) => {
    try {
      return [inflateSync(bytes.subarray(index + mark.length)).toString('latin1')]
    } catch {
      return []
    }
  })
  return [...pages.join('\n').matchAll(/<([0-9A-F]+)> Tj/g)]
    .map(([, hex = '']) => Buffer.from(hex, 'hex').toString('latin1'))
    .join('\n')
}

test('one page in US Letter format with number, payer, purpose, date, amount and tax statement', async () => {
  const bytes = await print()
  const pdf = await PDFDocument.load(bytes)
  expect(pdf.getPageCount()).toBe(1)
  expect(pdf.getPage(0).getSize()).toEqual({ width: 612, height: 792 })
  expect(pdf.getTitle()).toBe('Receipt R-2026-7K3M9Q2X')
  const text = read(bytes)
  for (const detail of [
    'Georgia Physicians of Indian Origin',
    'R-2026-7K3M9Q2X',
    'Kaveri Labs',
    'Leela Varghese',
    'Sponsorship: Gold',
    'December 31, 2026',
    '$2,000 USD',
    'tax advisor',
  ]) {
    expect(text).toContain(detail)
  }
})

test.each([
  ['a very long word', 'x'.repeat(150), 'xxx'],
  ['brackets and backslashes', 'A (B) \\ C', 'A (B) \\ C'],
])('%s are rendered safely', async (_, company, shown) => {
  const text = read(await print({ company }))
  expect(text.replaceAll(/\?+/g, '?')).toContain(shown)
})

test('rendering is deterministic', async () => {
  expect(read(await print())).toBe(read(await print()))
})
