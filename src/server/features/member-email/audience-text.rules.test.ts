import { expect, test } from 'vitest'
import type { MemberAudience } from '#contract/console/emails/member-emails.ts'
import { audienceText } from './audience-text.rules.ts'

const NAMES = {
  levels: new Map([['life', 'Life Member']]),
  fields: new Map([['specialty', 'Specialty']]),
}

test.each<[MemberAudience, string]>([
  [{ filter: {} }, 'Everyone on the list of members'],
  [{ ids: ['a'] }, '1 chosen member'],
  [{ ids: ['a', 'b', 'a'] }, '2 chosen members'],
  [{ filter: { status: 'ACTIVE,PAST_DUE', level: 'life' } }, 'Status: Active, Payment failed; Level: Life Member'],
  [{ filter: { level: 'gone' } }, 'Level: gone'],
  [{ filter: { ending: '30', renewal: 'manual' } }, 'Renewal: Manual renewal; Renews or ends: within 30 days'],
  [{ filter: { joinedFrom: '2026-01-31', q: 'rao' } }, 'Member since: January 31, 2026 or later; Search: “rao”'],
  [{ filter: { record: 'specialty=Cardiology&specialty=' } }, 'Specialty: Cardiology, not entered'],
  [{ filter: { record: 'gone=x' } }, 'A field that is no longer in use: x'],
])('%j: %s', (audience, text) => {
  expect(audienceText(audience, NAMES)).toBe(text)
})
