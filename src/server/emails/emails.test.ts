import { describe, expect, test } from 'vitest'
import { EMAILS } from '#server/composition/effects.ts'
import type { ReminderKind } from '#server/features/memberships/reminders/reminder.rules.ts'
import { sampleReminder } from '#server/features/memberships/reminders/reminder-samples.emails.ts'
import type { ReminderValues } from '#server/features/memberships/reminders/reminder-text.emails.ts'
import { newSponsorEmail, SAMPLE_SPONSORSHIP, thankYouEmail } from '#server/features/sponsors/sponsors.emails.ts'
import { association, everyEmail } from '#tests/support/emails/every-email.ts'
import { escapeHtml } from './html.ts'
import { postalLine, renderEmail, type EmailBlock } from './email.ts'
import { editableTexts, rewordSource } from './wording.rules.ts'

const membershipReminder = (kind: ReminderKind, given: Partial<ReminderValues> = {}) =>
  sampleReminder(kind, given, association)

/** Every email with each of its texts changed, and all values kept. */
function everyChangedEmail(name: string) {
  return Object.fromEntries(
    Object.entries(everyEmail(name)).map(([label, email]) => {
      if (!email.source) return [label, email]
      const changes = editableTexts(email.source).map(({ part, original }) => ({
        part,
        original,
        text: `New: ${original}`,
      }))
      return [label, renderEmail(rewordSource(email.source, changes), email.source.association)]
    }),
  )
}

describe.each([
  ...Object.entries(everyEmail('Anagha')),
  ...Object.entries(everyChangedEmail('Anagha')).map(([label, email]) => [`${label} (changed)`, email] as const),
])('the %s email', (_name, email) => {
  test('has a one-line subject, HTML and text', () => {
    expect(email.subject).toMatch(/^[^\r\n]{5,78}$/)
    expect(email.html).toMatch(/^<!doctype html>/)
    expect(email.text.length).toBeGreaterThan(100)
  })

  test('stays under 100 kB, where email clients clip', () => {
    expect(Buffer.byteLength(email.html)).toBeLessThan(100_000)
    expect(Buffer.byteLength(email.text)).toBeLessThan(100_000)
  })

  test('shows the sender, the postal address and a reply address, in HTML and text', () => {
    for (const form of [email.html, email.text]) {
      expect(form).toContain(association.name)
      expect(form).toContain('100 Sample Parkway, Suite 200, Norcross, Georgia 30071')
      expect(form).toContain('office@example.org')
    }
  })

  test('loads nothing, runs nothing and has the same links in HTML and text', () => {
    expect(email.html).not.toMatch(/<(img(?! src="cid:)|script|link|iframe|form)|url\(|@import/i)
    const inHtml = [...email.html.matchAll(/href="(https?:[^"]+)"/g)].map(([, link]) => link?.replaceAll('&amp;', '&'))
    for (const link of inHtml) expect(email.text).toContain(link)
  })

  test('shows no undefined, null or object in its text', () => {
    expect(`${email.subject} ${email.text} ${email.html}`).not.toMatch(/undefined|\bnull\b|\[object|NaN|Invalid Date/)
  })
})

describe('a hostile name', () => {
  const hostile = `<script>alert(1)</script>" onload="x`

  test.each([...Object.entries(everyEmail(hostile)), ...Object.entries(everyChangedEmail(hostile))])(
    'is harmless in the %s email',
    (_name, { html }) => {
      expect(html).not.toContain('<script>')
      expect(html).not.toContain('" onload="')
    },
  )
})

describe('HTML and text are rendered from the same blocks', () => {
  const blocks: EmailBlock[] = [
    { kind: 'text', text: 'Words & more' },
    { kind: 'button', label: 'Press', url: 'https://example.org/?a=1&b=2' },
    { kind: 'link', lead: 'Or else', label: 'go there', url: 'https://example.org/there' },
    { kind: 'code', lead: 'Type this:', code: '012 345' },
    { kind: 'details', details: [['Amount', '$100']] },
    { kind: 'note', text: "Don't worry" },
  ]
  const email = renderEmail({ subject: 'S', preview: 'P', heading: 'H <1>', blocks }, association)

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
  ])('%s is in both', (text) => {
    expect(email.text).toContain(text)
    expect(email.html).toContain(escapeHtml(text))
  })

  test('the text ends with a standard signature', () => {
    expect(email.text).toContain(`\n\n-- \n${association.name}\n${postalLine(association)}\n`)
  })
})

describe('texts of the emails', () => {
  const all = everyEmail('Anagha')

  test.each(EMAILS.map((email) => [email.kind, email] as const))('%s has samples of its own', (_kind, email) => {
    const labels = Object.keys(email.samples('Anagha', association))
    expect(labels.length).toBeGreaterThan(0)
    const others = EMAILS.filter((other) => other !== email)
    const taken = others.flatMap((other) => Object.keys(other.samples('Anagha', association)))
    expect(labels.filter((label) => taken.includes(label))).toEqual([])
  })

  test.each(EMAILS.filter(({ isFixed }) => !isFixed).map((email) => [email.kind, email] as const))(
    'the templates of %s are the same for every person: each value has a placeholder',
    (_kind, email) => {
      const templates = (name: string) =>
        Object.values(email.samples(name, association)).map(({ source }) =>
          source ? editableTexts(source).map(({ part, original }) => `${part}: ${original}`) : [],
        )
      expect(templates('Anagha')).toEqual(templates('Rohan'))
      expect(templates('Anagha').flat()).not.toEqual([])
    },
  )

  test('the verification email has the link, the code in two halves, the username and the level', () => {
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
  })

  test('a renewal reminder has the amount, date, card and how to cancel', () => {
    const { subject, text } = membershipReminder('renewal_45')
    expect(subject).toBe('Your membership renews on March 2, 2027 for $100')
    for (const words of [
      'Charged on: March 2, 2027',
      'Amount: $100',
      'Card: Visa ending in 4242, valid until 03/2030',
      'To cancel the renewal, open your account before March 2, 2027, choose Manage billing, then Cancel subscription.',
    ]) {
      expect(text).toContain(words)
    }
    expect(text).not.toContain('This card expires')
    expect(membershipReminder('renewal_7', { cardExpires: true }).text).toContain('This card expires before that day')
    expect(membershipReminder('renewal_7', { card: null }).text).toContain('None: please add one')
  })

  test('a failed-renewal reminder has the amount due, the end of access and the next retry', () => {
    const { subject, text } = membershipReminder('past_due_3', { daysLeft: 11 })
    expect(subject).toBe('Your card could not be charged $100')
    expect(text).toContain('You keep everything until March 16, 2027, and we try again on March 5, 2027.')
    const last = membershipReminder('past_due_13', { daysLeft: 1, nextAttemptDay: null })
    expect(last.subject).toBe('Last reminder: your membership ends on March 16, 2027')
    expect(last.text).not.toContain('try again')
  })

  test('a welcome email has the renewal date, the end date, or that nothing more is due', () => {
    expect(all['welcome']?.text).toContain('Renews on: December 31, 2026')
    expect(all['welcome for a term']?.text).toContain('Ends on: December 31, 2026')
    expect(all['welcome for life']?.text).toContain('You are a member for life: there are no further dues.')
  })

  test('a sponsor gets the receipt, the benefits and the tax note; the officers get the commands', () => {
    const options = { timeZone: 'America/New_York', taxWording: 'Please ask your tax advisor.' }
    const thanks = thankYouEmail(SAMPLE_SPONSORSHIP, options, association)
    expect(thanks.subject).toBe('Thank you for your sponsorship (receipt R-2026-ABC)')
    for (const words of [
      'Receipt: R-2026-ABC',
      'Received from: Kaveri Labs',
      'For: Sponsorship: Gold',
      'Paid on: December 31, 2026',
      'Amount: $2,000 USD',
      '3 minutes of remarks; Reserved table; Logo on the website until December 31, 2027',
      'Please ask your tax advisor.',
    ]) {
      expect(thanks.text).toContain(words)
    }
    expect(all['thanks for a small amount']?.text).not.toContain('Your benefits:')
    const note = newSponsorEmail(SAMPLE_SPONSORSHIP, 'America/New_York', association)
    for (const words of ['404 555 0100', 'For the gala.', 'sponsors done s1 remarks'])
      expect(note.text).toContain(words)
  })
})
