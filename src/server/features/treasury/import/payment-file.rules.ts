import { PAYMENT_COLUMN_NAMES, PAYMENT_COLUMNS, type PaymentColumn } from '#contract/console/money/payment-imports.ts'
import { MANUAL_METHODS, type ManualMethod } from '#contract/console/money/hand-payments.ts'
import { isDay } from '#contract/dates/days.ts'
import { emailField } from '#contract/fields.ts'
import { readDay } from '#server/lib/csv/read-day.rules.ts'
import { headingKey } from '#server/lib/heading-key.rules.ts'
import { MAX_AMOUNT, readAmount } from '../recording/record-payments.rules.ts'

/** A payment as a row of a file has it. */
export interface PastPayment {
  email: string
  /** `YYYY-MM-DD`. */
  paidOn: string
  /** Cents. */
  amount: number
  /** In lower case; empty if the file does not say it. */
  currency: string
  /** As written; empty for the level of the member. */
  level: string
  /** The last day of the term; null if the file does not say it. */
  endsOn: string | null
  method: ManualMethod
  /** The methods under which it may be recorded already: all if the file does not say its method. */
  methods: readonly ManualMethod[]
  reference: string
}

/** A longer cell is not read: no value has as many characters. */
const CELL_MAX = 1_000
/** As when it is recorded by hand. */
const REFERENCE_MAX = 80

/** Headings by `headingKey`, the best first. Those of other systems are not verified: they are the usual words. */
const NAMES: Record<PaymentColumn, readonly string[]> = {
  email: ['email', 'emailaddress', 'primaryemail', 'email1', 'payeremail', 'contactemail'],
  paidOn: [
    'paidon',
    'paymentdate',
    'datepaid',
    'datereceived',
    'receiveddate',
    'transactiondate',
    'membershippaymentdate',
    'day',
    'date',
  ],
  amount: [
    'amount',
    'paymentamount',
    'totalamount',
    'amountpaid',
    'membershipamountpaid',
    'membershippaymentamount',
    'paid',
    'total',
    'cost',
  ],
  currency: ['currency'],
  level: ['level', 'whatfor', 'membershiplevel', 'membershiptype', 'membertype', 'plan', 'item', 'description'],
  endsOn: ['termto', 'endson', 'termenddate', 'periodend', 'paidthrough', 'paiduntil', 'validuntil', 'enddate'],
  method: ['method', 'paymentmethod', 'paymentinstrument', 'tendertype', 'tender', 'paymenttype', 'paidby'],
  reference: [
    'reference',
    'transactionid',
    'checknumber',
    'check',
    'checkno',
    'invoicenumber',
    'invoice',
    'receiptnumber',
    'paymentid',
    'number',
  ],
}

export function recognizePaymentColumns(headings: readonly string[]): (PaymentColumn | null)[] {
  const keys = headings.map(headingKey)
  const columns: (PaymentColumn | null)[] = headings.map(() => null)
  for (const [column, names] of Object.entries(NAMES) as [PaymentColumn, readonly string[]][]) {
    const name = names.find((one) => keys.includes(one))
    if (name !== undefined) columns[keys.indexOf(name)] ??= column
  }
  return columns
}

/** Reads a row, without looking anything up. @param today the last day a payment can have been received @param isDayFirst how the file writes its days */
export function readPastPayment(
  cell: (column: PaymentColumn) => string,
  today: string,
  isDayFirst = false,
): { payment: PastPayment } | { sentence: string } {
  const long = PAYMENT_COLUMNS.find((column) => cell(column).length > CELL_MAX)
  if (long) return { sentence: `${PAYMENT_COLUMN_NAMES[long]} has more than 1,000 characters.` }
  const email = cell('email')
  if (!emailField.safeParse(email).success) return { sentence: 'This is not an email address.' }
  const paidOn = readDay(cell('paidOn'), isDayFirst)
  if (!isDay(paidOn)) return { sentence: 'The day of the payment is missing or is not a date.' }
  if (paidOn > today) return { sentence: 'The day of the payment is in the future.' }
  const typed = cell('amount')
    .replace(/[a-z]{3}$/i, '')
    .trimEnd()
  if (/^[-(]/.test(typed))
    return { sentence: 'This is a refund or a negative amount. Record it on the page of its payment.' }
  const amount = readAmount(typed)
  if (amount === null || amount === 0) return { sentence: 'The amount is missing, zero or cannot be read.' }
  if (amount > MAX_AMOUNT) return { sentence: 'This amount is too large.' }
  const term = readDay(cell('endsOn'), isDayFirst)
  if (term !== '' && !isDay(term)) return { sentence: 'The last day of the term is not a date.' }
  const reference = cell('reference') || `${paidOn} ${(amount / 100).toFixed(2)}`
  if (reference.length > REFERENCE_MAX) return { sentence: 'The reference has more than 80 characters.' }
  const method = readMethod(cell('method'))
  return {
    payment: {
      email,
      paidOn,
      amount,
      reference,
      level: cell('level'),
      currency: cell('currency').toLowerCase(),
      endsOn: term === '' ? null : term,
      method,
      methods: cell('method') === '' ? MANUAL_METHODS : [method],
    },
  }
}

function readMethod(text: string): ManualMethod {
  const method = text.toLowerCase()
  if (/che(?:ck|que)/.test(method)) return 'cheque'
  if (/cash/.test(method)) return 'cash'
  if (/zelle/.test(method)) return 'zelle'
  return /wire|transfer|ach|eft|bank/.test(method) ? 'wire' : 'other'
}
