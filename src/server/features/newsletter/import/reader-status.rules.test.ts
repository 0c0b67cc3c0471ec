import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { ReaderVerdict } from '#contract/console/subscribers.ts'
import { readCsvRows } from '#server/lib/csv/csv.ts'
import { readStatus, statusOfFilename } from './reader-status.rules.ts'
import { parseSubscriberRows } from './subscriber-file.rules.ts'
import { judgeReader, verdictSentence, type KnownReader } from './subscriber-verdict.rules.ts'

function read(name: string, filename = name) {
  const text = readFileSync(new URL(`../../../../../tests/support/exports/${name}.csv`, import.meta.url), 'utf8')
  return parseSubscriberRows(readCsvRows(text, ','), '2026-11-28', { filename, list: 'file' })
}
const short = (name: string) => {
  const { system, subscribers } = read(name)
  return [system, ...subscribers.map(({ email, status, on }) => [email.split('@')[0], status, on])]
}

test.each([
  ['mailchimp-subscribed', ['mailchimp', ['ana', 'subscribed', '2019-04-02'], ['ben', 'none', '2023-01-01']]],
  ['mailchimp-unsubscribed', ['mailchimp', ['cara', 'unsubscribed', '2021-06-07']]],
  ['mailchimp-cleaned', ['mailchimp', ['dev', 'bounced', '2022-02-03']]],
  ['ghost', ['ghost', ['ana', 'subscribed', '2019-10-30'], ['cara', 'unsubscribed', null], ['gone', 'none', null]]],
  [
    'constant-contact',
    [
      'constant-contact',
      ['ana', 'subscribed', '2020-05-06'],
      ['cara', 'unsubscribed', '2021-06-07'],
      ['dev', 'bounced', null],
      ['eva', 'none', null],
    ],
  ],
  [
    'sender',
    ['sender', ['ana', 'subscribed', '2022-03-04'], ['cara', 'unsubscribed', null], ['fay', 'complained', null]],
  ],
])('an export of %s is recognized, with the status of each address', (name, expected) => {
  expect(short(name)).toEqual(expected)
})

test('a source that the file does not have is the system', () => {
  expect(read('mailchimp-subscribed').subscribers[0]?.source).toBe('Mailchimp')
})

test('people who never subscribed are known by the name of their file', () => {
  const { subscribers } = read('mailchimp-subscribed', 'nonsubscribed_members_export_1.csv')
  expect(subscribers.map(({ status }) => status)).toEqual(['none', 'none'])
})

test.each([
  [
    'a renamed file of people who never subscribed',
    'email,OPTIN_TIME,CONFIRM_TIME,LEID,EUID\na@example.org,,,1,a',
    'file',
    'none',
  ],
  [
    'a Mailchimp row whose status says it',
    'email,status,CONFIRM_TIME,LEID,EUID\na@example.org,subscribed,,1,a',
    'file',
    'subscribed',
  ],
  ['an empty cell of a status', 'email,status\na@example.org,', 'file', 'none'],
  ['a row that ends before its status', 'email,name,status\na@example.org,Ana', 'file', 'none'],
  ['one of two columns with a status', 'email,status,email status\na@example.org,,active', 'file', 'subscribed'],
  ['a list of people who never agreed', 'email\na@example.org', 'none', 'none'],
] as const)('%s', (_, text, list, status) => {
  const { subscribers } = parseSubscriberRows(readCsvRows(text, ','), '2026-11-28', { filename: 'list.csv', list })
  expect(subscribers.map((one) => one.status)).toEqual([status])
})

test('a verdict says that a bounced address gets no emails to members, unlike one that was unsubscribed', () => {
  expect(verdictSentence('blocked', 'bounced')).toMatch(/Emails to members are not sent/)
  expect(verdictSentence('ended', 'complained')).toMatch(/Emails to members are not sent/)
  expect(verdictSentence('ended', 'unsubscribed')).not.toMatch(/members/)
})

test('of an address with two rows, the stricter one counts', () => {
  const rows = readCsvRows(
    'email,status\na@example.org,bounced\nA@example.org,active\nb@example.org,active\nb@example.org,left',
    ',',
  )
  const { subscribers } = parseSubscriberRows(rows, '2026-11-28')
  expect(subscribers.map(({ status }) => status)).toEqual(['bounced', 'unsubscribed'])
})

test.each([
  ['subscribed_email_audience_export_1.csv', 'subscribed'],
  ['unsubscribed_email_audience_export_1.csv', 'unsubscribed'],
  ['cleaned_email_audience_export_1.csv', 'bounced'],
  ['gala.csv', 'subscribed'],
])('the name %s says %s', (name, status) => {
  expect(statusOfFilename(name)).toBe(status)
})

test.each([
  ['Active', 'subscribed'],
  ['Unsubscribed', 'unsubscribed'],
  ['Non-subscribed', 'none'],
  ['Reported spam', 'complained'],
  ['hard bounce', 'bounced'],
  ['Awaiting confirmation', 'none'],
  ['what is this', 'none'],
  ['', 'none'],
])('the status %j is %s', (cell, status) => {
  expect(readStatus(cell)).toBe(status)
})

const NEW: KnownReader = { state: null, confirmedOn: null, suppressedFor: null }
const READER: KnownReader = { state: 'subscribed', confirmedOn: '2024-05-01', suppressedFor: null }

test.each<
  [string, 'subscribed' | 'unsubscribed' | 'bounced' | 'complained' | 'none', string | null, KnownReader, ReaderVerdict]
>([
  ['a new reader', 'subscribed', null, NEW, 'added'],
  ['a reader who is known', 'subscribed', null, READER, 'known'],
  ['one who left here', 'subscribed', null, { ...NEW, suppressedFor: 'left' }, 'suppressed'],
  ['one who never agreed', 'none', null, NEW, 'no-consent'],
  ['an unknown one who left there', 'unsubscribed', '2020-01-01', NEW, 'blocked'],
  ['one who bounced there and left here', 'bounced', null, { ...NEW, state: 'left', suppressedFor: 'left' }, 'blocked'],
  ['one who left there and bounced here', 'unsubscribed', null, { ...NEW, suppressedFor: 'bounce' }, 'suppressed'],
  ['a reader here who left there later', 'unsubscribed', '2024-05-02', READER, 'ended'],
  ['a reader here who left there on the same day', 'unsubscribed', '2024-05-01', READER, 'ended'],
  ['a reader here who left there at an unknown time', 'unsubscribed', null, READER, 'ended'],
  ['a reader who confirmed here after leaving there', 'unsubscribed', '2024-04-30', READER, 'newer-consent'],
  [
    'an imported reader who never confirmed here',
    'complained',
    '2020-01-01',
    { ...READER, confirmedOn: null },
    'ended',
  ],
])('%s', (_, status, on, known, verdict) => {
  expect(judgeReader({ line: 2, email: 'a@example.org', status, on, source: null }, known)).toBe(verdict)
})
