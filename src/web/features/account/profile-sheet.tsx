import type { Profile } from '#contract/account.ts'
import { formatLongDate } from '#contract/dates.ts'
import { KeyValueList } from '#web/ui/key-value-list.tsx'
import { Sheet } from '#web/ui/sheet.tsx'

export function ProfileSheet({ profile }: { profile: Profile }) {
  const { username, name, email, createdAt } = profile
  return (
    <Sheet title="Profile Information">
      <KeyValueList
        items={[
          { label: 'Username', value: username },
          { label: 'Name', value: `${name.first} ${name.last}` },
          { label: 'Email', value: email },
          { label: 'Account since', value: formatLongDate(createdAt) },
        ]}
      />
    </Sheet>
  )
}
