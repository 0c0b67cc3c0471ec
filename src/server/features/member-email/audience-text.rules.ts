import type { MemberAudience } from '#contract/console/emails/member-emails.ts'
import {
  CREDENTIAL_STATE_NAMES,
  MEMBER_RENEWAL_NAMES,
  MEMBER_STATE_NAMES,
  type CredentialState,
  type MemberRenewal,
  type MemberState,
} from '#contract/console/member-list.ts'
import { readRecordFilter } from '#contract/console/people/record-filter.ts'
import { formatDay } from '#contract/dates/days.ts'

/** An audience in words, such as 'Status: Active; Level: Life Member'. @param names of levels and of fields of the member record, by key */
export function audienceText(
  audience: MemberAudience,
  { levels, fields }: { levels: ReadonlyMap<string, string>; fields: ReadonlyMap<string, string> },
): string {
  if ('ids' in audience) {
    const count = new Set(audience.ids).size
    return count === 1 ? '1 chosen member' : `${count.toLocaleString('en-US')} chosen members`
  }
  const { q, status, level, ending, credentials, renewal, joinedFrom, joinedTo, record } = audience.filter
  const named = (label: string, values: string | undefined, name: (value: string) => string) =>
    values === undefined ? [] : [`${label}: ${values.split(',').map(name).join(', ')}`]
  const parts = [
    ...named('Status', status, (value) => MEMBER_STATE_NAMES[value as MemberState]),
    ...named('Level', level, (value) => levels.get(value) ?? value),
    ...named('Credentials', credentials, (value) => CREDENTIAL_STATE_NAMES[value as CredentialState]),
    ...named('Renewal', renewal, (value) => MEMBER_RENEWAL_NAMES[value as MemberRenewal]),
    ...named('Renews or ends', ending, (days) => `within ${days} days`),
    ...named('Member since', joinedFrom, (day) => `${formatDay(day)} or later`),
    ...named('Member since', joinedTo, (day) => `${formatDay(day)} or earlier`),
    ...Object.entries(readRecordFilter(record ?? '')).map(([key, values]) => {
      const shown = values.map((value) => (value === '' ? 'not entered' : value)).join(', ')
      return `${fields.get(key) ?? 'A field that is no longer in use'}: ${shown}`
    }),
    ...(q === undefined ? [] : [`Search: “${q}”`]),
  ]
  return parts.length === 0 ? 'Everyone on the list of members' : parts.join('; ')
}
