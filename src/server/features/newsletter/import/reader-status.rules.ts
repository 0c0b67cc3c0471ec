import type { ReaderSystem, WholeList } from '#contract/console/subscribers.ts'

/** What another system says about an address, from the strictest. `none`: its owner did not agree to emails, or not yet. */
export type ReaderStatus = 'complained' | 'bounced' | 'unsubscribed' | 'none' | 'subscribed'

const STRICTEST: readonly ReaderStatus[] = ['complained', 'bounced', 'unsubscribed', 'none', 'subscribed']

export function strictest(statuses: readonly ReaderStatus[]): ReaderStatus {
  return STRICTEST.find((one) => statuses.includes(one)) ?? 'subscribed'
}

/**
 * The system that exported a list, by its headings (as `plainHeading` has them). Sources, read on the web in November 2026:
 * - Mailchimp: the exports of its lists as public programs read them (LEID, EUID, OPTIN_TIME, CONFIRM_TIME, UNSUB_TIME, UNSUB_REASON, CLEAN_TIME, CLEAN_CAMPAIGN_TITLE); one file each for subscribed, unsubscribed, cleaned and nonsubscribed, told apart by name and columns.
 * - Ghost: the test of its members' export (id, email, name, note, subscribed_to_emails, complimentary_plan, stripe_customer_id, created_at, deleted_at, labels, tiers).
 * - Constant Contact: two public programs that read its export (Email status, Email permission status, Email Lists, Source Name, Created At).
 * - Sender.net: its help page on statuses (Active, Unsubscribed, Bounced, Reported spam, Non-subscribed) and the columns of its list (Status, Groups, Date added). The headings of its file are not verified.
 */
export function recognizeReaderSystem(headings: readonly string[]): ReaderSystem | null {
  const has = (...names: string[]) => names.every((name) => headings.includes(name))
  if (has('leid', 'euid') || has('optintime', 'confirmtime') || has('cleantime') || has('unsubtime')) return 'mailchimp'
  if (has('subscribedtoemails', 'complimentaryplan')) return 'ghost'
  if (has('emailpermissionstatus') || has('emailstatus', 'emaillists')) return 'constant-contact'
  return (has('status') || has('emailstatus')) && (has('dateadded') || has('groups')) ? 'sender' : null
}

/** The status of all rows of a list that a file's name tells, as Mailchimp names its files. */
export function statusOfFilename(filename: string): ReaderStatus {
  const name = filename.toLowerCase()
  if (/non-?_?subscribed/.test(name)) return 'none'
  if (/complain|spam/.test(name)) return 'complained'
  if (/cleaned|bounced/.test(name)) return 'bounced'
  return /unsubscribe|opt-?_?out|suppress/.test(name) ? 'unsubscribed' : 'subscribed'
}

/** The status of all rows, as the officer says. */
export function statusOfList(list: WholeList): ReaderStatus {
  return list === 'file' ? 'subscribed' : list
}

/** Reads the cell of a status. An empty cell or an unknown text is no consent. */
export function readStatus(cell: string): ReaderStatus {
  const text = cell.trim().toLowerCase()
  if (text === '') return 'none'
  if (/complain|spam|abuse/.test(text)) return 'complained'
  if (/clean|bounce|undeliver|invalid/.test(text)) return 'bounced'
  if (/non-?_? ?subscrib|not subscrib|unconfirmed|pending|await/.test(text)) return 'none'
  if (/unsub|opt(?:ed)?[- ]?out|removed|suppress|^(?:false|no|0|left|inactive|disabled)$/.test(text))
    return 'unsubscribed'
  return /^(?:subscribed|subscriber|active|confirmed|enabled|true|yes|1|express|implied|opt(?:ed)?[- ]?in)$/.test(text)
    ? 'subscribed'
    : 'none'
}
