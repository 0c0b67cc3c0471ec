import type { HttpResponse } from '#tests/trust/http.ts'
import type { Call } from './measure-calls.ts'

/** What the paths of the calls name. */
export interface ConsoleNames {
  get(path: string): Promise<HttpResponse>
  eventId: string
}

/** Every list and search that officers open, by the path after `/api/console/`. */
export async function consoleLists({ get, eventId }: ConsoleNames): Promise<Call[]> {
  const day = (before: number) => new Date(Date.now() - before * 86_400_000).toISOString().slice(0, 10)
  const someone = (await get('members?q=member77')).body.members[0].id as string
  const halfway = (await get(`audit`)).body.entries.at(-1).id as string
  const lists: Call[] = [
    ['members by name', () => 'members'],
    ['members, page 100', () => 'members?page=100'],
    ['members, last page', () => 'members?page=200'],
    ['members, a name searched', () => 'members?q=menon'],
    ['members, an address searched', (turn) => `members?q=member${turn * 37}@`],
    ['members, two words, none has both', () => 'members?q=iyer+unknown'],
    ['members with an active membership', () => 'members?status=ACTIVE'],
    ['members lapsed', () => 'members?status=EXPIRED'],
    ['members of a level', () => 'members?level=life_member'],
    ['members by status', () => 'members?order=status'],
    ['members by credentials', () => 'members?order=credentials&descending=yes'],
    ['members by last payment', () => 'members?order=lastPayment&descending=yes'],
    ['members with filters combined', () => 'members?status=ACTIVE,PAST_DUE&renewal=manual&credentials=none'],
    ['members by a field of their record', () => `members?record=${encodeURIComponent('specialty=Cardiology')}`],
    [
      'members by two fields of their record, one not entered',
      () => `members?record=${encodeURIComponent('city=Macon&school=')}&order=joined`,
    ],
    ['members counted by every filter', () => 'members/counts'],
    ['members counted beside a search', () => 'members/counts?q=menon'],
    ["a member's timeline", () => `members/${someone}/timeline`],
    ['members who joined within a year', () => `members?joinedFrom=${day(366)}&joinedTo=${day(1)}&order=joined`],
    ['members by day of joining, backwards', () => 'members?order=joined&descending=yes'],
    ['members by end of term', () => 'members?order=ends&page=50'],
    ['members by level', () => 'members?order=level&page=50'],
    ['members whose credentials wait', () => 'members?credentials=waiting'],
    [
      'members as a view keeps them: active, ending within 60 days, by end',
      () => 'members?status=ACTIVE&ending=60&order=ends',
    ],
    ['views of the list', () => 'views?list=members'],
    ['one member', () => `members/${someone}`],
    ['payments of a month', () => `payments?from=${day(71)}&to=${day(40)}`],
    ['payments of ten years, a name searched', (turn) => `payments?from=${day(3_650)}&to=${day(0)}&q=missing${turn}`],
    [
      'payments of ten years, page 50 by name',
      () => `payments?from=${day(3_650)}&to=${day(0)}&sort=name&order=asc&page=50`,
    ],
    ['the year', () => 'year'],
    ['messages, open', () => 'messages?state=open'],
    ['messages, answered, page 150', () => 'messages?state=answered&page=150'],
    ['messages, a word searched that is in none', (turn) => `messages?state=answered&q=nothing${turn}`],
    ['subscribers', () => 'subscribers'],
    ['subscribers, page 100', () => 'subscribers?page=100'],
    ['subscribers, an address searched', (turn) => `subscribers?q=reader${turn * 31}@`],
    ['credential desk', () => 'credentials'],
    ['history', () => 'audit'],
    ['history, further back', () => `audit?before=${halfway}`],
    ['history of one kind', () => 'audit?q=published'],
    ['history of a person', () => 'audit?q=kulkarni'],
    ['history, a word searched that is in one entry', (turn) => `audit?q=404-555-${90_000 + turn}`],
    ['history, a word searched that is in none', (turn) => `audit?q=nothing${turn}`],
    ['events with RSVPs', () => 'rsvp'],
    ['check-in list', () => `rsvp/${eventId}/door`],
    ['newsletters', () => 'newsletters'],
    ['sponsors', () => 'sponsors'],
    ['officers', () => 'officers'],
    ['what needs attention today', () => 'today'],
  ]
  return lists
}

/** The other pages of the console. @param draft of an email to members @param sent an email to members that was sent */
export async function consolePages(
  { get }: Pick<ConsoleNames, 'get'>,
  { draft, sent }: { draft: string; sent: string },
): Promise<Call[]> {
  const someone = (await get('members?q=member77')).body.members[0].id as string
  const days = `from=${new Date(Date.now() - 40 * 86_400_000).toISOString().slice(0, 10)}&to=${new Date().toISOString().slice(0, 10)}`
  const { paymentId } = (await get(`payments?${days}`)).body.lines[0] as { paymentId: string }
  const plain = [
    'home',
    'me',
    'approvals',
    'content',
    'coupons',
    'documents',
    'dues',
    'dues/annual_member',
    'events',
    'member-email-topics',
    'member-emails',
    'member-form',
    'member-imports',
    'message-templates',
    'payment-choices',
    'payment-imports/recent',
    `payouts?month=${new Date().toISOString().slice(0, 7)}`,
    'planted-entries',
    'reports/members',
    'roll-calls',
    'roll-over',
    'rolls',
    'run-of-show',
    'subscriber-imports/recent',
    'subscription-imports/recent',
  ]
  return [
    ...plain.map((path): Call => [path, () => path]),
    ['search, a name', () => 'search?q=menon'],
    ['search, a receipt', () => 'search?q=BENCH-77-0'],
    ['search, a word that is nowhere', (turn) => `search?q=nowhere${turn}`],
    ['search, a misspelled name', (turn) => `search?q=kulkrani${'aeiou'.charAt(turn % 5)}`],
    ['members, a misspelled name', () => 'members?q=bhatacharya'],
    ['members by email', () => 'members?order=email&page=100'],
    ['members by username', () => 'members?order=username&page=100'],
    ['members by start of membership', () => 'members?order=started&page=100'],
    ['members by renewal', () => 'members?order=renewal'],
    ['whom a payment is from', (turn) => `payment-choices/payers?q=member${turn * 31}`],
    ['payments of the last 40 days', () => `payments?${days}`],
    ['payments of the last 40 days by amount', () => `payments?${days}&sort=amount`],
    ['one payment', () => `payments/dues/${paymentId}`],
    ['an email to members before sending, with whom it reaches', () => `member-emails/${draft}`],
    ['an email to members that was sent', () => `member-emails/${sent}`],
    ['one newsletter', () => 'newsletters/campaign-2'],
    ...['card', 'directory', 'duplicates', 'end?ending=request', 'state'].map((part): Call => [
      `one member, ${part}`,
      () => `members/${someone}/${part}`,
    ]),
  ]
}
