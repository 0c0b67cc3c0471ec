import { expect, test } from 'vitest'
import { readCsvRows, detectSeparator } from '#server/lib/csv/csv.ts'
import { parseSubscriberRows } from './subscriber-file.rules.ts'

const TODAY = '2026-11-22'
const read = (text: string) => parseSubscriberRows(readCsvRows(text, detectSeparator(text)), TODAY)

test('bare addresses have no consent data; repeated addresses are skipped', () => {
  expect(read('ana@example.org\nben@example.org\nANA@example.org\n')).toEqual({
    system: null,
    subscribers: [
      { line: 1, email: 'ana@example.org', status: 'subscribed', on: null, source: null },
      { line: 2, email: 'ben@example.org', status: 'subscribed', on: null, source: null },
    ],
    invalidRows: [],
  })
})

test.each([
  ['email,consent date,source\nana@example.org,2024-03-02,Gala form', 'Gala form'],
  ['Email Address;Consent Date;Source;Evidence\nana@example.org;3/2/2024;Gala;paper form 12', 'Gala; paper form 12'],
  ['evidence,OPTIN_TIME,email\n=Gala,2024-03-02 18:20:11,ana@example.org', '=Gala'],
])('a list with columns has the consent date and source: %j', (text, source) => {
  expect(read(text)).toMatchObject({
    subscribers: [{ line: 2, email: 'ana@example.org', on: '2024-03-02', source }],
    invalidRows: [],
  })
})

test.each([
  ['no-address', '', 'no-address', /not an email address/],
  ['', '2024-03-02', '', /not an email address/],
  ['ana@example.org', '31/06/2024', '31/06/2024', /not a date/],
  ['ana@example.org', '2026-11-23', '2026-11-23', /in the future/],
])('%j with consent on %j is an invalid row, quoted as typed', (email, day, cell, sentence) => {
  const { subscribers, invalidRows } = read(`email,date\n${email},${day}\nben@example.org,\n`)
  expect(subscribers.map((subscriber) => subscriber.email)).toEqual(['ben@example.org'])
  expect(invalidRows).toEqual([{ line: 2, cell, sentence: expect.stringMatching(sentence), cure: expect.any(String) }])
})

test('a list without addresses is rejected', () => {
  expect(() => read('name,town\nAna,Macon\n')).toThrow(/no column of email addresses/)
})
