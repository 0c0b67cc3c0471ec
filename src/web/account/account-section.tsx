import { useOutletContext } from 'react-router'
import { contentsOf, pageMeta } from '#web/app/title.ts'
import type { AccountOutlet } from './account.tsx'
import { findSection } from './account-sections.ts'
import type { Route } from './+types/account-section'

export function meta({ matches, location }: Route.MetaArgs) {
  return pageMeta({ contents: contentsOf(matches), title: findSection(location.pathname).title })
}

/** One page of the account; `account.tsx` decides whether it is shown, and loads its code. */
export default function AccountSection() {
  const { Page, ...props } = useOutletContext<AccountOutlet>()
  return <Page {...props} />
}
