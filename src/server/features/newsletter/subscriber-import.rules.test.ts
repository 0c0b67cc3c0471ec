import { expect, test } from 'vitest'
import { readCsvRows, separatorOf } from '#server/platform/csv.ts'
import { readReaders } from './subscriber-import.rules.ts'

const TODAY = '2026-11-22'
const read = (text: string) => readReaders(readCsvRows(text, separatorOf(text)), TODAY)

test('bare addresses, one a line, say nothing about their consent; the second of two is passed over', () => {
  expect(read('ana@example.org\nben@example.org\nANA@example.org\n')).toEqual({
    readers: [
      { line: 1, email: 'ana@example.org', consentOn: null, consentSource: null },
      { line: 2, email: 'ben@example.org', consentOn: null, consentSource: null },
    ],
    wrong: [],
  })
})

test.each([
  ['email,consent date,source\nana@example.org,2024-03-02,Gala sheet', 'Gala sheet'],
  ['Email Address;Consent Date;Source;Evidence\nana@example.org;3/2/2024;Gala;paper form 12', 'Gala; paper form 12'],
  ['evidence,OPTIN_TIME,email\n=Gala,2024-03-02 18:20:11,ana@example.org', '=Gala'],
])('a list with columns brings the day and the source: %j', (text, consentSource) => {
  expect(read(text)).toMatchObject({
    readers: [{ line: 2, email: 'ana@example.org', consentOn: '2024-03-02', consentSource }],
    wrong: [],
  })
})

test.each([
  ['nobody', '', 'nobody', /not an email address/],
  ['', '2024-03-02', '', /not an email address/],
  ['ana@example.org', '31/06/2024', '31/06/2024', /not a day/],
  ['ana@example.org', '2026-11-23', '2026-11-23', /still to come/],
])('%j agreed on %j: a wrong line, quoted as it was typed', (email, day, cell, sentence) => {
  const { readers, wrong } = read(`email,date\n${email},${day}\nben@example.org,\n`)
  expect(readers.map((reader) => reader.email)).toEqual(['ben@example.org'])
  expect(wrong).toEqual([{ line: 2, cell, sentence: expect.stringMatching(sentence), cure: expect.any(String) }])
})

test('a list without addresses is refused', () => {
  expect(() => read('name,town\nAna,Macon\n')).toThrow(/no column of email addresses/)
})
