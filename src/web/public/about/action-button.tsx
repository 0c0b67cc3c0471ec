import type { TextPage } from '#contract/public/association.ts'
import { paths } from '#web/app/paths.ts'
import { useFrameContents } from '#web/shared/frame-contents.ts'
import { ButtonLink } from '#web/ui/button.tsx'

/** Opens the action's page, or an email to the association with its subject and text. */
export function ActionButton({ action: { label, path, subject, body } }: { action: NonNullable<TextPage['action']> }) {
  const { association } = useFrameContents()
  // RFC 6068: a line ends with CR and LF.
  const text = body ? `&body=${encodeURIComponent(body.replaceAll(/\r?\n/g, '\r\n'))}` : ''
  const email = subject && `mailto:${association.email}?subject=${encodeURIComponent(subject)}${text}`
  return <ButtonLink to={email || path || paths.contact()}>{label}</ButtonLink>
}
