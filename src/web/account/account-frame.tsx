import { dateFormat } from '#contract/formatters.ts'
import { region } from '#contract/region.ts'
import { Suspense, useState, type ReactNode } from 'react'
import type { Account } from '#web/shared/get-account.ts'
import { useViewer } from '#web/session/viewer.ts'
import { Spinner } from '#web/ui/loading.tsx'
import { Icon } from '#web/ui/icon.tsx'
import { Link, NavigationLink } from '#web/ui/link.tsx'
import { accountSections, type SectionName } from './account-sections.ts'
import { accountIcons } from './account-icons.ts'
import { todo } from './overview/todo.rules.ts'
import { useAccountHome, type HomeState } from './use-account-home.ts'
import type { useAccount } from './use-account.ts'

/** What every page of the account gets. */
export interface AccountPageProps extends Omit<ReturnType<typeof useAccount>, 'state' | 'load'> {
  account: Account
  home: HomeState
}

interface AccountFrameProps extends Omit<AccountPageProps, 'home'> {
  section: SectionName
  children(home: HomeState): ReactNode
}

/** Heading and navigation of the account: a list at the side, and on a phone a link back. Loaded only for members. */
export function AccountFrame({ section, children, account }: AccountFrameProps) {
  const home = useAccountHome(account)
  const { signOut, isMemberView } = useViewer()
  const { title } = accountSections.find(({ name }) => name === section) ?? { title: '' }
  const isFirst = section === 'overview'
  const [now] = useState(() => Date.now())
  const isPastDue = account.subscription?.status === 'PAST_DUE'
  const count = (home.value ? todo(account, home.value, now).length : 0) + (isPastDue ? 1 : 0)
  return (
    <div className="wrap account">
      <aside>
        <nav className="account-nav" aria-label="Account">
          {accountSections.map(({ name, path, title: label }) => (
            <NavigationLink key={name} to={path}>
              <Icon d={accountIcons[name]} strokeWidth={1.9} />
              {name === 'overview' ? 'Overview ' : label}
              {name === 'overview' && count > 0 && (
                <b>
                  {count} <span className="visually-hidden">to do</span>
                </b>
              )}
            </NavigationLink>
          ))}
          {!isMemberView && (
            <>
              <hr />
              <button type="button" onClick={signOut}>
                <Icon d={accountIcons.signOut} strokeWidth={1.9} />
                Sign out
              </button>
            </>
          )}
        </nav>
      </aside>
      <div className="account-main">
        {!isFirst && (
          <p className="account-back">
            <Link to={accountSections[0]?.path ?? ''}>
              <Icon d={accountIcons.back} />
              Account
            </Link>
          </p>
        )}
        <div className="account-head">
          {/* A new heading for each page, so that it can take the focus. */}
          <h1 tabIndex={-1} key={section}>
            {isFirst ? `Hello, ${account.profile.name.first}` : title}
          </h1>
          <p>{subtitle(section, account)}</p>
        </div>
        <Suspense fallback={<Spinner text="One moment..." />}>{children(home)}</Suspense>
      </div>
    </div>
  )
}

function subtitle(section: SectionName, { profile, subscription }: Account): string {
  switch (section) {
    case 'overview':
      return `${subscription ? 'Member' : 'Account'} since ${monthOf(profile.createdAt)}, signed in as ${profile.username}`
    case 'membership':
      return subscription ? subscription.membershipLevel.name : 'You have no membership yet.'
    case 'profile':
      return 'Your name, email address and credentials.'
    case 'emails':
      return `Sent to ${profile.email}`
    case 'security':
      return `You log in with ${profile.username} or your email address.`
    case 'data':
      return 'Download your data or delete your account.'
    case 'directory':
      return 'Only active members see this page.'
  }
}

/** 'March 2019', on the association's calendar. */
function monthOf(instant: string): string {
  return dateFormat({ month: 'long', year: 'numeric', timeZone: region().timeZone }).format(new Date(instant))
}
