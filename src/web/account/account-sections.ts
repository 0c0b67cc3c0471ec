import { accountPath, paths } from '#web/app/paths.ts'

export type SectionName = 'overview' | 'membership' | 'profile' | 'emails' | 'security' | 'data' | 'directory'

interface AccountSection {
  name: SectionName
  path: string
  /** The heading and the document's title. */
  title: string
}

/** The pages of the account, in the order of its navigation. */
export const accountSections: readonly AccountSection[] = [
  { name: 'overview', path: paths.account(), title: 'Account' },
  ...(
    [
      ['membership', 'Membership and billing'],
      ['profile', 'Profile'],
      ['emails', 'Emails'],
      ['security', 'Security and devices'],
      ['data', 'Your data'],
      ['directory', 'Member directory'],
    ] as const
  ).map(([name, title]) => ({ name, path: accountPath(name), title })),
]

/** The page at a path as the browser shows it; the first one for any other path. */
export function findSection(pathname: string): AccountSection {
  const path = pathname.toLowerCase().replace(/\/$/, '')
  return accountSections.find((section) => section.path === path) ?? (accountSections[0] as AccountSection)
}
