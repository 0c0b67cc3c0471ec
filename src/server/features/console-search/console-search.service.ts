import type { Permission } from '#contract/access.ts'
import { searchLimits, type searchConsole, type SearchGroup, type SearchResult } from '#contract/console/search.ts'
import { dayOf, formatLongDate } from '#contract/dates/dates.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import { formatMoney } from '#contract/money.ts'
import type { AppContext } from '#server/app-context.ts'
import type { Officer } from '#server/http/serve.ts'
import type { InboxService } from '#server/features/contact/inbox.service.ts'
import type { ContentService } from '#server/features/content/content.service.ts'
import type { MemberListService } from '#server/features/member-admin/member-list.service.ts'
import { findPayments, type FoundPayment } from './console-search.repository.ts'

type Search = (text: string) => Promise<SearchResult[]>

const LIMIT = searchLimits.perGroup

export function createConsoleSearchService(
  { db, timeZone }: AppContext,
  {
    memberList,
    inbox,
    content,
  }: {
    memberList: Pick<MemberListService, 'search' | 'suggest'>
    inbox: Pick<InboxService, 'search'>
    content: Pick<ContentService, 'search'>
  },
) {
  /** How each group is searched, and who may. */
  const groups: Record<SearchGroup, { permission: Permission; search: Search }> = {
    members: {
      permission: 'members.look',
      search: async (text) =>
        (await memberList.search(text, LIMIT)).map(({ id, firstName, lastName, email }) => ({
          title: `${lastName}, ${firstName}`,
          detail: email,
          url: `/console/members/${id}`,
        })),
    },
    events: { permission: 'events.run', search: async (text) => searchContent(text, true) },
    messages: {
      permission: 'messages.answer',
      search: async (text) =>
        (await inbox.search(text, LIMIT)).map(({ id, name, subject }) => ({
          title: subject,
          detail: name,
          url: `/console/messages/${id}`,
        })),
    },
    payments: {
      permission: 'money.look',
      search: async (text) => (await findPayments(db, text, LIMIT)).map(toResult),
    },
    content: { permission: 'content.change', search: async (text) => searchContent(text, false) },
  }

  async function searchContent(text: string, isEvent: boolean): Promise<SearchResult[]> {
    const found = await content.search(text, (kind) => (kind === 'events') === isEvent, LIMIT)
    return found.map(({ kind, what, id, title }) => ({
      title,
      detail: what,
      url: isEvent ? `/console/rsvp/${encodeURIComponent(id)}` : `/console/content/${kind}/${encodeURIComponent(id)}`,
    }))
  }

  function toResult({ receiptNumber, name, accountId, amount, currency, paidAt }: FoundPayment): SearchResult {
    return {
      title: `${formatMoney(amount, currency)} from ${name}`,
      detail: [receiptNumber, formatLongDate(paidAt, timeZone)].filter(Boolean).join(', '),
      url: accountId
        ? `/console/members/${accountId}`
        : `/console/payments?month=${dayOf(paidAt, timeZone).slice(0, 7)}`,
    }
  }

  return {
    /** Searches what the officer may see; groups without results are left out. A text of one letter finds nothing; one that nothing matches, members with similar names. */
    async find(officer: Officer, q: string): Promise<ReplyOf<typeof searchConsole>> {
      const text = q.trim()
      if (text.length < 2) return { groups: [] }
      const permitted = Object.entries(groups).filter(([, { permission }]) => officer.permissions.includes(permission))
      const found = await Promise.all(
        permitted.map(async ([group, { search }]) => ({ group: group as SearchGroup, results: await search(text) })),
      )
      const some = found.filter(({ results }) => results.length > 0)
      if (some.length > 0 || !officer.permissions.includes(groups.members.permission)) return { groups: some }
      const similar = (await memberList.suggest(text)).slice(0, LIMIT)
      const results = similar.map(({ id, firstName, lastName }) => ({
        title: `${lastName}, ${firstName}`,
        detail: 'Similar name',
        url: `/console/members/${id}`,
      }))
      return { groups: results.length > 0 ? [{ group: 'members', results }] : [] }
    },
  }
}

export type ConsoleSearchService = ReturnType<typeof createConsoleSearchService>
