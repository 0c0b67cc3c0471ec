import type { TextPage } from '#contract/public/association.ts'
import { paths } from '#web/app/paths.ts'
import { useFrameContents } from '#web/shared/frame-contents.ts'
import { ButtonLink } from '#web/ui/button.tsx'

/** Opens the action's page, or an email to the association with its subject. */
export function ActionButton({ action: { label, path, subject } }: { action: NonNullable<TextPage['action']> }) {
  const { association } = useFrameContents()
  const email = subject && `mailto:${association.email}?subject=${encodeURIComponent(subject)}`
  return <ButtonLink to={email || path || paths.contact()}>{label}</ButtonLink>
}
