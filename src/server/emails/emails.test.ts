import { describe, expect, test } from 'vitest'
import { association, everyLetter, sponsorship, receiptWords, notice, receiptOf } from '#tests/support/every-letter.ts'
import { sponsorshipLetter, thankYouLetter } from '../features/sponsors/sponsors.emails.ts'
import { escapeHtml } from './html.ts'
import { postalLine, printLetter, type Block } from './letter.ts'

describe.each(Object.entries(everyLetter('Anagha')))('the %s letter', (_name, letter) => {
  test('has a subject of one line, and both forms', () => {
    expect(letter.subject).toMatch(/^[^\r\n]{5,78}$/)
    expect(letter.html).toMatch(/^<!doctype html>/)
    expect(letter.text.length).toBeGreaterThan(100)
  })

  test('stays under the 100 kB at which mail programs cut', () => {
    expect(Buffer.byteLength(letter.html)).toBeLessThan(100_000)
    expect(Buffer.byteLength(letter.text)).toBeLessThan(100_000)
  })

  test('says who sends it, with the postal address and a way to answer, in both forms', () => {
    for (const form of [letter.html, letter.text]) {
      expect(form).toContain(association.name)
      expect(form).toContain('100 Sample Parkway, Suite 736, Norcross, Georgia 30071')
      expect(form).toContain('office@example.org')
    }
  })

  test('loads nothing, runs nothing and has the same links in both forms', () => {
    expect(letter.html).not.toMatch(/<(img(?! src="cid:)|script|link|iframe|form)|url\(|@import/i)
    const inHtml = [...letter.html.matchAll(/href="(https?:[^"]+)"/g)].map(([, link]) => link?.replaceAll('&amp;', '&'))
    for (const link of inHtml) expect(letter.text).toContain(link)
  })

  test('leaves no undefined, null or object in its words', () => {
    expect(`${letter.subject} ${letter.text} ${letter.html}`).not.toMatch(
      /undefined|\bnull\b|\[object|NaN|Invalid Date/,
    )
  })
})

describe('a hostile name', () => {
  const hostile = `<script>alert(1)</script>" onload="x`

  test.each(Object.entries(everyLetter(hostile)))('is harmless in the %s letter', (_name, { html }) => {
    expect(html).not.toContain('<script>')
    expect(html).not.toContain('" onload="')
  })
})

describe('both forms come from the same blocks', () => {
  const blocks: Block[] = [
    { kind: 'text', text: 'Words & more' },
    { kind: 'button', label: 'Press', url: 'https://example.org/?a=1&b=2' },
    { kind: 'link', lead: 'Or else', label: 'go there', url: 'https://example.org/there' },
    { kind: 'code', lead: 'Type this:', code: '012 345' },
    { kind: 'facts', facts: [['Amount', '$100']] },
    { kind: 'note', text: "Don't worry" },
  ]
  const letter = printLetter({ subject: 'S', preview: 'P', heading: 'H <1>', blocks }, association)

  test.each([
    'Words & more',
    'Press',
    'https://example.org/?a=1&b=2',
    'Or else',
    'go there',
    'https://example.org/there',
    'Type this:',
    '012 345',
    'Amount',
    '$100',
    "Don't worry",
    'H <1>',
  ])('%s stands in both', (words) => {
    expect(letter.text).toContain(words)
    expect(letter.html).toContain(escapeHtml(words))
  })

  test('the text ends with the signature mail programs know', () => {
    expect(letter.text).toContain(`\n\n-- \n${association.name}\n${postalLine(association)}\n`)
  })
})

describe('what the letters say', () => {
  const all = everyLetter('Anagha')

  test('the verification letter has the link, the code in two halves, the username and the level', () => {
    expect(all['verification']?.text).toContain('https://example.org/x?email=a%40b.example&token=abc')
    expect(all['verification']?.text).toContain('012 345')
    expect(all['verification']?.text).toContain('the username Anagha')
    expect(all['verification']?.text).toContain('24 hours')
  })

  test('the receipt has number, payer, level, amount with currency, and the day in Georgia, not in UTC', () => {
    expect(all['receipt']?.subject).toBe('Receipt R-2026-ABC for $100')
    for (const words of ['R-2026-ABC', 'Anagha Anagha', 'Annual Member, a year', '$100 USD']) {
      expect(all['receipt']?.text).toContain(words)
    }
    const newYear = receiptOf('A', { paidAt: Date.UTC(2027, 0, 1, 3) })
    expect(newYear.text).toContain('Paid on: December 31, 2026')
  })

  test('a receipt tells the credit for what it replaces, and what went back', () => {
    const lifetime = receiptOf('A', { amount: 92_767 }, 7_233)
    expect(lifetime.text).toContain('Price: $1,000')
    expect(lifetime.text).toContain('Credit for the membership it replaces: -$72.33')
    expect(lifetime.text).toContain('Amount: $927.67 USD')
    expect(receiptOf('A', { amountRefunded: 2_500 }).text).toContain('Returned: $25')
  })

  test('a renewal is announced with amount, day, card and how to stop it', () => {
    const { subject, text } = notice('renewal_45')
    expect(subject).toBe('Your membership renews on March 2, 2027 for $100')
    for (const words of [
      'Charged on: March 2, 2027',
      'Amount: $100',
      'Card: Visa ending in 4242, valid until 03/2030',
      'To stop it, open your account before March 2, 2027, choose Manage billing, then Cancel subscription.',
    ]) {
      expect(text).toContain(words)
    }
    expect(text).not.toContain('no longer valid')
    expect(notice('renewal_7', { cardExpires: true }).text).toContain('no longer valid on that day')
    expect(notice('renewal_7', { card: null }).text).toContain('None: please add one')
  })

  test('a failed renewal tells what is due, until when rights last and when the card is tried again', () => {
    const { subject, text } = notice('past_due_3', { daysLeft: 11 })
    expect(subject).toBe('Your card could not be charged $100')
    expect(text).toContain('You keep everything until March 16, 2027, and we try again on March 5, 2027.')
    const last = notice('past_due_13', { daysLeft: 1, nextAttemptDay: null })
    expect(last.subject).toBe('Last reminder: your membership ends on March 16, 2027')
    expect(last.text).not.toContain('try again')
  })

  test('a welcome tells when it renews, when it ends, or that nothing is left to pay', () => {
    expect(all['welcome']?.text).toContain('Renews on: December 31, 2026')
    expect(all['welcome for a term']?.text).toContain('Ends on: December 31, 2026')
    expect(all['welcome for life']?.text).toContain('Nothing is left to pay, ever.')
  })

  test('a sponsor reads the receipt, what was promised and what it means for tax; the officers how to keep the list', () => {
    const thanks = thankYouLetter(sponsorship, receiptWords, association)
    expect(thanks.subject).toBe('Thank you for your sponsorship (receipt R-2026-ABC)')
    for (const words of [
      'Receipt: R-2026-ABC',
      'Received from: Kaveri Labs',
      'For: Sponsorship: Gold',
      'Paid on: December 31, 2026',
      'Amount: $2,000 USD',
      '3 minutes of remarks; Reserved table; Logo on the website until December 31, 2027',
      'Please ask your tax adviser.',
    ]) {
      expect(thanks.text).toContain(words)
    }
    expect(all['thanks for a small amount']?.text).not.toContain('We promised you')
    const note = sponsorshipLetter(sponsorship, 'America/New_York', association)
    for (const words of ['404 555 0100', 'For the gala.', 'sponsors done s1 remarks'])
      expect(note.text).toContain(words)
  })
})
