import { Icon } from '#web/ui/icon.tsx'
import { Link } from '#web/ui/link.tsx'
import { accountIcons } from '../account-icons.ts'
import { accountSections, type SectionName } from '../account-sections.ts'
import { Box } from '../box.tsx'

/** What is found on each page, by the names of its parts. */
const PARTS: Record<Exclude<SectionName, 'overview'>, string> = {
  membership: 'Level, renewal, receipts',
  profile: 'Profile Information, email address, credentials',
  emails: 'Newsletter, recent emails',
  security: 'Change Password, devices',
  data: 'Download, Danger Zone',
  directory: 'Find other members',
}

/** The other pages of the account, on a screen without the list at the side. */
export function SettingsList() {
  return (
    <Box title="Settings" flush className="settings-list">
      <nav aria-label="Settings">
        {accountSections.map(
          ({ name, path, title }) =>
            name !== 'overview' && (
              <Link key={name} to={path}>
                <Icon d={accountIcons[name]} />
                <span>
                  {title}
                  <small>{PARTS[name]}</small>
                </span>
                <Icon d={accountIcons.forward} />
              </Link>
            ),
        )}
      </nav>
    </Box>
  )
}
