import { expect, test } from 'vitest'
import type { MemberAudience } from '#contract/console/emails/member-emails.ts'
import { audienceText } from './audience-text.rules.ts'

const LEVELS = new Map([['life', 'Life Member']])

test.each<[MemberAudience, string]>([
  [{ filter: {} }, 'Everyone on the list of members'],
  [{ ids: ['a'] }, '1 chosen member'],
  [{ ids: ['a', 'b', 'a'] }, '2 chosen members'],
  [{ filter: { status: 'ACTIVE,PAST_DUE', level: 'life' } }, 'Status: Active, Payment failed; Level: Life Member'],
  [{ filter: { level: 'gone' } }, 'Level: gone'],
  [{ filter: { ending: '30', renewal: 'manual' } }, 'Renewal: Manual renewal; Renews or ends: within 30 days'],
  [{ filter: { joinedFrom: '2026-01-31', q: 'rao' } }, 'Member since: January 31, 2026 or later; Search: “rao”'],
])('%j: %s', (audience, text) => {
  expect(audienceText(audience, LEVELS)).toBe(text)
})
