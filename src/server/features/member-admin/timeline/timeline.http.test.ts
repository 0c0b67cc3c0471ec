import { describe, expect, test } from 'vitest'
import type { TimelineEntry } from '#contract/console/people/member-timeline.ts'
import { newId } from '#server/lib/ids.ts'
import { officerWith } from '#tests/support/officers.ts'
import type { TestBrowser } from '#tests/support/browser/test-browser.ts'
import { openEvent } from '#tests/support/events.ts'
import { treasury } from '#tests/support/orders/treasury.ts'
import { useTestApp } from '#tests/support/use-test-app.ts'

const app = useTestApp({ environment: { RATE_LIMITS: 'x100' } })

const { act, record, row } = treasury(app)

const textOf = ({ text }: TimelineEntry) => text.before + text.name + text.after

async function payingMember(): Promise<{ id: string; email: string }> {
  const browser = app().browser()
  const { person, start } = await browser.registerAndStart()
  await browser.verifySession(await browser.pay(start.body.sessionUrl as string))
  await app().drain()
  const { db } = app().database
  const { id } = await db
    .selectFrom('account')
    .select('id')
    .where('emailKey', '=', person.email)
    .executeTakeFirstOrThrow()
  return { id, email: person.email }
}

async function timeline(
  by: TestBrowser,
  id: string,
  query = '',
): Promise<{ entries: TimelineEntry[]; next: string | null }> {
  const { body } = await by.get(`/api/console/members/${id}/timeline${query}`)
  return body as { entries: TimelineEntry[]; next: string | null }
}

describe('a person’s timeline', () => {
  test('has payments, emails with their states, messages and changes, newest first', async () => {
    const { id, email } = await payingMember()
    const president = await officerWith(app(), ['president'])
    const { db } = app().database
    const now = app().now()
    const message = { name: 'Tulika', email: email.toUpperCase(), subject: 'My receipt', message: 'Where is it?' }
    await db
      .insertInto('contactMessage')
      .values({
        ...message,
        id: newId(now),
        receivedAt: now + 1000,
        answeredAt: null,
        assignedTo: null,
        spamAt: null,
        version: 1,
      })
      .execute()
    await db
      .updateTable('outbox')
      .set({ deadAt: now + 2000, doneAt: null, lastError: 'mail refused 550' })
      .where('kind', '=', 'email.receipt')
      .where('subject', 'in', (eb) => eb.selectFrom('payment').select('id').where('accountId', '=', id))
      .execute()
    const { entries, next } = await timeline(president, id)
    expect(next).toBeNull()
    const texts = entries.map(textOf)
    expect(texts[0]).toBe('Email “Receipt”')
    expect(entries[0]).toMatchObject({ kind: 'email', state: 'bounced', failedEmail: expect.any(String) })
    expect(texts[1]).toBe('Wrote: My receipt')
    expect(texts).toEqual(expect.arrayContaining([expect.stringMatching(/^Paid \$100 for .*, by card$/)]))
    expect(texts.some((text) => text.includes('created the account'))).toBe(true)
    expect(entries.map(({ at }) => at)).toEqual(
      entries
        .map(({ at }) => at)
        .toSorted()
        .toReversed(),
    )
    const receipt = (await timeline(president, id, '?show=payments')).entries
    expect(receipt).toMatchObject([{ kind: 'payment', receipt: { number: expect.stringMatching(/^R-/) } }])
    const emails = (await timeline(president, id, '?show=emails')).entries
    expect(new Set(emails.map(({ kind }) => kind))).toEqual(new Set(['email']))
  })

  test('has seats and sponsorships that were paid by hand, and their canceled records', async () => {
    const { id, email } = await payingMember()
    const eventId = await openEvent(app(), { price: 5_000 })
    const event = `Dinner ${eventId}`
    const { receipts } = (
      await record([
        row({ kind: 'seats', email, eventId, amount: '50', method: 'zelle', reference: '76' }),
        row({ kind: 'sponsorship', email, company: 'Peach Labs', tierName: 'Silver', amount: '1000', reference: '77' }),
      ])
    ).body as { receipts: { kind: 'seats' | 'sponsorship'; id: string; receiptNumber: string }[] }
    for (const receipt of receipts) await act(receipt.kind, receipt.id, 'cancel', {})
    const president = await officerWith(app(), ['president'])
    const { entries } = await timeline(president, id, '?show=payments')
    const told = entries.map((entry) => [textOf(entry), entry.detail])
    const [seats, sponsorship] = receipts.map(({ receiptNumber }) => `Receipt ${receiptNumber}. Record canceled`)
    expect(told).toEqual(
      expect.arrayContaining([
        [`Paid $50 for 1 seat at ${event}, by Zelle 76`, seats],
        ['Paid $1,000 for the sponsorship of Peach Labs, Silver, by check 77', sponsorship],
        [`Canceled the record of a payment of $50 for seats at ${event}`, expect.stringMatching(/^By .+: A test$/)],
        [
          'Canceled the record of a payment of $1,000 for the sponsorship of Peach Labs',
          expect.stringMatching(/^By .+: A test$/),
        ],
      ]),
    )
  })

  test('shows an officer only what the role may see', async () => {
    const { id } = await payingMember()
    const secretary = await officerWith(app(), ['secretary'])
    expect((await timeline(secretary, id, '?show=payments')).entries).toEqual([])
    const viewer = await officerWith(app(), ['viewer'])
    const { entries } = await timeline(viewer, id)
    expect(entries.filter(({ kind }) => kind === 'message')).toEqual([])
    expect(entries.flatMap(({ changes }) => changes)).toEqual([])
    expect(entries.some(({ kind }) => kind === 'payment')).toBe(true)
    const editor = await officerWith(app(), ['editor'])
    expect((await editor.get(`/api/console/members/${id}/timeline`)).body.code).toBe('NOT_ALLOWED')
    expect((await viewer.get('/api/console/members/unknown/timeline')).status).toBe(404)
  })

  test('is read in pages without gaps or repeats, also for entries of the same moment', async () => {
    const { id } = await payingMember()
    const president = await officerWith(app(), ['president'])
    const { db } = app().database
    const now = app().now()
    const notes = Array.from({ length: 75 }, (_, index) => ({
      id: newId(now + index),
      accountId: id,
      kind: 'note' as const,
      text: `Note ${index}`,
      writtenBy: id,
      // Five share each moment.
      writtenAt: now + Math.floor(index / 5),
      editedAt: null,
      deletedAt: null,
      runId: null,
      version: 1,
    }))
    await db.insertInto('memberNote').values(notes).execute()
    const seen: string[] = []
    let before: string | null = ''
    while (before !== null) {
      const page: { entries: TimelineEntry[]; next: string | null } = await timeline(
        president,
        id,
        `?show=notes${before && `&before=${encodeURIComponent(before)}`}`,
      )
      seen.push(...page.entries.map((entry) => entry.note?.text ?? ''))
      before = page.next
    }
    expect(seen).toHaveLength(75)
    expect(new Set(seen).size).toBe(75)
    expect((await president.get(`/api/console/members/${id}/timeline?before=x`)).status).toBe(400)
  })
})
