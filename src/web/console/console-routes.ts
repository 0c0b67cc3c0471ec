import type { ComponentType } from 'react'
import { matchRoutes, type PathParam } from 'react-router'
import type { Permission } from '#contract/access.ts'
import { paths } from '#web/app/paths.ts'

/** A console page. It appears in the navigation when it has a label and the officer has the permission. */
interface PageOptions<Props> {
  label?: string
  /** The path of the navigation entry it belongs to, when its own path does not start with it. */
  parent?: string
  permission: Permission
  load(): Promise<{ default: ComponentType<Props> }>
}

export interface ConsoleRoute extends PageOptions<Record<string, string>> {
  /** Relative to `/console`; '' is the home page. */
  path: string
  caseSensitive: true
}

/** All console pages, in navigation order. Each is loaded when it is opened. */
export const consoleRoutes: ConsoleRoute[] = [
  page('', { label: 'Home', permission: 'console.look', load: () => import('./today/home.tsx') }),
  page('messages', { label: 'Inbox', permission: 'messages.answer', load: () => import('./messages/inbox.tsx') }),
  page('messages/:id', { permission: 'messages.answer', load: () => import('./messages/inbox-message.tsx') }),
  page('message-templates', {
    parent: 'messages',
    permission: 'messages.answer',
    load: () => import('./messages/message-templates.tsx'),
  }),
  page('members', { label: 'Members', permission: 'members.look', load: () => import('./members/member-list.tsx') }),
  page('members/new', { permission: 'members.change', load: () => import('./members/member-new.tsx') }),
  page('members/:id', { permission: 'members.look', load: () => import('./members/member/member.tsx') }),
  page('members/:id/merge', { permission: 'members.change', load: () => import('./members/merge/member-merge.tsx') }),
  page('member-imports', {
    parent: 'members',
    permission: 'members.change',
    load: () => import('./members/import/import-list.tsx'),
  }),
  page('member-imports/:id', {
    parent: 'members',
    permission: 'members.change',
    load: () => import('./members/import/member-import.tsx'),
  }),
  page('credentials', {
    label: 'Credentials',
    permission: 'credentials.decide',
    load: () => import('./members/credentials.tsx'),
  }),
  page('payments', { label: 'Payments', permission: 'money.look', load: () => import('./treasury/payments.tsx') }),
  page('payouts', { parent: 'payments', permission: 'money.look', load: () => import('./treasury/payouts.tsx') }),
  page('dues', { label: 'Dues & prices', permission: 'money.look', load: () => import('./dues/dues.tsx') }),
  page('dues/:id', { permission: 'money.look', load: () => import('./dues/dues-level.tsx') }),
  page('coupons', { label: 'Coupons', permission: 'money.look', load: () => import('./dues/coupons.tsx') }),
  page('rsvp', { label: 'Events & RSVPs', permission: 'events.run', load: () => import('./events/rsvp-events.tsx') }),
  page('rsvp/:id', { permission: 'events.run', load: () => import('./events/check-in.tsx') }),
  page('rsvp/:id/offer', { permission: 'events.run', load: () => import('./events/rsvp-settings.tsx') }),
  page('content', {
    label: 'Pages & content',
    permission: 'content.change',
    load: () => import('./content/content.tsx'),
  }),
  page('content/:kind', { permission: 'content.change', load: () => import('./content/content-list.tsx') }),
  page('content/:kind/:id', { permission: 'content.change', load: () => import('./content/content-record.tsx') }),
  page('pictures', { label: 'Media', permission: 'content.change', load: () => import('./pictures/picture-list.tsx') }),
  page('pictures/:bucket/:folder/:filename', {
    permission: 'content.change',
    load: () => import('./pictures/picture.tsx'),
  }),
  page('newsletter', {
    label: 'Newsletter',
    permission: 'newsletter.send',
    load: () => import('./newsletter/newsletter-list.tsx'),
  }),
  page('newsletter/:id', { permission: 'newsletter.send', load: () => import('./newsletter/newsletter.tsx') }),
  page('subscribers', {
    parent: 'newsletter',
    permission: 'newsletter.send',
    load: () => import('./newsletter/subscribers.tsx'),
  }),
  page('sponsors', { label: 'Sponsors', permission: 'sponsors.look', load: () => import('./sponsors/sponsors.tsx') }),
  page('run-of-show', {
    parent: 'sponsors',
    permission: 'sponsors.look',
    load: () => import('./sponsors/run-days.tsx'),
  }),
  page('run-of-show/:day', {
    parent: 'sponsors',
    permission: 'sponsors.look',
    load: () => import('./sponsors/run-of-show.tsx'),
  }),
  page('approvals', { parent: 'officers', permission: 'console.look', load: () => import('./officers/approvals.tsx') }),
  page('officers', {
    label: 'Officers & roles',
    permission: 'console.look',
    load: () => import('./officers/officers.tsx'),
  }),
  page('roll-over', {
    label: 'New term',
    permission: 'officers.change',
    load: () => import('./year-rollover/roll-over.tsx'),
  }),
  page('access', { label: 'My security', permission: 'console.look', load: () => import('./officers/security.tsx') }),
  page('history', { label: 'Audit log', permission: 'audit.look', load: () => import('./officers/audit-log.tsx') }),
]

/** A page's props are the parameters of its path. */
function page<Path extends string>(path: Path, options: PageOptions<Record<PathParam<Path>, string>>): ConsoleRoute {
  return { ...options, path, caseSensitive: true }
}

/** Returns the page at a pathname and its props, or null. */
export function matchConsoleRoute(pathname: string): { route: ConsoleRoute; params: Record<string, string> } | null {
  const match = matchRoutes(consoleRoutes, pathname, paths.console())?.[0]
  return match ? { route: match.route, params: match.params as Record<string, string> } : null
}

/** The navigation entry to highlight for a page. */
export function navigationEntry({ path, parent }: ConsoleRoute): ConsoleRoute | undefined {
  const entry = parent ?? path.split('/')[0]
  return consoleRoutes.find((route) => route.path === entry)
}

export function routeUrl({ path }: ConsoleRoute): string {
  return paths.console() + (path && `/${path}`)
}
