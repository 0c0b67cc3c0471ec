import { expect } from 'vitest'
import type { ConsolePayment, PaymentLine, PaymentSums } from '#contract/console/money/payments.ts'
import type { PaymentRow } from '#contract/console/money/record-payments.ts'
import { dayOf } from '#contract/dates/dates.ts'
import { invariants } from '#server/monitoring/invariants/all-invariants.ts'
import { createSecrets } from '#server/lib/secrets.ts'
import { officerWith, recordSecondFactor } from '../officers.ts'
import type { TestApp } from '../test-app.ts'
import type { TestBrowser, TestResponse } from '../browser/test-browser.ts'

const PAYMENTS = '/api/console/payments'
let keys = 0

/** The query for a month of the list, `YYYY-MM`. */
export function monthQuery(month: string): string {
  const [year = 0, number = 1] = month.split('-').map(Number)
  return `from=${month}-01&to=${month}-${new Date(Date.UTC(year, number, 0)).getUTCDate()}`
}

/** Steps of a treasurer. */
export function treasury(app: () => TestApp) {
  const today = () => dayOf(app().now(), app().config.timeZone)

  async function treasurer(): Promise<TestBrowser> {
    const officer = await officerWith(app(), ['treasurer'])
    await recordSecondFactor(app(), officer)
    return officer
  }

  const newKey = () => `test-key-${String(++keys).padStart(12, '0')}`

  return {
    treasurer,
    today,
    newKey,

    /** A row of the form, with a check of its own. */
    row: (given: Partial<PaymentRow> & Pick<PaymentRow, 'kind' | 'email'>): PaymentRow => ({
      name: 'Leela Varghese',
      company: '',
      levelKey: '',
      eventId: '',
      guests: '',
      tierName: '',
      method: 'cheque',
      reference: String(1_000 + ++keys),
      amount: '100',
      paidOn: today(),
      note: '',
      ...given,
    }),

    check: async (rows: PaymentRow[]) => (await treasurer()).post(`${PAYMENTS}/check`, { rows }),

    /** Checks, then records what was checked. */
    async record(rows: PaymentRow[], { key = newKey() } = {}): Promise<TestResponse> {
      const officer = await treasurer()
      const { version } = (await officer.post(`${PAYMENTS}/check`, { rows })).body
      const recorded = await officer.post(`${PAYMENTS}/record`, { rows, version, key })
      await app().drain()
      return recorded
    },

    read: async (kind: string, id: string) =>
      (await (await treasurer()).get(`${PAYMENTS}/${kind}/${id}`)).body as ConsolePayment,

    /** Acts on a payment as it is now. */
    async act(kind: string, id: string, action: 'refund' | 'cancel' | 'replace', body: object): Promise<TestResponse> {
      const officer = await treasurer()
      const { version } = (await officer.get(`${PAYMENTS}/${kind}/${id}`)).body
      const response = await officer.post(`${PAYMENTS}/${kind}/${id}/${action}`, { reason: 'A test', version, ...body })
      await app().drain()
      await app().drain()
      return response
    },

    async list(query = ''): Promise<{ lines: PaymentLine[]; sums: PaymentSums; total: number; refundsDue: number }> {
      const span = query.includes('from=') ? '' : `from=${today().slice(0, 4)}-01-01&to=${today().slice(0, 4)}-12-31&`
      return (await (await treasurer()).get(`${PAYMENTS}?${span}${query}`)).body
    },

    /** The text of a file that the treasurer downloads. */
    async download(path: string): Promise<string> {
      const headers = { authorization: `Bearer ${(await treasurer()).token}` }
      return (await fetch(app().url + path, { headers })).text()
    },

    async expectSound(): Promise<void> {
      await app().drain()
      const tools = { db: app().database.db, now: app().now(), secrets: createSecrets('x'), mediaDirectory: null }
      for (const { name, findViolations: find } of invariants.filter((one) =>
        /ledger|seat|order|paid|receipt|refund|payment/.test(one.name),
      ))
        expect([name, await find(tools)]).toEqual([name, []])
    },
  }
}
