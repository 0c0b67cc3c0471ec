import type { ComponentType } from 'react'
import { matchRoutes, type PathParam } from 'react-router'
import type { Permission } from '#contract/access.ts'
import { paths } from '#web/app/paths.ts'
import type { IconName } from './ui/console-icons.ts'

/** The groups of the navigation, in order; entries without a heading have the name ''. */
export const NAVIGATION_GROUPS = [
  '',
  'People',
  'Money',
  'Events',
  'Communicate',
  'Sponsors',
  'Website',
  'Settings',
] as const
type NavigationGroup = (typeof NAVIGATION_GROUPS)[number]

/** A page's entry in the navigation. */
interface NavigationEntry {
  label: string
  group: NavigationGroup
  icon: IconName
  /** The second key of its shortcut, after `g`. */
  shortcut?: string
}

/** A console page. It appears in the navigation when it has an entry and the officer has the permission. */
interface PageOptions<Props> {
  entry?: NavigationEntry
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
  page('', {
    entry: { label: 'Home', group: '', icon: 'home', shortcut: 'h' },
    permission: 'console.look',
    load: () => import('./home/home.tsx'),
  }),
  page('messages', {
    entry: { label: 'Inbox', group: 'Communicate', icon: 'inbox', shortcut: 'i' },
    permission: 'messages.answer',
    load: () => import('./messages/inbox.tsx'),
  }),
  page('messages/:id', { permission: 'messages.answer', load: () => import('./messages/inbox.tsx') }),
  page('message-templates', {
    parent: 'messages',
    permission: 'messages.answer',
    load: () => import('./messages/message-templates.tsx'),
  }),
  page('members', {
    entry: { label: 'Members', group: 'People', icon: 'people', shortcut: 'm' },
    permission: 'members.look',
    load: () => import('./members/list/member-list.tsx'),
  }),
  page('members/new', { permission: 'members.change', load: () => import('./members/member-new.tsx') }),
  page('members/:id', { permission: 'members.look', load: () => import('./members/member/member.tsx') }),
  page('members/:id/merge', { permission: 'members.change', load: () => import('./members/merge/member-merge.tsx') }),
  page('member-imports', {
    entry: { label: 'Import', group: 'People', icon: 'upload' },
    permission: 'members.change',
    load: () => import('./members/import/import-list.tsx'),
  }),
  page('member-imports/:id', {
    permission: 'members.change',
    load: () => import('./members/import/member-import.tsx'),
  }),
  page('credentials', {
    entry: { label: 'Credentials', group: 'People', icon: 'credential', shortcut: 'c' },
    permission: 'credentials.decide',
    load: () => import('./members/credentials/credentials.tsx'),
  }),
  page('cards', {
    entry: { label: 'Scan a card', group: 'People', icon: 'scan' },
    permission: 'events.run',
    load: () => import('./members/card/scan-card.tsx'),
  }),
  page('roll-calls', {
    entry: { label: 'Roll call', group: 'People', icon: 'clock' },
    permission: 'members.look',
    load: () => import('./roll/roll-calls.tsx'),
  }),
  page('roll-calls/:id', { permission: 'members.look', load: () => import('./roll/roll-call-page.tsx') }),
  page('rolls', {
    entry: { label: 'Roll of members', group: 'People', icon: 'list' },
    permission: 'members.look',
    load: () => import('./roll/rolls.tsx'),
  }),
  page('rolls/:id', { permission: 'members.look', load: () => import('./roll/roll-page.tsx') }),
  page('planted-entries', {
    entry: { label: 'Planted entries', group: 'People', icon: 'eye' },
    permission: 'members.change',
    load: () => import('./members/directory/planted-entries.tsx'),
  }),
  page('reports', {
    entry: { label: 'Reports', group: 'People', icon: 'chart' },
    permission: 'members.look',
    load: () => import('./reports/member-report.tsx'),
  }),
  page('payments', {
    entry: { label: 'Payments', group: 'Money', icon: 'card', shortcut: 'p' },
    permission: 'money.look',
    load: () => import('./treasury/payments.tsx'),
  }),
  page('payments/new', { permission: 'money.change', load: () => import('./treasury/record/record-payments.tsx') }),
  page('payments/import', {
    permission: 'money.change',
    load: () => import('./treasury/import/payment-import.tsx'),
  }),
  page('payments/subscriptions', {
    permission: 'money.change',
    load: () => import('./treasury/subscriptions/subscription-import.tsx'),
  }),
  page('payments/year', { permission: 'money.look', load: () => import('./treasury/year/year.tsx') }),
  page('payments/:kind/:id', { permission: 'money.look', load: () => import('./treasury/payment-page.tsx') }),
  page('payouts', {
    entry: { label: 'Payouts', group: 'Money', icon: 'bank' },
    permission: 'money.look',
    load: () => import('./treasury/payouts.tsx'),
  }),
  page('dues', {
    entry: { label: 'Dues & prices', group: 'Money', icon: 'tag' },
    permission: 'money.look',
    load: () => import('./dues/dues.tsx'),
  }),
  page('dues/new', { permission: 'money.change', load: () => import('./dues/level-new.tsx') }),
  page('dues/:id', { permission: 'money.look', load: () => import('./dues/dues-level.tsx') }),
  page('coupons', {
    entry: { label: 'Coupons', group: 'Money', icon: 'coupon' },
    permission: 'money.look',
    load: () => import('./dues/coupons.tsx'),
  }),
  page('rsvp', {
    entry: { label: 'Events & RSVPs', group: 'Events', icon: 'calendar', shortcut: 'e' },
    permission: 'events.run',
    load: () => import('./events/rsvp-events.tsx'),
  }),
  page('check-in', {
    entry: { label: 'Check-in', group: 'Events', icon: 'scan', shortcut: 'k' },
    permission: 'events.run',
    load: () => import('./events/check-in-start.tsx'),
  }),
  page('rsvp/:id', { parent: 'check-in', permission: 'events.run', load: () => import('./events/check-in.tsx') }),
  page('rsvp/:id/offer', { permission: 'events.run', load: () => import('./events/rsvp-settings.tsx') }),
  page('rsvp/:id/attendees', { permission: 'events.run', load: () => import('./events/event/attendees.tsx') }),
  page('rsvp/:id/emails', { permission: 'events.run', load: () => import('./events/event/event-emails.tsx') }),
  page('content/events/:id', {
    parent: 'rsvp',
    permission: 'content.change',
    load: () => import('./events/event/event-details.tsx'),
  }),
  page('content', {
    entry: { label: 'Pages & content', group: 'Website', icon: 'page', shortcut: 'w' },
    permission: 'content.change',
    load: () => import('./content/content.tsx'),
  }),
  page('content/:kind', { permission: 'content.change', load: () => import('./content/content-list.tsx') }),
  page('content/:kind/:id', { permission: 'content.change', load: () => import('./content/content-record.tsx') }),
  page('pictures', {
    entry: { label: 'Media', group: 'Website', icon: 'image' },
    permission: 'content.change',
    load: () => import('./pictures/picture-list.tsx'),
  }),
  page('pictures/:bucket/:folder/:filename', {
    permission: 'content.change',
    load: () => import('./pictures/picture.tsx'),
  }),
  page('documents', {
    entry: { label: 'Documents', group: 'Website', icon: 'copy' },
    permission: 'content.change',
    load: () => import('./documents/document-list.tsx'),
  }),
  page('documents/:id', { permission: 'content.change', load: () => import('./documents/document.tsx') }),
  page('content-imports', {
    entry: { label: 'Import posts and pages', group: 'Website', icon: 'upload' },
    permission: 'content.change',
    load: () => import('./content-import/content-import-list.tsx'),
  }),
  page('content-imports/:id', {
    permission: 'content.change',
    load: () => import('./content-import/content-import.tsx'),
  }),
  page('settings', {
    entry: { label: 'Association', group: 'Settings', icon: 'building' },
    permission: 'content.change',
    load: () => import('./settings/association.tsx'),
  }),
  page('brand', {
    entry: { label: 'Brand', group: 'Settings', icon: 'palette' },
    permission: 'content.change',
    load: () => import('./settings/brand.tsx'),
  }),
  page('newsletter', {
    entry: { label: 'Newsletter', group: 'Communicate', icon: 'mail', shortcut: 'n' },
    permission: 'newsletter.send',
    load: () => import('./newsletter/newsletter-list.tsx'),
  }),
  page('member-emails', {
    entry: { label: 'Emails to members', group: 'Communicate', icon: 'send', shortcut: 'l' },
    permission: 'members.email',
    load: () => import('./member-emails/member-email-list.tsx'),
  }),
  page('member-emails/:id', {
    permission: 'members.email',
    load: () => import('./member-emails/member-email.tsx'),
  }),
  page('email-texts', {
    entry: { label: 'Email texts', group: 'Communicate', icon: 'edit' },
    permission: 'content.change',
    load: () => import('./email-texts/email-texts.tsx'),
  }),
  page('email-texts/:id', { permission: 'content.change', load: () => import('./email-texts/email-editor.tsx') }),
  page('newsletter/:id', { permission: 'newsletter.send', load: () => import('./newsletter/newsletter.tsx') }),
  page('subscribers', {
    entry: { label: 'Subscribers', group: 'Communicate', icon: 'list' },
    permission: 'newsletter.send',
    load: () => import('./newsletter/subscribers.tsx'),
  }),
  page('sponsors', {
    entry: { label: 'Sponsors', group: 'Sponsors', icon: 'ribbon' },
    permission: 'sponsors.look',
    load: () => import('./sponsors/sponsors.tsx'),
  }),
  page('run-of-show', {
    entry: { label: 'Run of show', group: 'Sponsors', icon: 'clock' },
    permission: 'sponsors.look',
    load: () => import('./sponsors/run-days.tsx'),
  }),
  page('run-of-show/:day', {
    permission: 'sponsors.look',
    load: () => import('./sponsors/run-of-show.tsx'),
  }),
  page('approvals', { parent: 'officers', permission: 'console.look', load: () => import('./officers/approvals.tsx') }),
  page('setup', {
    entry: { label: 'Site setup', group: 'Settings', icon: 'monitor' },
    permission: 'site.setup',
    load: () => import('./setup/site-setup.tsx'),
  }),
  page('officers', {
    entry: { label: 'Officers & roles', group: 'Settings', icon: 'key', shortcut: 's' },
    permission: 'console.look',
    load: () => import('./officers/officers.tsx'),
  }),
  page('roll-over', {
    entry: { label: 'New term', group: 'Settings', icon: 'cycle' },
    permission: 'officers.change',
    load: () => import('./year-rollover/roll-over.tsx'),
  }),
  page('access', {
    entry: { label: 'My security', group: 'Settings', icon: 'shield' },
    permission: 'console.look',
    load: () => import('./officers/security.tsx'),
  }),
  page('history', {
    entry: { label: 'Audit log', group: 'Settings', icon: 'clock' },
    permission: 'audit.look',
    load: () => import('./officers/audit-log.tsx'),
  }),
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

/** The route whose navigation entry is highlighted on a page. */
export function navigationRoute({ path, parent }: ConsoleRoute): ConsoleRoute | undefined {
  const first = parent ?? path.split('/')[0]
  return consoleRoutes.find((route) => route.path === first)
}

export function routeUrl({ path }: ConsoleRoute): string {
  return paths.console() + (path && `/${path}`)
}
