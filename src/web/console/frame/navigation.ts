import type { Permission } from '#contract/access.ts'
import type { TaskKey } from '#contract/console/console.ts'
import { consoleRoutes, NAVIGATION_GROUPS, routeUrl, type ConsoleRoute } from '../console-routes.ts'

/** A console page that an officer may open from the navigation. */
export interface NavigationLink {
  route: ConsoleRoute
  url: string
  label: string
}

interface NavigationGroup {
  /** '' for entries without a heading. */
  heading: string
  links: NavigationLink[]
}

/** The navigation of an officer with these permissions; groups without entries are left out. */
export function navigationFor(permissions: readonly Permission[]): NavigationGroup[] {
  return NAVIGATION_GROUPS.map((heading) => ({
    heading,
    links: consoleRoutes.flatMap((route) =>
      route.entry?.group === heading && permissions.includes(route.permission)
        ? [{ route, url: routeUrl(route), label: route.entry.label }]
        : [],
    ),
  })).filter(({ links }) => links.length > 0)
}

/** The tasks of the home page that are counted beside a navigation entry, by the entry's path. */
const COUNTED_TASKS: Record<string, TaskKey[]> = {
  messages: ['messages'],
  credentials: ['credentials', 'credentials-again'],
  officers: ['approvals'],
}

/** How many tasks wait for the officer behind a navigation entry; 0 for none. */
export function waitingBehind({ path }: ConsoleRoute, tasks: readonly { key: TaskKey; count: number }[]): number {
  const counted = COUNTED_TASKS[path] ?? []
  return tasks.reduce((sum, { key, count }) => sum + (counted.includes(key) ? count : 0), 0)
}

/** Something an officer can start from the New menu, with its shortcut's second key after `n`. */
export interface NewItem {
  label: string
  url: string
  permission: Permission
  shortcut?: string
}

const NEW_ITEMS: NewItem[] = [
  { label: 'Member', url: '/console/members/new', permission: 'members.change', shortcut: 'm' },
  { label: 'Payment', url: '/console/payments/new', permission: 'money.change', shortcut: 'p' },
  { label: 'Event', url: '/console/content/events/new', permission: 'content.change', shortcut: 'e' },
  { label: 'Newsletter', url: '/console/newsletter?new=yes', permission: 'newsletter.send', shortcut: 'l' },
  { label: 'Email to members', url: '/console/member-emails?new=yes', permission: 'members.email' },
  { label: 'Page', url: '/console/content/added-pages/new', permission: 'content.change' },
  { label: 'News item', url: '/console/content/news/new', permission: 'content.change', shortcut: 'c' },
  { label: 'Import posts and pages', url: '/console/content-imports', permission: 'content.change' },
  { label: 'Import members', url: '/console/member-imports', permission: 'members.change' },
]

/** What an officer with these permissions may start. */
export function newItemsFor(permissions: readonly Permission[]): NewItem[] {
  return NEW_ITEMS.filter(({ permission }) => permissions.includes(permission))
}
