import type { RootData } from '#server/pages/page-services.ts'
import type { Viewer } from '#web/session/viewer.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import { Dropdown } from '#web/ui/overlays/dropdown.tsx'
import { Icon, PERSON } from '#web/ui/icon.tsx'
import { Link, NavigationLink, useCurrentPath } from '#web/ui/link.tsx'
import { MobileMenu } from './mobile-menu.tsx'
import { paths } from './paths.ts'
import { isWithin, mainNavigation } from './site-map.ts'

interface HeaderProps {
  contents: Pick<RootData, 'association' | 'menu'>
  viewer: Viewer
}

export function Header({ contents, viewer }: HeaderProps) {
  return (
    <header className="header">
      <div className="wrap bar">
        <Link className="brand" to={paths.home()}>
          <i aria-hidden="true" />
          <span>{contents.association.name}</span>
        </Link>
        <MainNavigation contents={contents} />
        <div className="auth">
          {viewer.status === 'member' ? (
            <>
              <Link className="log-in" to={paths.account()}>
                My membership
              </Link>
              <UserMenu viewer={viewer} />
            </>
          ) : (
            <>
              <Link className="log-in" to={paths.login()}>
                Log in
              </Link>
              <ButtonLink variant="line" size="small" to={paths.becomeAMember()}>
                Sign up
              </ButtonLink>
            </>
          )}
        </div>
        <MobileMenu contents={contents} viewer={viewer} />
      </div>
    </header>
  )
}

function MainNavigation({ contents }: Pick<HeaderProps, 'contents'>) {
  const current = useCurrentPath()
  return (
    <nav className="nav" aria-label="Main">
      <ul>
        {mainNavigation(contents.menu).map((entry) =>
          entry.kind === 'link' ? (
            <li key={entry.page.path}>
              <NavigationLink className="nav-link" to={entry.page.path}>
                {entry.page.label}
              </NavigationLink>
            </li>
          ) : (
            <li key={entry.name}>
              <Dropdown
                buttonClass="nav-link"
                current={isWithin(entry.pages, current)}
                items={entry.pages.map(({ label, path }) => ({ label, to: path }))}
              >
                {entry.name}
              </Dropdown>
            </li>
          ),
        )}
      </ul>
    </nav>
  )
}

function UserMenu({ viewer: { username = '', signOut } }: { viewer: Viewer }) {
  return (
    <Dropdown
      buttonClass="avatar"
      name={username ? `Account menu for ${username}` : 'Account menu'}
      end
      items={[
        { label: 'Account', to: paths.account() },
        { label: 'Sign out', onSelect: signOut },
      ]}
    >
      {/* A token whose user cannot be read still belongs to a member. */}
      {username ? username.charAt(0).toUpperCase() : <Icon d={PERSON} />}
    </Dropdown>
  )
}
